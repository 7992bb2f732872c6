// Prints what the server runs on, a name and a version on each line.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
for (const name of ['@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs']) {
  console.log(name, `v${require(`${name}/package.json`).version}`);
}
console.log('node', process.version);
