package com.example.greet.server;

import com.google.protobuf.MessageLite;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** Ends a call whose reply is too large, since grpc-java limits only what a server receives. */
final class ReplyLimit implements ServerInterceptor {
  private final int maxBytes;

  ReplyLimit(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    return next.startCall(new LimitedCall<>(call), headers);
  }

  private final class LimitedCall<ReqT, RespT> extends SimpleForwardingServerCall<ReqT, RespT> {
    private boolean refused;

    LimitedCall(ServerCall<ReqT, RespT> call) {
      super(call);
    }

    @Override
    public void sendMessage(RespT message) {
      int bytes = ((MessageLite) message).getSerializedSize();
      if (bytes > maxBytes) {
        String text = "reply of %d bytes is larger than %d".formatted(bytes, maxBytes);
        close(Status.RESOURCE_EXHAUSTED.withDescription(text), new Metadata());
        refused = true;
      } else if (!refused) {
        super.sendMessage(message);
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      if (!refused) { // or the handler, which does not know, would close it again
        super.close(status, trailers);
      }
    }
  }
}
