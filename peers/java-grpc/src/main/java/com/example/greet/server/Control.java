package com.example.greet.server;

import com.google.gson.Gson;
import com.google.gson.JsonParser;
import io.grpc.Attributes;
import io.grpc.ServerTransportFilter;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The control socket: the benchmark asks what this process has used so far. */
final class Control extends ServerTransportFilter {
  private final AtomicLong accepted = new AtomicLong();

  @Override
  public Attributes transportReady(Attributes connection) {
    accepted.incrementAndGet();
    return connection;
  }

  /** Answers requests on the control socket, if this process was given one. */
  void answer() throws ReflectiveOperationException {
    if (!"3".equals(System.getenv("GREET_CONTROL"))) {
      return;
    }
    FileDescriptor socket = inherited(3);
    var requests = new BufferedReader(new InputStreamReader(new FileInputStream(socket)));
    var answers = new PrintStream(new FileOutputStream(socket), true);
    var thread = new Thread(() -> answerAll(requests, answers), "control");
    thread.setDaemon(true);
    thread.start();
  }

  /** Java has no other way to take over a descriptor than to set what it keeps to itself. */
  private static FileDescriptor inherited(int number) throws ReflectiveOperationException {
    FileDescriptor descriptor = new FileDescriptor();
    Field field = FileDescriptor.class.getDeclaredField("fd");
    field.setAccessible(true);
    field.setInt(descriptor, number);
    return descriptor;
  }

  private void answerAll(BufferedReader requests, PrintStream answers) {
    var json = new Gson();
    requests.lines().forEach(line -> answers.println(json.toJson(reply(line))));
  }

  private Map<String, ?> reply(String line) {
    try {
      return switch (JsonParser.parseString(line).getAsJsonObject().get("get").getAsString()) {
        case "stats" -> stats();
        case "memory" -> {
          System.gc();
          yield Map.of("freed", true);
        }
        default -> Map.of("error", "this server does not know how to answer that");
      };
    } catch (IOException | RuntimeException e) {
      return Map.of("error", e.toString());
    }
  }

  private Map<String, Long> stats() throws IOException {
    return Map.of(
        "connections_accepted", accepted.get(),
        "cpu_user_ns", ProcessFigures.userNanos(),
        "cpu_system_ns", ProcessFigures.systemNanos(),
        "peak_rss_bytes", ProcessFigures.peakBytes(),
        "gc_pause_ns", ProcessFigures.gcPauseNanos());
  }
}
