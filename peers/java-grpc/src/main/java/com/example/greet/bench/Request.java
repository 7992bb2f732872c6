package com.example.greet.bench;

import com.google.gson.annotations.SerializedName;

/**
 * What is to be measured: calls in a mode, or the codec. A window has a number of calls, or
 * without one takes a time.
 */
record Request(
    Mode mode,
    int concurrency,
    int connections,
    int payloadBytes,
    int messages,
    long calls,
    long warmupCalls,
    long windowNs,
    long deadlineNs,
    Codec codec) {

  enum Mode {
    @SerializedName("unary")
    UNARY,
    @SerializedName("server_stream")
    SERVER_STREAM,
    @SerializedName("client_stream")
    CLIENT_STREAM,
    @SerializedName("bidi")
    BIDI;

    int sentPerCall(int messages) {
      return this == CLIENT_STREAM || this == BIDI ? messages : 1;
    }

    int receivedPerCall(int messages) {
      return this == SERVER_STREAM || this == BIDI ? messages : 1;
    }
  }

  boolean timed() {
    return calls == 0;
  }

  /** Throws IllegalArgumentException if this cannot be done. */
  void check() {
    require(payloadBytes >= 0, "payload_bytes must not be negative");
    if (codec != null) {
      require(windowNs > 0, "window_ns must be positive");
      return;
    }
    require(mode != null, "no mode and no codec that there is");
    require(concurrency > 0, "concurrency must be positive");
    require(connections >= 0, "connections must not be negative");
    require(messages > 0, "messages must be positive");
    require(calls >= 0 && warmupCalls >= 0, "calls and warmup_calls must not be negative");
    require(!timed() || windowNs > 0, "window_ns must be positive if calls is 0");
    require(deadlineNs > 0, "deadline_ns must be positive");
  }

  private static void require(boolean holds, String text) {
    if (!holds) {
      throw new IllegalArgumentException(text);
    }
  }
}
