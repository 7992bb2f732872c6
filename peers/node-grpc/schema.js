// The schema, read at start.
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';

const protoFile = new URL('../../proto/greet/v1/greet.proto', import.meta.url).pathname;

// Without `defaults` an empty name would be undefined.
const { greet } = grpc.loadPackageDefinition(protoLoader.loadSync(protoFile, { defaults: true }));

export const { GreetService } = greet.v1;
export const maxMessageBytes = 4 << 20;
