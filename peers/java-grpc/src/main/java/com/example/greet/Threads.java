package com.example.greet;

import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import picocli.CommandLine.Option;

/**
 * Which threads do the work, as flags that the server and the benchmark client share. Without
 * any it is as grpc-java has it: event loops that read and write, two for each processor, and
 * a pool of threads that grows as needed, on which handlers and callbacks run.
 */
public final class Threads {
  @Option(
      names = "--direct",
      description = "Run handlers and callbacks on the event loops, not on a pool of their own.")
  private boolean direct;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Have N event loops, and run handlers and callbacks on them. Needs Linux.")
  private int workers;

  private EventLoopGroup loops;

  public void applyTo(NettyServerBuilder server) {
    if (direct || workers > 0) {
      server.directExecutor();
    }
    if (workers > 0) {
      server
          .bossEventLoopGroup(loops())
          .workerEventLoopGroup(loops())
          .channelType(EpollServerSocketChannel.class);
    }
  }

  public void applyTo(NettyChannelBuilder channel) {
    if (direct || workers > 0) {
      channel.directExecutor();
    }
    if (workers > 0) {
      channel.eventLoopGroup(loops()).channelType(EpollSocketChannel.class);
    }
  }

  private EventLoopGroup loops() {
    if (loops == null) {
      var daemons = new DefaultThreadFactory("worker", true);
      loops = new MultiThreadIoEventLoopGroup(workers, daemons, EpollIoHandler.newFactory());
    }
    return loops;
  }
}
