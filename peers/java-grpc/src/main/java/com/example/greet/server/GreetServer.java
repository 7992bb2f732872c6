package com.example.greet.server;

import com.example.greet.Address;
import com.example.greet.Threads;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * Serves greet.v1, as a server that the benchmark starts: it prints where it listens, drains on
 * SIGTERM, and ends with its standard input.
 */
@Command(name = "java -jar target/java-grpc.jar", mixinStandardHelpOptions = true)
public final class GreetServer implements Callable<Integer> {
  private static final int MAX_MESSAGE_BYTES = 4 << 20;
  private static final int MAX_STREAMS = 100;
  private static final long DRAIN_SECONDS = 2;

  @Parameters(
      paramLabel = "HOST:PORT",
      converter = Address.class,
      defaultValue = "127.0.0.1:0",
      description = "Where to listen (default: ${DEFAULT-VALUE}).")
  private InetSocketAddress address;

  @Mixin private Threads threads;

  public static void main(String[] args) {
    System.exit(new CommandLine(new GreetServer()).execute(args));
  }

  @Override
  public Integer call() throws IOException, ReflectiveOperationException {
    var control = new Control();
    Server server = build(control).start();
    control.answer();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(server), "drain"));
    System.out.printf("listening %s:%d%n", address.getHostString(), server.getPort());
    System.in.transferTo(OutputStream.nullOutputStream()); // ends when who started this is gone
    return 0;
  }

  private Server build(Control control) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .maxConcurrentCallsPerConnection(MAX_STREAMS)
            .keepAliveTime(30, TimeUnit.SECONDS)
            .keepAliveTimeout(15, TimeUnit.SECONDS)
            .addTransportFilter(control)
            .intercept(new ReplyLimit(MAX_MESSAGE_BYTES))
            .addService(new Greeter());
    threads.applyTo(builder);
    return builder.build();
  }

  /** Ends the process with 0, which after a signal it would not do by itself. */
  private static void drain(Server server) {
    try {
      if (!server.shutdown().awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
    }
    Runtime.getRuntime().halt(0);
  }
}
