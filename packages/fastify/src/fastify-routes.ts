import {
  type ByteStream,
  type HttpHeaders,
  mountable,
  nodeBody,
  type Route,
  repeatedHeaders,
  unreadBody,
} from '@partnerkit/core';
import type { FastifyReplyLike, FastifyRequestLike, FastifyScope } from './fastify-scope.ts';

/**
 * What to mount, and how to see who calls.
 * @public
 */
export interface FastifyRoutesOptions {
  /** Of the kit, its account routes, a receiver's: everything of one host in one registration. */
  readonly routes: readonly Route[];
  /** The caller's address, for limits; behind a proxy `(request) => request.ip` with Fastify's `trustProxy`. @defaultValue the socket's */
  // A method, so that a host may also hand over a function of its own `FastifyRequest`.
  clientAddress?(request: FastifyRequestLike): string | undefined;
}

/** Bodies stay streams until a route reads them: our parser hands on what a decompressing hook may have put in their place. */
const streamOf = (request: FastifyRequestLike): ByteStream | undefined =>
  request.body === undefined ? undefined : (request.body as ByteStream);

/** The media types that Fastify can read. What it cannot, it would refuse by itself, past the host's later hooks. */
const readable = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
/** Stands for those that it cannot, until a route reads the real one. */
const placeholder = { 'content-type': 'application/octet-stream' };

/** What was sent: the real media type, and each line of what may be sent once. */
const headersOf = ({ headers, raw }: FastifyRequestLike): HttpHeaders => {
  const sent = headers === raw.headers ? headers : { ...headers, 'content-type': raw.headers['content-type'] };
  return repeatedHeaders(sent, raw.rawHeaders);
};

const noBytes = new Uint8Array();
/**
 * A serializer of our own keeps Fastify from adding a charset to the type of a text. It is for that text alone: what a host answers
 * when a hook fails after it is Fastify's to serialize, which has `null` where there is none.
 */
const sendAsItIs = (reply: FastifyReplyLike): void => {
  reply.serializer((text: string) => {
    reply.serializer(null as never);
    return text;
  });
};

/**
 * Mounts routes on Fastify 5, each as a native route: hooks and logs of the host see them. Register it without a prefix,
 * since the routes carry whole paths.
 * @example
 * const app = fastify();
 * await app.register(fastifyRoutes, { routes: kit.routes });
 * @throws TypeError when it is registered under a prefix.
 * @public
 */
export const fastifyRoutes = async (
  scope: FastifyScope,
  { routes, clientAddress }: FastifyRoutesOptions,
): Promise<void> => {
  if (scope.prefix !== '') {
    throw new TypeError(
      `fastifyRoutes: routes carry whole paths; set basePath instead of the prefix "${scope.prefix}".`,
    );
  }
  /** Resolves to what Fastify is to send: an answer without a body has nothing, as Fastify would give a type to an empty text. */
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
      body: stream ? unreadBody(stream) : noBytes,
      remoteAddress: clientAddress ? clientAddress(request) : request.raw.socket.remoteAddress,
    });
    reply.code(answered.status).headers(answered.headers);
    if (answered.body === '') return undefined;
    const body = nodeBody(answered);
    // Bytes, and a text without a type, are never shown to a serializer.
    if (typeof body === 'string' && 'content-type' in answered.headers) sendAsItIs(reply);
    return body;
  };

  // Inside this registration only: the host keeps its own parsers.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

  for (const route of mountable(routes)) {
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
  }
};
