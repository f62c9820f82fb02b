import type { HttpResponse, RequestBody, Route } from '@partnerkit/core';
import {
  assertOptionNames,
  type IncomingRequest,
  mountRoutes,
  type OptionKind,
  routeFinder,
} from '@partnerkit/core/adapter';

/**
 * Information about a request that a standard `Request` does not contain.
 * @public
 */
export interface WebRequestInfo {
  /** Address of the caller, for limits. @defaultValue unknown: all callers share the limits of one address */
  readonly remoteAddress?: string | undefined;
}

/**
 * Options of {@link webHandler}.
 * @public
 */
export interface WebHandlerOptions {
  /**
   * Whether a path may end in a slash, as with `trailingSlash` of Next.js. Routes are found with and without it.
   * @defaultValue false: such a path is another one, and 404
   */
  readonly trailingSlash?: boolean;
}

const optionNames = { trailingSlash: 'boolean' } as const satisfies Record<keyof WebHandlerOptions, OptionKind>;

/** A target without the slash at the end of its path. */
const withoutSlash = (target: string): string => target.replace(/^([^?#]+)\/(?=$|[?#])/, '$1');

const readBody = async (stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<RequestBody> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length;
      if (length > maxBytes) {
        // An error of the cancellation does not change the result.
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

/** `Response` adds a content type to a text without one, but not to bytes. */
const responseBody = ({ status, headers, body }: HttpResponse): string | Uint8Array<ArrayBuffer> | null => {
  if (body === '' || status === 204 || status === 205 || status === 304) return null;
  return 'content-type' in headers ? body : new TextEncoder().encode(body);
};

/**
 * Serves routes with the standard `Request` and `Response`: Hono, Next.js, Bun, Deno, workers. Resolves to `undefined`
 * when no route has the path.
 * @example
 * const app = new Hono();
 * const handle = webHandler(kit.routes);
 * app.use(async (context, next) => (await handle(context.req.raw)) ?? next());
 * @throws TypeError for a kit in place of its routes, or an option that is unknown or wrong.
 * @public
 */
export const webHandler = (
  routes: readonly Route[],
  options: WebHandlerOptions = {},
): ((request: Request, info?: WebRequestInfo) => Promise<Response | undefined>) => {
  assertOptionNames('webHandler', options, optionNames);
  const find = routeFinder(mountRoutes(routes));
  return async (request, { remoteAddress } = {}) => {
    // Without `new URL`, which would normalize and encode the path.
    const sent = request.url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
    const stripped = options.trailingSlash === true ? withoutSlash(sent) : sent;
    // The slash of `basePath/` is its own.
    const target = find(stripped) ? stripped : sent;
    const route = find(target);
    if (!route) return undefined;
    const answered = await route.handle({
      method: request.method,
      target,
      headers: Object.fromEntries(request.headers),
      body: bodyOf(request),
      remoteAddress,
      isClosed: () => request.signal.aborted,
    });
    return new Response(responseBody(answered), { status: answered.status, headers: answered.headers });
  };
};
