package com.example.greet.bench;

import com.google.gson.annotations.SerializedName;
import com.google.protobuf.InvalidProtocolBufferException;
import greet.v1.Greet.GreetRequest;
import java.util.function.IntSupplier;

/** A direction of the library's own codec, run in process on messages of one size. */
enum Codec {
  @SerializedName("marshal")
  MARSHAL {
    @Override
    IntSupplier operation(String name) {
      // A message remembers its size, which would spare all calls but the first one pass.
      return () -> GreetRequest.newBuilder().setName(name).build().toByteArray().length;
    }
  },

  @SerializedName("unmarshal")
  UNMARSHAL {
    @Override
    IntSupplier operation(String name) {
      byte[] bytes = GreetRequest.newBuilder().setName(name).build().toByteArray();
      return () -> parse(bytes).getName().length();
    }
  };

  private static final int BYTES_PER_CLOCK_READING = 64 << 10;

  /** Where results go, lest the compiler should find that nobody needs them. */
  private static volatile int sink;

  record Answer(long calls, long windowNs) {}

  /** An operation on a message with this name, which yields a size. */
  abstract IntSupplier operation(String name);

  Answer run(int payloadBytes, long windowNs) {
    IntSupplier operation = operation("x".repeat(payloadBytes));
    int batch = BYTES_PER_CLOCK_READING / Math.max(payloadBytes, 64) + 1;
    runFor(windowNs, operation, batch); // warms up
    return runFor(windowNs, operation, batch);
  }

  private static Answer runFor(long windowNs, IntSupplier operation, int batch) {
    long calls = 0;
    long begin = System.nanoTime();
    long took;
    do {
      int sum = 0;
      for (int i = 0; i < batch; i++) {
        sum += operation.getAsInt();
      }
      sink = sum;
      calls += batch;
      took = System.nanoTime() - begin;
    } while (took < windowNs);
    return new Answer(calls, took);
  }

  private static GreetRequest parse(byte[] bytes) {
    try {
      return GreetRequest.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("these bytes were marshalled here", e);
    }
  }
}
