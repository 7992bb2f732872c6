// What the four modes of greet.v1 mean, one handler each.
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";

import { BadRequestSchema } from "./gen/google/rpc/error_details_pb.js";
import type { GreetService } from "./gen/greet/v1/greet_pb.js";

const maxCount = 100_000;

// A request with a field that cannot be served.
function invalidField(field: string, description: string): ConnectError {
  const value = { fieldViolations: [{ field, description }] };
  return new ConnectError(description, Code.InvalidArgument, undefined, [{ desc: BadRequestSchema, value }]);
}

export const greeter: ServiceImpl<typeof GreetService> = {
  greet({ name }) {
    return { greeting: `Hello, ${name}!` };
  },

  async *greetStream({ name, count }) {
    if (count < 0 || count > maxCount) {
      throw invalidField("count", `count must be between 0 and ${maxCount}, got ${count}`);
    }
    for (let i = 1; i <= count; i++) {
      yield { greeting: `Hello #${i}, ${name}!` };
    }
  },

  async greetCount(requests) {
    let count = 0;
    for await (const _ of requests) {
      count++;
    }
    return { count };
  },

  async *greetChat(requests) {
    for await (const { name } of requests) {
      yield { greeting: `Hi, ${name}!` };
    }
  },
};
