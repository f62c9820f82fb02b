import { errAsync, ResultAsync } from 'neverthrow';
import { ask } from '../runtime/unavailable.ts';
import type { AccessTokens } from '../tokens/access-tokens.ts';
import type { Caller, createCallerCheck } from '../tokens/caller.ts';
import type { createGrant } from '../tokens/grant.ts';
import { parseTokenRequest } from '../tokens/token-request.ts';
import type { routeMaker } from './create-route.ts';
import type { PathParams } from './path.ts';
import { jsonResponse } from './problem.ts';
import type { HttpRequest, HttpResponse, Route } from './route.ts';

/** @internal */
export interface PartnerRouteDeps {
  readonly basePath: string;
  readonly createRoute: ReturnType<typeof routeMaker>;
  readonly grant: ReturnType<typeof createGrant>;
  readonly checkCaller: ReturnType<typeof createCallerCheck>;
  readonly tokens: AccessTokens;
  readonly defaultScope: string | undefined;
  /** Serve `/v1/partner/…` and `/oauth/token` as well (specification §4.2). */
  readonly aliases: boolean;
}

/**
 * A route of the host's own: who calls, what was sent, and the values of the path.
 * @public
 */
export type AccountHandler<Path extends string> = (
  caller: Caller,
  request: HttpRequest,
  params: PathParams<Path>,
) => Promise<HttpResponse>;

/** Bodies of routes that take none are not read past this. */
const noBody = 0;
const accountPath = /^\/organisations\/:organisationId(\/(:[A-Za-z]\w*|[\w.~-]+))*$/;
const loginBytes = 8 * 1_024;
/** What a host's own routes take. */
const accountRouteBytes = 1_024 * 1_024;

/**
 * What a host's own handler answers, if it can be sent: a framework would refuse it with a message of its own.
 * @throws TypeError
 */
const sendable = (response: HttpResponse): HttpResponse => {
  const { status, headers, body } = response;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError('status: a whole number from 200 to 599.');
  const wrong = Object.entries(headers).find(
    ([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
  if (wrong) throw new TypeError('headers: a name or value that HTTP cannot carry.');
  if (typeof body !== 'string') throw new TypeError('body: a text.');
  return response;
};

/** The route table (specification §4). @internal */
export const partnerRoutes = ({
  basePath,
  createRoute,
  grant,
  checkCaller,
  tokens,
  defaultScope,
  aliases,
}: PartnerRouteDeps) => {
  const login = (path: `/${string}`): Route =>
    createRoute({
      path,
      methods: ['POST'],
      maxBodyBytes: loginBytes,
      handle: (request) =>
        parseTokenRequest(request, defaultScope)
          .asyncAndThen((asked) => grant(asked, request.remoteAddress))
          .map((response) => jsonResponse(200, response, { pragma: 'no-cache' })),
    });

  const accountRoute = (
    path: `/${string}`,
    method: string,
    maxBodyBytes: number,
    respond: (caller: Caller, request: HttpRequest, params: Readonly<Record<string, string>>) => Promise<HttpResponse>,
  ): Route =>
    createRoute({
      path,
      methods: [method],
      maxBodyBytes,
      handle: (request, params) =>
        checkCaller(request.headers, params['organisationId'] ?? '').andThen((caller) => {
          if ('tooLarge' in request.body && maxBodyBytes > noBody) return errAsync({ code: 'too_large' as const });
          return ResultAsync.fromPromise(respond(caller, request, params).then(sendable), (cause) => ({
            code: 'internal' as const,
            cause,
          }));
        }),
    });

  const me = (path: `/${string}`): Route =>
    accountRoute(path, 'GET', noBody, async ({ account: { id, name, status, environment } }) =>
      jsonResponse(200, { id, name, status, environment }),
    );

  const jwks = (): Route =>
    createRoute({
      path: `${basePath}/jwks.json` as `/${string}`,
      methods: ['GET'],
      maxBodyBytes: noBody,
      handle: () =>
        ask(async () => tokens.jwks?.()).map((keys) =>
          jsonResponse(200, keys, {
            'content-type': 'application/jwk-set+json',
            'cache-control': 'public, max-age=300',
          }),
        ),
    });

  /** Whatever else is asked under `basePath`. */
  const rest = (path: `/${string}`): Route =>
    createRoute({ path, methods: [], maxBodyBytes: noBody, handle: () => errAsync({ code: 'not_found' }) });

  const routes: readonly Route[] = [
    login(`${basePath}/login` as `/${string}`),
    me(`${basePath}/organisations/:organisationId/me` as `/${string}`),
    ...(tokens.jwks ? [jwks()] : []),
    rest(`${basePath}/*` as `/${string}`),
    ...(aliases
      ? [login('/oauth/token'), me('/v1/partner/organisations/:organisationId/me'), rest('/v1/partner/*')]
      : []),
  ];

  return {
    routes,
    accountRoute: <Path extends `/organisations/:organisationId${string}`>(
      method: string,
      path: Path,
      handle: AccountHandler<Path>,
    ): Route => {
      if (!/^[A-Z]+$/.test(method)) throw new TypeError('accountRoute: the method in capitals.');
      if (!accountPath.test(path))
        throw new TypeError(`accountRoute: "${path}" holds a segment that is neither plain nor a ":name".`);
      return accountRoute(`${basePath}${path}` as `/${string}`, method, accountRouteBytes, (caller, request, params) =>
        // The matcher of this very path made them.
        handle(caller, request, params as PathParams<Path>),
      );
    },
  };
};
