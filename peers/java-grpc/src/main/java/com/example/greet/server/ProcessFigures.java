package com.example.greet.server;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What this process has used since its start, as Linux tells in /proc (see proc(5)). */
final class ProcessFigures {
  private static final long NANOS_PER_TICK = TimeUnit.MILLISECONDS.toNanos(10);

  private ProcessFigures() {}

  static long userNanos() throws IOException {
    return ticks(14) * NANOS_PER_TICK;
  }

  static long systemNanos() throws IOException {
    return ticks(15) * NANOS_PER_TICK;
  }

  /** Reads a field of /proc/self/stat. The second ends in a parenthesis, and may hold spaces. */
  private static long ticks(int field) throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fromThird = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fromThird[field - 3]);
  }

  static long peakBytes() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      String peak = lines.filter(line -> line.startsWith("VmHWM:")).findFirst().orElseThrow();
      return Long.parseLong(peak.replaceAll("\\D", "")) * 1024;
    }
  }

  static long gcPauseNanos() {
    long millis =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
