import type { HttpHeaders, Route } from '@partnerkit/core';
import { type ByteStream, mountRoutes, nodeBody, repeatedHeaders, unreadBody } from '@partnerkit/core/adapter';
import type { FastifyReplyLike, FastifyRequestLike, FastifyScope } from './fastify-scope.ts';

/**
 * Options of {@link fastifyRoutes}.
 * @public
 */
export interface FastifyRoutesOptions {
  /** All routes of the host: those of the kit, account routes and those of a receiver. */
  readonly routes: readonly Route[];
  /**
   * Returns the address of the caller, for limits. Behind a proxy, use `(request) => request.ip` with `trustProxy`.
   * @defaultValue the address of the socket
   */
  // A method, so that it also accepts a function of the host's own `FastifyRequest`.
  clientAddress?(request: FastifyRequestLike): string | undefined;
}

/** The body stream. Our parser passes it on, including a stream that a decompressing hook put in its place. */
const streamOf = (request: FastifyRequestLike): ByteStream | undefined =>
  request.body === undefined ? undefined : (request.body as ByteStream);

/** Media types that Fastify can parse. It would refuse others itself, before later hooks of the host. */
const readable = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
/** Replaces a media type that Fastify cannot parse; routes read the real one. */
const placeholder = { 'content-type': 'application/octet-stream' };

/** The headers as sent: with the real media type and with repeated lines. */
const headersOf = ({ headers, raw }: FastifyRequestLike): HttpHeaders => {
  const sent = headers === raw.headers ? headers : { ...headers, 'content-type': raw.headers['content-type'] };
  return repeatedHeaders(sent, raw.rawHeaders);
};

const noBytes = new Uint8Array();

/** The bytes that were read before Fastify got the request, as Cloud Functions does. */
const rawBodyOf = (request: object): Uint8Array | undefined =>
  'rawBody' in request && ArrayBuffer.isView(request.rawBody) ? (request.rawBody as Uint8Array) : undefined;
/**
 * Sets a serializer, so that Fastify does not add a charset to the type of a text. It serves once: the response of a
 * later failing hook has Fastify's serializer again, which is `null`.
 */
const sendUnchanged = (reply: FastifyReplyLike): void => {
  reply.serializer((text: string) => {
    reply.serializer(null);
    return text;
  });
};

/**
 * Mounts routes on Fastify 5, each as a native route, visible to hooks and logs of the host. Register it without a
 * prefix: the routes have absolute paths.
 * @example
 * const app = fastify();
 * await app.register(fastifyRoutes, { routes: kit.routes });
 * @throws TypeError when it is registered under a prefix, or when the app has one of its paths already.
 * @public
 */
export const fastifyRoutes = async (
  scope: FastifyScope,
  { routes, clientAddress }: FastifyRoutesOptions,
): Promise<void> => {
  if (scope.prefix !== '') {
    throw new TypeError(
      `fastifyRoutes: routes carry whole paths; set api.basePath instead of the prefix "${scope.prefix}".`,
    );
  }
  /**
   * Resolves to the payload for Fastify: `undefined` for an empty body, since Fastify would add a type to an empty
   * text.
   */
  const answer = async (
    route: Route,
    request: FastifyRequestLike,
    reply: FastifyReplyLike,
    stream: ByteStream | undefined,
  ) => {
    const answered = await route.handle({
      method: request.raw.method ?? '',
      target: request.url,
      headers: headersOf(request),
      body: rawBodyOf(request.raw) ?? (stream ? unreadBody(stream) : noBytes),
      remoteAddress: clientAddress ? clientAddress(request) : request.raw.socket.remoteAddress,
      isClosed: () => request.raw.socket.destroyed,
    });
    reply.code(answered.status).headers(answered.headers);
    if (answered.body === '') return undefined;
    const body = nodeBody(answered);
    // Fastify does not serialize bytes, nor a text without a type.
    if (typeof body === 'string' && 'content-type' in answered.headers) sendUnchanged(reply);
    return body;
  };

  // Affects this registration only; the host keeps its own parsers.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

  const mount = (route: Route): unknown =>
    scope.all(
      route.path,
      {
        preParsing: (request, _reply, body, done) => {
          const type = request.headers['content-type'];
          if (type === undefined ? request.raw.method === 'QUERY' : !readable.test(type)) request.headers = placeholder;
          done(null, body);
        },
      },
      (request, reply) => answer(route, request, reply, streamOf(request)),
    );
  for (const route of mountRoutes(routes)) {
    try {
      mount(route);
    } catch (cause) {
      if (Object(cause).code !== 'FST_ERR_DUPLICATED_ROUTE') throw cause;
      throw new TypeError(
        `fastifyRoutes: this app serves "${route.path}" already; ` +
          'register fastifyRoutes once with all routes, or give each kit its own basePath.',
        { cause },
      );
    }
  }
};
