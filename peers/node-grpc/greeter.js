// What the four modes of greet.v1 mean, one handler each.
import { invalidField } from './errors.js';

const maxCount = 100_000;

function greetUnary(call, callback) {
  callback(null, { greeting: `Hello, ${call.request.name}!` });
}

// Writes until the stream is full, and goes on once it has drained, so that a client
// that reads slowly does not fill this process's memory.
function greetStream(call) {
  const { name, count } = call.request;
  if (count < 0 || count > maxCount) {
    call.emit('error', invalidField('count', `count must be between 0 and ${maxCount}, got ${count}`));
    return;
  }
  let i = 0;
  const writeMore = () => {
    while (i < count && !call.cancelled) {
      i++;
      if (!call.write({ greeting: `Hello #${i}, ${name}!` })) {
        call.once('drain', writeMore);
        return;
      }
    }
    call.end();
  };
  writeMore();
}

function greetCount(call, callback) {
  let count = 0;
  call.on('data', () => count++);
  call.on('end', () => callback(null, { count }));
}

// Answers each request as it comes, and takes no more while the client does not
// read the answers.
function greetChat(call) {
  call.on('data', ({ name }) => {
    if (!call.write({ greeting: `Hi, ${name}!` })) {
      call.pause();
      call.once('drain', () => call.resume());
    }
  });
  call.on('end', () => call.end());
}

export const greeter = {
  Greet: greetUnary,
  GreetStream: greetStream,
  GreetCount: greetCount,
  GreetChat: greetChat,
};
