// The connections of one request to the benchmark client, new each time.
import diagnostics from 'node:diagnostics_channel';
import grpc from '@grpc/grpc-js';

import { GreetService, maxMessageBytes } from './schema.js';

const options = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  'grpc.use_local_subchannel_pool': 1, // or all clients would share one connection
};

let dialed = 0;
diagnostics.subscribe('net.client.socket', () => dialed++);

// connect makes a client for each connection, for workers to take turns with.
export async function connect(address, { connections, deadline_ns }) {
  const before = dialed;
  const clients = Array.from({ length: connections || 1 }, () =>
    new GreetService(address, grpc.credentials.createInsecure(), options));
  await Promise.all(clients.map((client) => ready(client, Date.now() + deadline_ns / 1e6)));
  return {
    clients,
    opened: () => dialed - before,
    close: () => clients.forEach((client) => client.close()),
  };
}

// ready resolves once the client is connected, or has failed to: each call says so again.
function ready(client, deadline) {
  return new Promise((resolve) => {
    const channel = client.getChannel();
    const check = () => {
      const state = channel.getConnectivityState(true);
      if (state === grpc.connectivityState.READY || state === grpc.connectivityState.TRANSIENT_FAILURE) {
        resolve();
        return;
      }
      channel.watchConnectivityState(state, deadline, (error) => (error ? resolve() : check()));
    };
    check();
  });
}
