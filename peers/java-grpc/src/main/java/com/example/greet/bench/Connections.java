package com.example.greet.bench;

import com.example.greet.Threads;
import greet.v1.GreetServiceGrpc;
import greet.v1.GreetServiceGrpc.GreetServiceStub;
import io.grpc.Attributes;
import io.grpc.ClientTransportFilter;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Channels to one server, each of which has one connection. */
final class Connections implements AutoCloseable {
  private static final long CLOSE_SECONDS = 5;

  private final AtomicInteger opened = new AtomicInteger();
  private final List<ManagedChannel> channels;

  /** Opens so many. A connection that fails is left to the calls, which then say why. */
  Connections(int count, InetSocketAddress address, Threads threads) throws InterruptedException {
    channels = Stream.generate(() -> channel(address, threads)).limit(count).toList();
    for (ManagedChannel channel : channels) {
      connect(channel);
    }
  }

  private ManagedChannel channel(InetSocketAddress address, Threads threads) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(address).usePlaintext().addTransportFilter(new Counter());
    threads.applyTo(builder);
    return builder.build();
  }

  private final class Counter extends ClientTransportFilter {
    @Override
    public Attributes transportReady(Attributes connection) {
      opened.incrementAndGet();
      return connection;
    }
  }

  private static void connect(ManagedChannel channel) throws InterruptedException {
    for (var state = channel.getState(true); !settled(state); state = channel.getState(true)) {
      var changed = new CountDownLatch(1);
      channel.notifyWhenStateChanged(state, changed::countDown);
      changed.await();
    }
  }

  private static boolean settled(ConnectivityState state) {
    return state == ConnectivityState.READY || state == ConnectivityState.TRANSIENT_FAILURE;
  }

  GreetServiceStub stub(int worker) {
    return GreetServiceGrpc.newStub(channels.get(worker % channels.size()));
  }

  int opened() {
    return opened.get();
  }

  @Override
  public void close() throws InterruptedException {
    channels.forEach(ManagedChannel::shutdownNow);
    for (ManagedChannel channel : channels) {
      channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
