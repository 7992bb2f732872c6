package com.example.greet;

import java.net.InetSocketAddress;
import java.net.URI;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads HOST:PORT from a command line. */
public final class Address implements ITypeConverter<InetSocketAddress> {
  @Override
  public InetSocketAddress convert(String text) {
    URI uri = URI.create("tcp://" + text);
    if (uri.getHost() == null || uri.getPort() < 0) {
      throw new TypeConversionException("'%s' is not HOST:PORT".formatted(text));
    }
    return new InetSocketAddress(uri.getHost(), uri.getPort());
  }
}
