// One call in each mode, with a check of everything that comes back.

// The answer was OK, and not what was asked for.
export class WrongReply extends Error {}

function unary(client, { name, options }) {
  return new Promise((resolve, reject) => {
    client.Greet({ name }, options(), (error, reply) => {
      end(resolve, reject, error ?? difference(reply.greeting, `Hello, ${name}!`));
    });
  });
}

function serverStream(client, { name, messages, options }) {
  const call = client.GreetStream({ name, count: messages }, options());
  return receive(call, messages, (i) => `Hello #${i}, ${name}!`);
}

function clientStream(client, { name, messages, options }) {
  return new Promise((resolve, reject) => {
    const call = client.GreetCount(options(), (error, reply) => {
      end(resolve, reject, error ?? difference(reply.count, messages));
    });
    send(call, name, messages);
  });
}

function bidi(client, { name, messages, options }) {
  const greeting = `Hi, ${name}!`;
  const call = client.GreetChat(options());
  send(call, name, messages);
  return receive(call, messages, () => greeting);
}

const one = () => 1;
const all = (messages) => messages;

// The modes, each with how many messages a call sends and receives.
export const modes = {
  unary: { make: unary, sent: one, received: one },
  server_stream: { make: serverStream, sent: one, received: all },
  client_stream: { make: clientStream, sent: all, received: one },
  bidi: { make: bidi, sent: all, received: all },
};

// Sends whenever the stream has room, whatever has been received by then.
function send(call, name, messages) {
  let i = 0;
  const sendMore = () => {
    while (i < messages) {
      i++;
      if (!call.write({ name })) {
        call.once('drain', sendMore);
        return;
      }
    }
    call.end();
  };
  sendMore();
}

function receive(call, messages, greetingOf) {
  return new Promise((resolve, reject) => {
    let received = 0;
    let wrong;
    call.on('data', ({ greeting }) => {
      received++;
      wrong ??= difference(greeting, greetingOf(received));
    });
    call.on('error', reject);
    call.on('end', () => end(resolve, reject, wrong ?? difference(received, messages)));
  });
}

function end(resolve, reject, error) {
  error ? reject(error) : resolve();
}

function difference(got, want) {
  return got === want ? undefined : new WrongReply(`got ${excerpt(got)}, want ${excerpt(want)}`);
}

function excerpt(value) {
  return JSON.stringify(value).slice(0, 80);
}
