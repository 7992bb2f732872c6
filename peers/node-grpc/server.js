// Serves greet.v1 with @grpc/grpc-js, as a server that the benchmark starts: it
// prints where it listens, drains on SIGTERM, and ends with its standard input.
//
//   node server.js ADDR
import grpc from '@grpc/grpc-js';

import { answerControl } from './control.js';
import { greeter } from './greeter.js';
import { GreetService, maxMessageBytes } from './schema.js';

const drainMilliseconds = 2000;

const limits = {
  'grpc.max_concurrent_streams': 100,
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 15_000,
};

function listen(server, address) {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, grpc.ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port));
  });
}

function stopper(server) {
  return () => {
    // A shutdown may never call back: grpc/grpc-node issues 1458 and 1664.
    setTimeout(() => {
      server.forceShutdown();
      process.exit(0);
    }, drainMilliseconds);
    server.tryShutdown(() => process.exit(0));
  };
}

const server = new grpc.Server(limits);
server.addService(GreetService.service, greeter);

const address = process.argv[2] ?? '127.0.0.1:0';
answerControl();
const port = await listen(server, address);
console.log(`listening ${address.slice(0, address.lastIndexOf(':'))}:${port}`);

const stop = stopper(server);
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.stdin.once('end', stop).resume(); // whoever started this process is gone
