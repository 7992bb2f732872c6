package com.example.greet.bench;

import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Keeps one call in flight: as soon as one has ended it starts the next, on the thread that
 * heard of the end. Of its fields only one thread at a time makes use.
 */
final class Worker implements Outcome {
  private final Window window;
  private final Failures failures;
  private final Consumer<Outcome> call;
  private final Runnable done;
  private final LongStream.Builder latencies = LongStream.builder();
  private long began;
  private long ended = System.nanoTime();

  Worker(Window window, Failures failures, Consumer<Outcome> call, Runnable done) {
    this.window = window;
    this.failures = failures;
    this.call = call;
    this.done = done;
  }

  void next() {
    if (window.admits()) {
      began = System.nanoTime();
      call.accept(this);
    } else {
      done.run();
    }
  }

  @Override
  public void succeeded() {
    ended = System.nanoTime();
    if (window.counts(ended)) {
      latencies.add(ended - began);
    }
    next();
  }

  @Override
  public void failed(String code, String text) {
    ended = System.nanoTime();
    failures.add(code, text);
    // A call may fail while it starts, and many in a row would pile up on one stack.
    ForkJoinPool.commonPool().execute(this::next);
  }

  /** The latency of each call that counts. It can be asked for once. */
  LongStream latencies() {
    return latencies.build();
  }

  /** When the last call ended. */
  long ended() {
    return ended;
  }
}
