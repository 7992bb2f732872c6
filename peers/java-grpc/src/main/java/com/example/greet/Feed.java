package com.example.greet;

import io.grpc.stub.CallStreamObserver;
import java.util.Iterator;

/**
 * Sends the messages of an iterator for as long as the other side keeps up, and then ends the
 * stream. What the other side has not taken is not made yet, so that it takes no memory.
 *
 * <p>It runs whenever the stream becomes ready, first when the stream has opened.
 */
public final class Feed<T> implements Runnable {
  private final Iterator<T> messages;
  private final CallStreamObserver<? super T> stream;
  private boolean ended;

  private Feed(Iterator<T> messages, CallStreamObserver<? super T> stream) {
    this.messages = messages;
    this.stream = stream;
  }

  /** Feeds the stream, whose handler for becoming ready must not be taken yet. */
  public static <T> void into(CallStreamObserver<? super T> stream, Iterator<T> messages) {
    stream.setOnReadyHandler(new Feed<>(messages, stream));
  }

  @Override
  public void run() {
    while (stream.isReady() && messages.hasNext()) {
      stream.onNext(messages.next());
    }
    if (!messages.hasNext() && !ended) {
      ended = true;
      stream.onCompleted();
    }
  }
}
