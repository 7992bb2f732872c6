package com.example.greet.bench;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Locale;

/** Checks every reply of a call, then tells the outcome. */
class Replies<T> implements StreamObserver<T> {
  /** Says whether a reply is right. The first has the number 1. */
  interface Check<T> {
    boolean accepts(T reply, int number);
  }

  private final Outcome outcome;
  private final int wanted;
  private final Check<T> check;
  private int received;
  private int firstWrong;

  Replies(Outcome outcome, int wanted, Check<T> check) {
    this.outcome = outcome;
    this.wanted = wanted;
    this.check = check;
  }

  @Override
  public final void onNext(T reply) {
    received++;
    if (firstWrong == 0 && !check.accepts(reply, received)) {
      firstWrong = received;
    }
  }

  @Override
  public final void onError(Throwable error) {
    Status status = Status.fromThrowable(error);
    String text = String.valueOf(status.getDescription());
    if (status.getCause() != null) {
      text += ": " + status.getCause().getMessage();
    }
    outcome.failed(nameOf(status.getCode()), text);
  }

  @Override
  public final void onCompleted() {
    if (firstWrong > 0) {
      outcome.failed("wrong_reply", "reply %d of %d".formatted(firstWrong, wanted));
    } else if (received != wanted) {
      outcome.failed("wrong_reply", "%d replies, want %d".formatted(received, wanted));
    } else {
      outcome.succeeded();
    }
  }

  /** The codes' names as they are everywhere but in gRPC for Java: it spells one with two l. */
  private static String nameOf(Status.Code code) {
    return code == Status.Code.CANCELLED ? "canceled" : code.name().toLowerCase(Locale.ROOT);
  }
}
