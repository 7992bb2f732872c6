package com.example.greet.server;

import greet.v1.Greet.GreetChatRequest;
import greet.v1.Greet.GreetChatResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/**
 * One GreetChat: answers each request as it comes, and takes no more while the client does not
 * read the answers, so that they do not fill this process's memory.
 */
final class Chat implements StreamObserver<GreetChatRequest> {
  private final ServerCallStreamObserver<GreetChatResponse> replies;
  private boolean waiting = true;

  Chat(ServerCallStreamObserver<GreetChatResponse> replies) {
    this.replies = replies;
    replies.disableAutoRequest();
    replies.setOnReadyHandler(this::resume);
  }

  private void resume() {
    if (waiting && replies.isReady()) {
      waiting = false;
      replies.request(1);
    }
  }

  @Override
  public void onNext(GreetChatRequest request) {
    String greeting = "Hi, " + request.getName() + "!";
    replies.onNext(GreetChatResponse.newBuilder().setGreeting(greeting).build());
    waiting = true;
    resume();
  }

  @Override
  public void onError(Throwable cancelled) {}

  @Override
  public void onCompleted() {
    replies.onCompleted();
  }
}
