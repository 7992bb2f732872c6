package com.example.greet.server;

import com.example.greet.Feed;
import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.BadRequest.FieldViolation;
import com.google.rpc.Code;
import com.google.rpc.Status;
import greet.v1.Greet.GreetChatRequest;
import greet.v1.Greet.GreetChatResponse;
import greet.v1.Greet.GreetCountRequest;
import greet.v1.Greet.GreetCountResponse;
import greet.v1.Greet.GreetRequest;
import greet.v1.Greet.GreetResponse;
import greet.v1.Greet.GreetStreamRequest;
import greet.v1.Greet.GreetStreamResponse;
import greet.v1.GreetServiceGrpc.GreetServiceImplBase;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.stream.IntStream;

/** What the four modes of greet.v1 mean. */
final class Greeter extends GreetServiceImplBase {
  private static final int MAX_COUNT = 100_000;

  @Override
  public void greet(GreetRequest request, StreamObserver<GreetResponse> replies) {
    String greeting = "Hello, " + request.getName() + "!";
    replies.onNext(GreetResponse.newBuilder().setGreeting(greeting).build());
    replies.onCompleted();
  }

  @Override
  public void greetStream(GreetStreamRequest request, StreamObserver<GreetStreamResponse> replies) {
    int count = request.getCount();
    if (count < 0 || count > MAX_COUNT) {
      String text = "count must be between 0 and %d, got %d".formatted(MAX_COUNT, count);
      replies.onError(invalidField("count", text));
      return;
    }
    var greetings =
        IntStream.rangeClosed(1, count)
            .mapToObj(i -> "Hello #" + i + ", " + request.getName() + "!")
            .map(text -> GreetStreamResponse.newBuilder().setGreeting(text).build());
    Feed.into((ServerCallStreamObserver<GreetStreamResponse>) replies, greetings.iterator());
  }

  @Override
  public StreamObserver<GreetCountRequest> greetCount(StreamObserver<GreetCountResponse> replies) {
    return new StreamObserver<>() {
      private int count;

      @Override
      public void onNext(GreetCountRequest request) {
        count++;
      }

      @Override
      public void onError(Throwable cancelled) {}

      @Override
      public void onCompleted() {
        replies.onNext(GreetCountResponse.newBuilder().setCount(count).build());
        replies.onCompleted();
      }
    };
  }

  @Override
  public StreamObserver<GreetChatRequest> greetChat(StreamObserver<GreetChatResponse> replies) {
    return new Chat((ServerCallStreamObserver<GreetChatResponse>) replies);
  }

  private static StatusRuntimeException invalidField(String field, String text) {
    var violation = FieldViolation.newBuilder().setField(field).setDescription(text);
    var details = BadRequest.newBuilder().addFieldViolations(violation).build();
    return StatusProto.toStatusRuntimeException(
        Status.newBuilder()
            .setCode(Code.INVALID_ARGUMENT_VALUE)
            .setMessage(text)
            .addDetails(Any.pack(details))
            .build());
  }
}
