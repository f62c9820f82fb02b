import {
  type HttpResponse,
  type IncomingRequest,
  mountable,
  type RequestBody,
  type Route,
  routeFinder,
} from '@partnerkit/core';

/**
 * What a runtime knows of a request beside the request.
 * @public
 */
export interface WebRequestInfo {
  /** The caller's address, for limits. A standard `Request` does not tell it. */
  readonly remoteAddress?: string | undefined;
}

const readBody = async (stream: ReadableStream<Uint8Array>, most: number): Promise<RequestBody> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length;
      if (length > most) {
        // The answer does not depend on how a stream is given up.
        reader.cancel().catch(() => undefined);
        return { tooLarge: true };
      }
      chunks.push(read.value);
    }
  } catch {
    return { aborted: true };
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
};

const noBytes = new Uint8Array();

const bodyOf = ({ bodyUsed, body }: Request): IncomingRequest['body'] => {
  if (bodyUsed)
    throw new TypeError('webHandler: the body was read before; hand over the request untouched, or a clone of it.');
  return body ? { read: (maxBytes) => readBody(body, maxBytes) } : noBytes;
};

/** To a text, `Response` gives a type of its own where it has none; to bytes it does not. */
const responseBody = ({ status, headers, body }: HttpResponse): string | Uint8Array<ArrayBuffer> | null => {
  if (body === '' || status === 204 || status === 205 || status === 304) return null;
  return 'content-type' in headers ? body : new TextEncoder().encode(body);
};

/**
 * Serves routes where requests and responses are the standard ones: Hono, Next.js, Bun, Deno, workers. Resolves to
 * `undefined` for a path that is none of the routes'.
 * @example
 * const app = new Hono();
 * const handle = webHandler(kit.routes);
 * app.use(async (context, next) => (await handle(context.req.raw)) ?? next());
 * @public
 */
export const webHandler = (
  routes: readonly Route[],
): ((request: Request, info?: WebRequestInfo) => Promise<Response | undefined>) => {
  const find = routeFinder(mountable(routes));
  return async (request, { remoteAddress } = {}) => {
    // Not by `new URL`, which would resolve and encode anew what was sent.
    const target = request.url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
    const route = find(target);
    if (!route) return undefined;
    const answered = await route.handle({
      method: request.method,
      target,
      headers: Object.fromEntries(request.headers),
      body: bodyOf(request),
      remoteAddress,
    });
    return new Response(responseBody(answered), { status: answered.status, headers: answered.headers });
  };
};
