import type { Route } from '@partnerkit/core';
import {
  assertOptionNames,
  type IncomingRequest,
  mountRoutes,
  nodeBody,
  type OptionKind,
  repeatedHeaders,
  routeFinder,
  unreadBody,
} from '@partnerkit/core/adapter';
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { mountedTwice } from './mounted-twice.ts';

/**
 * Options of {@link expressRouter}.
 * @public
 */
export interface ExpressRouterOptions {
  /**
   * Returns the address of the caller, for limits. Behind a proxy, use `(request) => request.ip` with `trust proxy`.
   * @defaultValue the address of the socket
   */
  readonly clientAddress?: (request: Request) => string | undefined;
}

const optionNames = { clientAddress: 'function' } as const satisfies Record<keyof ExpressRouterOptions, OptionKind>;
const noBytes = new Uint8Array();

/** The bytes that a parser before kept: Cloud Functions does, and `verify` of `express.json` can. */
const rawBodyOf = (request: object): Uint8Array | undefined =>
  'rawBody' in request && ArrayBuffer.isView(request.rawBody) ? (request.rawBody as Uint8Array) : undefined;

/** A body parser that ran before has consumed the stream. A body of GET or HEAD has no meaning (RFC 9110 §9.3.1). */
const bodyOf = (request: Request): IncomingRequest['body'] => {
  if (request.method === 'GET' || request.method === 'HEAD') return noBytes;
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  if (length === '0' && coding === undefined) return noBytes;
  const rawBody = rawBodyOf(request);
  if (rawBody) return rawBody;
  const parsed: unknown = request.body;
  if (ArrayBuffer.isView(parsed)) return parsed as Uint8Array;
  return parsed === undefined ? unreadBody(request) : { parsed };
};

const express4 = 'expressRouter: this is Express 4, and the routes need Express 5: npm install express@5.';

/**
 * Mounts routes on Express 5, each as a route of the router, visible to middleware and logs of the host. Use it without
 * a path: the routes have absolute paths. Use it before body parsers: a parser that runs first passes malformed logins,
 * secret included, to the host's error handler.
 *
 * Each request fails with a TypeError when the router is mounted at a path, beside another one with the same path, or
 * in an app of Express 4.
 * @example
 * const app = express();
 * app.use(expressRouter(kit.routes));
 * @throws TypeError for a kit in place of its routes, an unknown option, or Express 4.
 * @public
 */
export const expressRouter = (routes: readonly Route[], options: ExpressRouterOptions = {}): Router => {
  assertOptionNames('expressRouter', options, optionNames);
  const { clientAddress } = options;
  const answer = async (route: Route, request: Request, response: Response): Promise<void> => {
    const answered = await route.handle({
      method: request.method,
      target: request.originalUrl,
      headers: repeatedHeaders(request.headers, request.rawHeaders),
      body: bodyOf(request),
      remoteAddress: clientAddress ? clientAddress(request) : request.socket.remoteAddress,
      isClosed: () => request.socket.destroyed,
    });
    // Written directly: `response.json` and the etag cost as much as a whole login.
    response.writeHead(answered.status, answered.headers).end(nodeBody(answered));
  };

  const mounted = mountRoutes(routes);
  const find = routeFinder(mounted);
  const refuse: ErrorRequestHandler = (error, request, response, next) => {
    const route = Object(error).name === 'URIError' ? find(request.originalUrl) : undefined;
    return route ? answer(route, request, response) : next(error);
  };

  const router = Router({ caseSensitive: true, strict: true });
  if ('process_params' in router) throw new TypeError(express4);
  const findTwice = mountedTwice(
    router,
    mounted.map(({ path }) => path),
  );
  const mountError = ({ baseUrl, app }: Request): TypeError | undefined => {
    // Its `router` throws.
    if ('lazyrouter' in app) return new TypeError(express4);
    // Below a path no route matches, and the host would only answer 404.
    if (baseUrl !== '')
      return new TypeError(
        `expressRouter: routes carry whole paths; set api.basePath instead of mounting at "${baseUrl}".`,
      );
    const twice = findTwice(app);
    if (twice === undefined) return undefined;
    return new TypeError(
      `expressRouter: two routers of this app serve "${twice}"; ` +
        'call expressRouter once with all routes, or give each kit its own basePath.',
    );
  };
  router.use((request, _response, next) => next(mountError(request)));
  for (const route of mounted) {
    router.all(route.path.replace(/\*$/, '{*rest}'), (request, response) => answer(route, request, response));
  }
  // The router decodes parameters before any handler runs. Our routes answer those that it cannot decode.
  router.use(refuse);
  return router;
};
