package com.example.greet.bench;

import com.example.greet.Address;
import com.example.greet.Threads;
import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * The benchmark client: reads requests from standard input, a JSON object on each line, and
 * answers each with one line on standard output before it reads the next.
 */
@Command(
    name = "java -cp target/java-grpc.jar com.example.greet.bench.Bench",
    mixinStandardHelpOptions = true)
public final class Bench implements Callable<Integer> {
  private static final Gson JSON =
      new GsonBuilder()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .create();

  @Parameters(
      paramLabel = "HOST:PORT",
      converter = Address.class,
      description = "The server that is called.")
  private InetSocketAddress address;

  @Mixin private Threads threads;

  public static void main(String[] args) {
    System.exit(new CommandLine(new Bench()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    var requests = new BufferedReader(new InputStreamReader(System.in));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      System.out.println(JSON.toJson(answer(line)));
    }
    return 0;
  }

  private Object answer(String line) {
    try {
      Request request = JSON.fromJson(line, Request.class);
      if (request == null) {
        throw new IllegalArgumentException("the request is empty");
      }
      request.check();
      return request.codec() == null
          ? Load.run(request, address, threads)
          : request.codec().run(request.payloadBytes(), request.windowNs());
    } catch (JsonParseException | IllegalArgumentException e) {
      return Map.of("error", e.getMessage());
    } catch (InterruptedException e) {
      throw new AssertionError("nothing here interrupts", e);
    }
  }
}
