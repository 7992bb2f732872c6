package com.example.greet.bench;

/** Hears how a call has ended. One of the two is told, once. */
interface Outcome {
  void succeeded();

  /** The code is as gRPC names it, in lower case, or wrong_reply. */
  void failed(String code, String text);
}
