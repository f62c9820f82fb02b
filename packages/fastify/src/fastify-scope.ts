import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * The members of a Fastify request that the routes read.
 * @public
 */
export interface FastifyRequestLike {
  /** The body, as the parser left it. */
  readonly body: unknown;
  headers: IncomingHttpHeaders;
  /** Address of the caller; with `trustProxy`, as the proxy reports it. */
  readonly ip: string;
  /** The request of Node.js. */
  readonly raw: IncomingMessage;
  /** Raw path and query. */
  readonly url: string;
}

/**
 * The members of a Fastify reply that the routes call.
 * @public
 */
export interface FastifyReplyLike {
  /** Sets the status. */
  code(status: number): FastifyReplyLike;
  /** Sets headers. */
  headers(values: Readonly<Record<string, string>>): FastifyReplyLike;
  /** Sets the serializer; `null`: that of Fastify. */
  serializer(serialize: ((text: string) => string) | null): FastifyReplyLike;
}

/**
 * Passes a body on, or fails.
 * @public
 */
export type FastifyBodyDone = (error: Error | null, body?: Readable) => void;

/**
 * The members of a Fastify 5 instance that the routes call. A structural type, because NestJS pins its own copy of
 * Fastify, whose types differ.
 * @public
 */
export interface FastifyScope {
  /** Prefix of the registration; must be empty. */
  readonly prefix: string;
  /** Removes the parsers of this registration. */
  removeAllContentTypeParsers(): unknown;
  /** Adds a parser. */
  addContentTypeParser(
    type: string,
    parse: (request: FastifyRequestLike, body: Readable, done: FastifyBodyDone) => void,
  ): unknown;
  /** Adds a route for every method. */
  all(
    path: string,
    hooks: {
      /** Runs before the body is parsed; it passes `done` the stream to parse. */
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
