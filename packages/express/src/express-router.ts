import {
  assertOptionNames,
  type IncomingRequest,
  mountable,
  nodeBody,
  type Route,
  repeatedHeaders,
  routeFinder,
  unreadBody,
} from '@partnerkit/core';
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';

/**
 * How to see who calls.
 * @public
 */
export interface ExpressRouterOptions {
  /** The caller's address, for limits; behind a proxy `(request) => request.ip` with Express's `trust proxy`. @defaultValue the socket's */
  readonly clientAddress?: (request: Request) => string | undefined;
}

const optionNames: Readonly<Record<keyof ExpressRouterOptions, true>> = { clientAddress: true };
const noBytes = new Uint8Array();

/** A body parser of the host that ran before us has taken the stream. A body of GET or HEAD means nothing (RFC 9110 §9.3.1). */
const bodyOf = (request: Request): IncomingRequest['body'] => {
  if (request.method === 'GET' || request.method === 'HEAD') return noBytes;
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  if (length === '0' && coding === undefined) return noBytes;
  const taken: unknown = request.body;
  if (taken instanceof Uint8Array) return taken;
  return taken === undefined ? unreadBody(request) : { parsed: taken };
};

/**
 * Mounts routes on Express 5, each as a route of the router: middleware and logs of the host see them. Use it without a
 * path, since the routes carry whole paths, and before body parsers: one that runs first hands malformed logins, secret
 * included, to the host's error handler.
 * @example
 * const app = express();
 * app.use(expressRouter(kit.routes));
 * @throws TypeError when it is handed the kit in place of its routes, or an unknown option.
 * @public
 */
export const expressRouter = (routes: readonly Route[], options: ExpressRouterOptions = {}): Router => {
  assertOptionNames('expressRouter', options, optionNames);
  const { clientAddress } = options;
  const answer = async (route: Route, request: Request, response: Response): Promise<void> => {
    if (request.baseUrl !== '') {
      throw new TypeError(
        `expressRouter: routes carry whole paths; set basePath instead of mounting at "${request.baseUrl}".`,
      );
    }
    const answered = await route.handle({
      method: request.method,
      target: request.originalUrl,
      headers: repeatedHeaders(request.headers, request.rawHeaders),
      body: bodyOf(request),
      remoteAddress: clientAddress ? clientAddress(request) : request.socket.remoteAddress,
    });
    // Written as it is: `response.json` and the etag cost as much as a whole login.
    response.writeHead(answered.status, answered.headers).end(nodeBody(answered));
  };

  const mounted = mountable(routes);
  const find = routeFinder(mounted);
  const refuse: ErrorRequestHandler = (error, request, response, next) => {
    const route = error instanceof URIError ? find(request.originalUrl) : undefined;
    return route ? answer(route, request, response) : next(error);
  };

  const router = Router({ caseSensitive: true, strict: true });
  for (const route of mounted) {
    router.all(route.path.replace(/\*$/, '{*rest}'), (request, response) => answer(route, request, response));
  }
  // The router decodes parameters before any handler runs: what it cannot decode is for our routes to refuse.
  router.use(refuse);
  return router;
};
