package com.example.greet.bench;

import com.example.greet.bench.Request.Mode;
import greet.v1.Greet.GreetChatRequest;
import greet.v1.Greet.GreetCountRequest;
import greet.v1.Greet.GreetRequest;
import greet.v1.Greet.GreetStreamRequest;
import greet.v1.GreetServiceGrpc.GreetServiceStub;
import java.util.Iterator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Starts calls in one mode. Messages are made anew for each call, as users make them. */
final class Calls {
  private final Mode mode;
  private final String name;
  private final int messages;
  private final String hello;
  private final String hi;
  private final String tail;

  Calls(Request request) {
    mode = request.mode();
    name = "x".repeat(request.payloadBytes());
    messages = request.messages();
    hello = "Hello, " + name + "!";
    hi = "Hi, " + name + "!";
    tail = ", " + name + "!";
  }

  void start(GreetServiceStub stub, Outcome outcome) {
    switch (mode) {
      case UNARY -> greet(stub, outcome);
      case SERVER_STREAM -> greetStream(stub, outcome);
      case CLIENT_STREAM -> greetCount(stub, outcome);
      case BIDI -> greetChat(stub, outcome);
    }
  }

  private void greet(GreetServiceStub stub, Outcome outcome) {
    GreetRequest request = GreetRequest.newBuilder().setName(name).build();
    stub.greet(
        request, new Replies<>(outcome, 1, (reply, i) -> reply.getGreeting().equals(hello)));
  }

  private void greetStream(GreetServiceStub stub, Outcome outcome) {
    var request = GreetStreamRequest.newBuilder().setName(name).setCount(messages).build();
    stub.greetStream(
        request,
        new Replies<>(outcome, messages, (reply, i) -> isNumbered(reply.getGreeting(), i)));
  }

  private void greetCount(GreetServiceStub stub, Outcome outcome) {
    var requests = requests(() -> GreetCountRequest.newBuilder().setName(name).build());
    stub.greetCount(
        new Exchange<>(requests, outcome, 1, (reply, i) -> reply.getCount() == messages));
  }

  private void greetChat(GreetServiceStub stub, Outcome outcome) {
    var requests = requests(() -> GreetChatRequest.newBuilder().setName(name).build());
    stub.greetChat(
        new Exchange<>(
            requests, outcome, messages, (reply, i) -> reply.getGreeting().equals(hi)));
  }

  private <T> Iterator<T> requests(Supplier<T> request) {
    return Stream.generate(request).limit(messages).iterator();
  }

  /** Compares without making the whole text anew for each number. */
  private boolean isNumbered(String greeting, int number) {
    String head = "Hello #" + number;
    return greeting.length() == head.length() + tail.length()
        && greeting.startsWith(head)
        && greeting.endsWith(tail);
  }
}
