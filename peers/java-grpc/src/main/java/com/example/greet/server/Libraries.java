package com.example.greet.server;

import java.io.IOException;

/** Prints what this was built with and runs on, a name and a version on each line. */
public final class Libraries {
  private Libraries() {}

  public static void main(String[] args) throws IOException {
    try (var list = Libraries.class.getResourceAsStream("/libraries.txt")) {
      list.transferTo(System.out);
    }
    System.out.println("java " + System.getProperty("java.version"));
  }
}
