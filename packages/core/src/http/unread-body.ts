import type { RequestBody, UnreadBody } from './route.ts';

/** A readable stream of Node.js, as far as it is needed: core imports none. @public */
export interface ByteStream {
  /** All of it was read before. */
  readonly readableEnded?: boolean;
  readonly destroyed?: boolean;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const joined = (chunks: readonly Uint8Array[], length: number): Uint8Array => {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
};

/**
 * Reads a body up to `most` bytes. What comes after is let pass unread, so that the answer can be sent and the connection be used again.
 * A body that breaks off is no error of the host's: it resolves to `aborted`.
 */
const read = (stream: ByteStream, most: number): Promise<RequestBody> =>
  new Promise((resolve) => {
    if (stream.destroyed) {
      resolve({ aborted: true });
      return;
    }
    let chunks: Uint8Array[] = [];
    let length = 0;
    let over = false;
    stream.on('data', (chunk) => {
      length += chunk.length;
      if (length <= most) chunks.push(chunk);
      else {
        over = true;
        chunks = [];
        resolve({ tooLarge: true });
      }
    });
    stream.on('end', () => {
      over = true;
      if (length <= most) resolve(joined(chunks, length));
    });
    stream.on('error', () => resolve({ aborted: true }));
    stream.on('close', () => {
      if (!over) resolve({ aborted: true });
    });
  });

/**
 * The body of a Node.js request, for an adapter to hand over: a route reads it once it knows the caller.
 * @example
 * createServer(async (request, response) => {
 *   const { method = '', url: target = '', headersDistinct: headers } = request;
 *   const route = routeFinder(mountable(kit.routes))(target);
 *   const answer = await route?.handle({ method, target, headers, body: unreadBody(request) });
 *   if (answer) response.writeHead(answer.status, answer.headers).end(nodeBody(answer));
 * });
 * @throws Error when the stream was read to its end before.
 * @public
 */
export const unreadBody = (stream: ByteStream): UnreadBody => {
  if (stream.readableEnded)
    throw new Error('The body was read before, and not kept: hand over its bytes, or let this route read them.');
  // A stream that fails before it is read must not end the process.
  stream.on('error', () => undefined);
  return { read: (maxBytes) => read(stream, maxBytes) };
};
