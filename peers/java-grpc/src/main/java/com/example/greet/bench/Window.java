package com.example.greet.bench;

import java.util.concurrent.atomic.AtomicLong;

/** Says how long calls are started, and which of them count. Times are of System.nanoTime. */
interface Window {
  /** Says whether a worker may start a call. */
  boolean admits();

  /** Says whether a call that succeeds at this time is one of the window's. */
  boolean counts(long time);

  /** A window of so many calls, which gives up once too many have failed. */
  static Window ofCalls(long calls, Failures failures) {
    final long mostFailures = 100;
    var left = new AtomicLong(calls);
    return new Window() {
      @Override
      public boolean admits() {
        return failures.count() < mostFailures && left.getAndDecrement() > 0;
      }

      @Override
      public boolean counts(long time) {
        return true;
      }
    };
  }

  /** A window that begins at a time and takes so long. */
  static Window ofNanos(long begin, long nanos) {
    return new Window() {
      @Override
      public boolean admits() {
        return counts(System.nanoTime());
      }

      @Override
      public boolean counts(long time) {
        return time - begin <= nanos;
      }
    };
  }
}
