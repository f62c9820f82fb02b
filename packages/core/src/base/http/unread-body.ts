import type { RequestBody, UnreadBody } from './route.ts';

/** The members of a Node.js readable stream that core uses. @public */
export interface ByteStream {
  /** Whether it was read to its end. */
  readonly readableEnded?: boolean;
  /** Whether it was destroyed. */
  readonly destroyed?: boolean;
  /** Listens to chunks. */
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  /** Listens to its end. */
  on(event: 'end' | 'close', listener: () => void): unknown;
  /** Listens to errors. */
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
 * Reads a body up to `maxBytes`. Bytes beyond are discarded, so that the response can be sent and the connection
 * reused. An aborted body resolves to `aborted`: it is not an error of the host.
 */
const read = (stream: ByteStream, maxBytes: number): Promise<RequestBody> =>
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
      if (length <= maxBytes) chunks.push(chunk);
      else {
        over = true;
        chunks = [];
        resolve({ tooLarge: true });
      }
    });
    stream.on('end', () => {
      over = true;
      if (length <= maxBytes) resolve(joined(chunks, length));
    });
    stream.on('error', () => resolve({ aborted: true }));
    stream.on('close', () => {
      if (!over) resolve({ aborted: true });
    });
  });

/**
 * The body of a Node.js request, for adapters. A route reads it after it has authenticated the caller.
 * @example
 * createServer(async (request, response) => {
 *   const { method = '', url: target = '', headersDistinct: headers } = request;
 *   const route = routeFinder(mountRoutes(kit.routes))(target);
 *   const answer = await route?.handle({ method, target, headers, body: unreadBody(request) });
 *   if (answer) response.writeHead(answer.status, answer.headers).end(nodeBody(answer));
 * });
 * @throws Error when the stream was already read to its end.
 * @public
 */
export const unreadBody = (stream: ByteStream): UnreadBody => {
  if (stream.readableEnded)
    throw new Error('The body was read before, and not kept: hand over its bytes, or let this route read them.');
  // Without a listener, an error before the read would end the process.
  stream.on('error', () => undefined);
  return { read: (maxBytes) => read(stream, maxBytes) };
};
