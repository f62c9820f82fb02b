import type { RequestBody } from './route.ts';

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

/** A body that breaks off is the caller's fault; frameworks read it from the error. */
const brokenOff = (cause: Error & { readonly statusCode?: number }): Error =>
  Object.assign(cause, { statusCode: cause.statusCode ?? 400 });
const closedEarly = (): Error => brokenOff(new Error('The connection closed before the whole body had come.'));

/**
 * Reads a body up to `most` bytes: what an adapter does with the stream of its framework. What comes after is let pass
 * unread, so that the answer can be sent and the connection be used again. Rejects with a `statusCode` of 400 when the body
 * breaks off, without one when it was read before.
 * @example
 * createServer(async (request) => {
 *   const body = await readBody(request, 8_192);
 *   if ('tooLarge' in body) request.destroy();
 * });
 * @public
 */
export const readBody = (stream: ByteStream, most: number): Promise<RequestBody> =>
  new Promise((resolve, reject) => {
    if (stream.readableEnded) {
      reject(new Error('The body was read before, and not kept: hand over its bytes, or let this route read them.'));
      return;
    }
    if (stream.destroyed) {
      reject(closedEarly());
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
    stream.on('error', (cause) => reject(brokenOff(cause)));
    stream.on('close', () => {
      // Every request comes here, and an error with its stack costs more than to read a body.
      if (!over) reject(closedEarly());
    });
  });
