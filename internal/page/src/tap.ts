// Copies the bytes of calls on their way between connect-web and fetch, and changes
// none of them.

/** Half is what one side of a call has sent. */
export interface Half {
  headers: [name: string, value: string][];
  bytes: Uint8Array<ArrayBuffer>; // the first of the body, mostKept at most
  size: number; // of the whole body
}

/** Exchange is one call as fetch sees it. */
export interface Exchange {
  path: string;
  request: Half;
  response: Half & { status: number };
}

const mostKept = 4096;

/** tapped is fetch, with begin called for each call and its Exchange filled meanwhile. */
export function tapped(begin: (exchange: Exchange) => void): typeof fetch {
  return async (input, init) => {
    const exchange: Exchange = {
      path: new URL(String(input), location.href).pathname,
      request: { headers: [...new Headers(init?.headers)], ...emptyBody() },
      response: { status: 0, headers: [], ...emptyBody() },
    };
    begin(exchange);
    if (init?.body) keep(exchange.request, new Uint8Array(await new Response(init.body).arrayBuffer()));
    const response = await fetch(input, init);
    exchange.response.status = response.status;
    exchange.response.headers = [...response.headers];
    return copied(response, exchange.response);
  };
}

const emptyBody = () => ({ bytes: new Uint8Array(), size: 0 });

function keep(half: Half, chunk: Uint8Array): void {
  const room = chunk.subarray(0, Math.max(0, mostKept - half.bytes.length));
  const joined = new Uint8Array(half.bytes.length + room.length);
  joined.set(half.bytes);
  joined.set(room, half.bytes.length);
  half.bytes = joined;
  half.size += chunk.length;
}

/** copied is the response with its body kept in half as it is read. */
function copied(response: Response, half: Half): Response {
  const copy = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      keep(half, chunk);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(copy), response);
}
