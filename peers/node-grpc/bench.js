// The benchmark client: reads one request as a line of JSON from standard input, does
// what it says, answers with one line on standard output, and reads the next.
//
//   node bench.js ADDR
import readline from 'node:readline';

import { measureCodec } from './codec.js';
import { connect } from './connections.js';
import { measureCalls } from './load.js';
import { parseRequest } from './request.js';

const address = process.argv[2] ?? '127.0.0.1:50051';

async function answer(line) {
  const request = parseRequest(line);
  if ('codec' in request) {
    return measureCodec(request);
  }
  const connections = await connect(address, request);
  try {
    return await measureCalls(connections, request);
  } finally {
    connections.close();
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const reply = await answer(line).catch((error) => ({ error: error.message }));
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
