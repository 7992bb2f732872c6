package com.example.greet.bench;

import java.util.Map;
import java.util.TreeMap;

/** Counts failed calls by their code. */
final class Failures {
  private final Map<String, Long> byCode = new TreeMap<>();
  private volatile long count;
  private String first;

  synchronized void add(String code, String text) {
    byCode.merge(code, 1L, Long::sum);
    count++;
    if (first == null) {
      first = code + ": " + text;
    }
  }

  long count() {
    return count;
  }

  synchronized Map<String, Long> byCode() {
    return Map.copyOf(byCode);
  }

  /** Null if there is none. */
  synchronized String first() {
    return first;
  }
}
