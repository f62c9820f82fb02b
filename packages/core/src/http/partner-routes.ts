import { err, errAsync, ok, okAsync } from 'neverthrow';
import { z } from 'zod';
import { viewClient } from '../clients/client.ts';
import { assertOptions, exactly, wholeNumberSchema } from '../runtime/option-schemas.ts';
import { ask } from '../runtime/unavailable.ts';
import type { Observer } from '../signals/signal.ts';
import type { AccessTokens } from '../tokens/access-tokens.ts';
import type { Caller, createCallerCheck } from '../tokens/caller.ts';
import type { createGrant } from '../tokens/grant.ts';
import { abortedBody, parseTokenRequest } from '../tokens/token-request.ts';
import type { RouteShape, routeMaker } from './create-route.ts';
import type { RouteFailure } from './failure.ts';
import type { Metadata } from './metadata.ts';
import type { PathParams } from './path.ts';
import { jsonResponse } from './problem.ts';
import type { HttpRequest, HttpResponse, Route } from './route.ts';

/** @internal */
export interface PartnerRouteDeps {
  readonly basePath: string;
  readonly createRoute: ReturnType<typeof routeMaker>;
  readonly observe: Observer;
  readonly metadata: Metadata | undefined;
  readonly grant: ReturnType<typeof createGrant>;
  readonly checkCaller: ReturnType<typeof createCallerCheck>;
  readonly tokens: AccessTokens;
  readonly defaultScope: string | undefined;
  /** Serve what is below `basePath` below `/v1/partner` as well, and login at `/oauth/token` (specification §4.2). */
  readonly hasAliases: boolean;
}

/**
 * A route of the host's own: who calls, what was sent, and the values of the path. An answer whose headers are not in lower case, or
 * are about the connection, is a 500.
 * @public
 */
export type AccountHandler<Path extends string> = (
  caller: Caller,
  request: HttpRequest,
  params: PathParams<Path>,
) => Promise<HttpResponse | RouteFailure>;

/** Routes that take no body read none. */
const noBody = 0;
const accountPath = /^\/organisations\/:organisationId(\/(:[A-Za-z]\w*|[\w.~-]+))*$/;
const loginBytes = 8 * 1_024;
/** What a host's own routes take, unless they say less or more. */
const accountRouteBytes = 1_024 * 1_024;
const accountRouteOptions = exactly({
  maxBodyBytes: wholeNumberSchema(0).optional(),
  environments: z.array(z.string(), 'must be a list of environments.').optional(),
});

/**
 * Settings of an account route.
 * @public
 */
export interface AccountRouteOptions {
  /** The most bytes of a body that are read; more is answered 413. @defaultValue 1048576 (1 MiB) */
  readonly maxBodyBytes?: number;
  /** Serves accounts in these environments; for others the path answers 404. @defaultValue all */
  readonly environments?: readonly string[];
}

/** The server's own to write (RFC 9110 §7.6.1). */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @throws TypeError */
const assertHeaders = (headers: HttpResponse['headers']): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new TypeError('headers: a name or value that HTTP cannot carry.');
    // Beside our own length, another of the same name would go out too.
    if (/[A-Z]/.test(name)) throw new TypeError('headers: names in lower case.');
    if (ofConnection.has(name)) throw new TypeError(`headers: ${name} is for the server to write.`);
  }
};

/**
 * What a host's own handler answers, if it can be sent: a framework would refuse it with a message of its own.
 * @throws TypeError
 */
const sendable = (response: HttpResponse | RouteFailure): HttpResponse | RouteFailure => {
  if ('code' in response) {
    if (response.code !== 'refused') return response;
    if (!(response.status >= 400 && response.status <= 499)) throw new TypeError('refused: a status from 400 to 499.');
    assertHeaders(response.headers ?? {});
    return response;
  }
  const { status, headers, body } = response;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError('status: a whole number from 200 to 599.');
  assertHeaders(headers);
  if (typeof body !== 'string') throw new TypeError('body: a text.');
  return response;
};

/** The route table (specification §4). @internal */
export const partnerRoutes = ({
  basePath,
  createRoute,
  observe,
  metadata,
  grant,
  checkCaller,
  tokens,
  defaultScope,
  hasAliases,
}: PartnerRouteDeps) => {
  let hasWarned = false;
  /** A parser that ran first has judged a login: it shows a malformed one, secret included, to the host's error handler. */
  const warnOfParser = ({ body }: HttpRequest): void => {
    if (hasWarned || !('parsed' in body)) return;
    hasWarned = true;
    observe({ kind: 'login_body_parsed' });
  };

  /** Where something is served: below `basePath`, and at its aliases. */
  const at = (path: string, ...further: readonly `/${string}`[]): Pick<RouteShape, 'path' | 'aliases'> => {
    const served = `${basePath}${path}` as `/${string}`;
    const aliases = [`/v1/partner${path}` as const, ...further];
    return { path: served, aliases: hasAliases ? aliases.filter((alias) => alias !== served) : [] };
  };

  const login = (): Route =>
    createRoute({
      ...at('/login', '/oauth/token'),
      methods: ['POST'],
      maxBodyBytes: loginBytes,
      handle: async (request, _params, read) => {
        const whole = await read();
        warnOfParser(whole);
        const asked = parseTokenRequest(whole, defaultScope);
        if (asked.isErr()) return err(asked.error);
        const granted = await grant(asked.value, request.remoteAddress);
        return granted.map((response) => jsonResponse(200, response, { pragma: 'no-cache' }));
      },
    });

  const me = (): Route =>
    createRoute({
      ...at('/organisations/:organisationId/me'),
      methods: ['GET'],
      maxBodyBytes: noBody,
      handle: async (request, params) => {
        const reached = await checkCaller(request, params['organisationId'] ?? '');
        return reached.map(({ account: { id, name, status, environment } }) =>
          jsonResponse(200, { id, name, status, environment }),
        );
      },
    });

  const jwks = (): Route =>
    createRoute({
      ...at('/jwks.json'),
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

  const described = ({ path, body }: Metadata): Route =>
    createRoute({
      path,
      methods: ['GET'],
      maxBodyBytes: noBody,
      handle: () => okAsync(jsonResponse(200, body, { 'cache-control': 'public, max-age=300' })),
    });

  /** Whatever else is asked under `basePath`. */
  const rest = (): Route =>
    createRoute({ ...at('/*'), methods: [], maxBodyBytes: noBody, handle: () => errAsync({ code: 'not_found' }) });

  const routes: readonly Route[] = [
    login(),
    me(),
    ...(tokens.jwks ? [jwks()] : []),
    ...(metadata ? [described(metadata)] : []),
    rest(),
  ];

  return {
    routes,
    accountRoute: <Path extends `/organisations/:organisationId${string}`>(
      method: string,
      path: Path,
      handle: AccountHandler<Path>,
      options: AccountRouteOptions = {},
    ): Route => {
      if (!/^[A-Z]+$/.test(method)) throw new TypeError('accountRoute: the method in capitals.');
      if (!/^\/organisations\/:organisationId(\/|$)/.test(path))
        throw new TypeError(
          `accountRoute: "${path}" must begin with "/organisations/:organisationId", by which the caller's reach is checked; basePath is added before it.`,
        );
      if (!accountPath.test(path))
        throw new TypeError(`accountRoute: "${path}" holds a segment that is neither plain nor a ":name".`);
      if (typeof handle !== 'function')
        throw new TypeError('accountRoute: the third argument handles the request: a function.');
      assertOptions('accountRoute', accountRouteOptions, options);
      const { maxBodyBytes = accountRouteBytes, environments } = options;
      return createRoute({
        ...at(path),
        methods: [method],
        maxBodyBytes,
        handle: async (head, params, read) => {
          // A body costs memory: it is read once the caller is known.
          const reached = await checkCaller(head, params['organisationId'] ?? '');
          if (reached.isErr()) return err(reached.error);
          if (environments?.includes(reached.value.account.environment) === false) return err({ code: 'not_found' });
          const request = await read();
          if ('tooLarge' in request.body) return err({ code: 'too_large' });
          if ('aborted' in request.body) return err({ code: 'bad_request', detail: abortedBody });
          const { client, account, scope } = reached.value;
          const caller = { client: viewClient(client), account, scope };
          // The matcher of this very path made the parameters.
          const answer = sendable(await handle(caller, request, params as PathParams<Path>));
          return 'code' in answer ? err(answer) : ok(answer);
        },
      });
    },
  };
};
