import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * What the routes read of a request of Fastify.
 * @public
 */
export interface FastifyRequestLike {
  readonly body: unknown;
  headers: IncomingHttpHeaders;
  /** The caller's address; with `trustProxy` the one that the proxy names. */
  readonly ip: string;
  readonly raw: IncomingMessage;
  readonly url: string;
}

/**
 * What the routes call of a reply of Fastify.
 * @public
 */
export interface FastifyReplyLike {
  code(status: number): FastifyReplyLike;
  headers(values: Readonly<Record<string, string>>): FastifyReplyLike;
  serializer(serialize: (text: string) => string): FastifyReplyLike;
}

/**
 * Hands a body on, or refuses it.
 * @public
 */
export type FastifyBodyDone = (error: Error | null, body?: Readable) => void;

/**
 * What the routes call of a Fastify 5 instance. NestJS pins a Fastify of its own: the types of two copies differ, but
 * both have these members.
 * @public
 */
export interface FastifyScope {
  readonly prefix: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parse: (request: FastifyRequestLike, body: Readable, done: FastifyBodyDone) => void,
  ): unknown;
  all(
    path: string,
    hooks: {
      readonly preParsing: (
        request: FastifyRequestLike,
        reply: FastifyReplyLike,
        body: Readable,
        done: FastifyBodyDone,
      ) => void;
    },
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown;
}
