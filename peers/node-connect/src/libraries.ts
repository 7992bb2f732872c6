// Prints what the server and the client run on, a name and a version on each line.
import { readFile } from "node:fs/promises";

for (const name of ["@connectrpc/connect", "@connectrpc/connect-node", "@bufbuild/protobuf"]) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  console.log(name, `v${JSON.parse(await readFile(file, "utf8")).version}`);
}
console.log("node", process.version);
