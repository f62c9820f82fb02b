import { type ByteStream, type HttpRequest, mountable, type Route, readBody } from '@partnerkit/core';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';

/**
 * What to mount, and how to see who calls.
 * @public
 */
export interface FastifyRoutesOptions {
  /** Of the kit, its account routes, a receiver's: everything of one host in one registration. */
  readonly routes: readonly Route[];
  /** The caller's address, for limits; behind a proxy `(request) => request.ip` with Fastify's `trustProxy`. @defaultValue the socket's */
  readonly clientAddress?: (request: FastifyRequest) => string | undefined;
}

/** Bodies stay streams until a route reads them: our parser hands on what a decompressing hook may have put in their place. */
const streamOf = (request: FastifyRequest): ByteStream | undefined =>
  request.body === undefined ? undefined : (request.body as ByteStream);

/** A body that broke off is the caller's fault: Fastify says so of its own parsers. */
const brokenOff = (cause: Error & { readonly statusCode?: number }): never => {
  throw Object.assign(cause, { statusCode: cause.statusCode ?? 400 });
};

/** The media types that Fastify can read. What it cannot, it would refuse by itself, past the host's later hooks. */
const readable = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;
/** Stands for those that it cannot, until a route reads the real one. */
const placeholder = { 'content-type': 'application/octet-stream' };

/** Node.js keeps the first of several; they are for our routes to refuse. HTTP/2 requests have no such list. */
const authorizationOf = ({ headers, raw }: FastifyRequest): string | string[] | undefined => {
  const all = raw.headersDistinct?.['authorization'];
  return all && all.length > 1 ? all : headers.authorization;
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
export const fastifyRoutes: FastifyPluginAsync<FastifyRoutesOptions> = async (scope, { routes, clientAddress }) => {
  if (scope.prefix !== '') {
    throw new TypeError(
      `fastifyRoutes: routes carry whole paths; set basePath instead of the prefix "${scope.prefix}".`,
    );
  }
  const answer = async (route: Route, request: FastifyRequest, reply: FastifyReply, stream: ByteStream | undefined) => {
    const remoteAddress = clientAddress ? clientAddress(request) : request.raw.socket.remoteAddress;
    const asked: HttpRequest = {
      method: request.raw.method ?? '',
      target: request.url,
      headers: {
        ...request.headers,
        'content-type': request.raw.headers['content-type'],
        authorization: authorizationOf(request),
      },
      body: stream ? await readBody(stream, route.maxBodyBytes).catch(brokenOff) : new Uint8Array(),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    };
    const { status, headers, body } = await route.handle(asked);
    // As bytes, since Fastify adds a charset to the type of a text; and it would give a type to no bytes.
    return reply
      .code(status)
      .headers(headers)
      .send(body === '' ? undefined : Buffer.from(body));
  };

  // Inside this registration only: the host keeps its own parsers.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

  for (const route of mountable(routes)) {
    scope.all(route.path, {
      preParsing: (request, _reply, payload, done) => {
        const type = request.headers['content-type'];
        if (type === undefined ? request.method === 'QUERY' : !readable.test(type)) request.headers = placeholder;
        done(null, payload);
      },
      handler: (request, reply) => answer(route, request, reply, streamOf(request)),
    });
  }
};
