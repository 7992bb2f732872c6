package com.example.greet.bench;

import com.example.greet.Threads;
import greet.v1.GreetServiceGrpc.GreetServiceStub;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A closed loop: so many calls are kept in flight, first to warm up and then to be counted. */
final class Load {
  private final Request request;
  private final Connections connections;
  private final Calls calls;
  private final Failures failures = new Failures();

  private Load(Request request, Connections connections) {
    this.request = request;
    this.connections = connections;
    this.calls = new Calls(request);
  }

  /** What came of it: calls that count, and the messages of those, and what failed. */
  record Answer(
      long calls,
      long messagesSent,
      long messagesReceived,
      long windowNs,
      int connectionsOpened,
      Map<String, Long> errors,
      String firstError,
      long[] latenciesNs) {}

  static Answer run(Request request, InetSocketAddress address, Threads threads)
      throws InterruptedException {
    int count = Math.max(request.connections(), 1);
    try (var connections = new Connections(count, address, threads)) {
      return new Load(request, connections).run();
    }
  }

  private Answer run() throws InterruptedException {
    keepInFlight(Window.ofCalls(request.warmupCalls(), failures));
    long begin = System.nanoTime();
    if (request.timed()) {
      var workers = keepInFlight(Window.ofNanos(begin, request.windowNs()));
      return answer(workers, request.windowNs());
    }
    var workers = keepInFlight(Window.ofCalls(request.calls(), failures));
    long took = workers.stream().mapToLong(worker -> worker.ended() - begin).max().orElseThrow();
    return answer(workers, took);
  }

  /** Returns when the window is over and every call has ended. */
  private List<Worker> keepInFlight(Window window) throws InterruptedException {
    var done = new CountDownLatch(request.concurrency());
    List<Worker> workers =
        IntStream.range(0, request.concurrency())
            .mapToObj(i -> new Worker(window, failures, caller(i), done::countDown))
            .toList();
    workers.forEach(Worker::next);
    done.await();
    return workers;
  }

  private Consumer<Outcome> caller(int worker) {
    GreetServiceStub stub = connections.stub(worker);
    return outcome ->
        calls.start(stub.withDeadlineAfter(request.deadlineNs(), TimeUnit.NANOSECONDS), outcome);
  }

  private Answer answer(List<Worker> workers, long windowNs) {
    long[] latencies = workers.stream().flatMapToLong(Worker::latencies).toArray();
    return new Answer(
        latencies.length,
        (long) latencies.length * request.mode().sentPerCall(request.messages()),
        (long) latencies.length * request.mode().receivedPerCall(request.messages()),
        windowNs,
        connections.opened(),
        failures.byCode(),
        failures.first(),
        latencies);
  }
}
