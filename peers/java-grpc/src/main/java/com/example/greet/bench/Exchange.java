package com.example.greet.bench;

import com.example.greet.Feed;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.Iterator;

/**
 * The replies of a call that streams requests. These are sent as fast as flow control lets them,
 * whatever has come back.
 */
final class Exchange<Q, R> extends Replies<R> implements ClientResponseObserver<Q, R> {
  private final Iterator<Q> requests;

  Exchange(Iterator<Q> requests, Outcome outcome, int wanted, Check<R> check) {
    super(outcome, wanted, check);
    this.requests = requests;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<Q> stream) {
    Feed.into(stream, requests);
  }
}
