import { err, errAsync, ok, okAsync, ResultAsync } from 'neverthrow';
import { z } from 'zod';
import { viewClient } from '../clients/client.ts';
import { callPort } from '../runtime/call-port.ts';
import { assertOptions, exactly, wholeNumberSchema } from '../runtime/option-schemas.ts';
import type { Observer } from '../signals/signal.ts';
import type { AccessTokens } from '../tokens/access-tokens.ts';
import type { createGrant } from '../tokens/grant.ts';
import type { Caller, createCallerCheck, Reached } from './caller.ts';
import type { createRouteFactory, RouteShape } from './create-route.ts';
import type { HttpFailure, RouteFailure } from './failure.ts';
import type { Metadata } from './metadata.ts';
import type { AccountOperation } from './operation.ts';
import { jwksOperation, loginOperation, meOperation, metadataOperation } from './partner-operations.ts';
import type { PathParams } from './path.ts';
import { jsonResponse } from './problem.ts';
import type { Authenticate, createRefusal, RefusedRequest } from './refusal.ts';
import type { HttpRequest, HttpResponse, Route } from './route.ts';
import { abortedBody, parseTokenRequest } from './token-request.ts';

/** @internal */
export interface PartnerRouteDeps {
  readonly basePath: string;
  readonly createRoute: ReturnType<typeof createRouteFactory>;
  readonly refuse: ReturnType<typeof createRefusal>;
  readonly observe: Observer;
  readonly metadata: Metadata | undefined;
  readonly grant: ReturnType<typeof createGrant>;
  readonly checkCaller: ReturnType<typeof createCallerCheck>;
  readonly tokens: AccessTokens;
  readonly defaultScope: string | undefined;
  /** Whether to serve all paths below `/v1/partner` too, and login at `/oauth/token` (specification §4.2). */
  readonly hasAliases: boolean;
}

/**
 * Handles a request of a host's route, with the caller, the request and the values of the path. A response whose header
 * names are not in lower case, or concern the connection, becomes a 500.
 * @public
 */
export type AccountHandler<Path extends string> = (
  caller: Caller,
  request: HttpRequest,
  params: PathParams<Path>,
) => Promise<HttpResponse | RouteFailure>;

/** `maxBodyBytes` of routes without a body. */
const noBody = 0;
const accountPath = /^\/organisations\/:organisationId(\/(:[A-Za-z]\w*|[\w.~-]+))*$/;
const loginBytes = 8 * 1_024;
/** Default of `maxBodyBytes` of a host's routes. */
const accountRouteBytes = 1_024 * 1_024;
const accountRouteOptions = exactly({
  maxBodyBytes: wholeNumberSchema(0).optional(),
  environments: z.array(z.string(), 'must be a list of environments.').optional(),
  operation: z
    .looseObject({ operationId: z.string(), summary: z.string(), tag: z.string(), responses: z.looseObject({}) })
    .optional(),
});

/**
 * Options of an account route.
 * @public
 */
export interface AccountRouteOptions {
  /** Maximum size of the body in bytes; a larger body gets 413. @defaultValue 1048576 (1 MiB) */
  readonly maxBodyBytes?: number;
  /** The environments whose accounts it serves; accounts of others get 404. @defaultValue all */
  readonly environments?: readonly string[];
  /** Describes it for the OpenAPI document. @defaultValue none: the document leaves the route out */
  readonly operation?: AccountOperation;
}

/** Makes a route of the host: `kit.accountRoute`. @internal */
export type AccountRoute = <Path extends `/organisations/:organisationId${string}`>(
  method: string,
  path: Path,
  handle: AccountHandler<Path>,
  options?: AccountRouteOptions,
) => Route;

/** Headers that only the server writes (RFC 9110 §7.6.1). */
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
    // A second content-length would be sent beside ours.
    if (/[A-Z]/.test(name)) throw new TypeError('headers: names in lower case.');
    if (ofConnection.has(name)) throw new TypeError(`headers: ${name} is for the server to write.`);
  }
};

/**
 * Checks the result of a host's handler. Otherwise a framework would refuse it with a message of its own.
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
  refuse,
  observe,
  metadata,
  grant,
  checkCaller,
  tokens,
  defaultScope,
  hasAliases,
}: PartnerRouteDeps) => {
  let hasSignalled = false;
  /** Signals a parser that runs first: it shows a malformed login, secret included, to the host's error handler. */
  const warnOfParser = ({ body }: HttpRequest): void => {
    if (hasSignalled || !('parsed' in body)) return;
    hasSignalled = true;
    observe({ kind: 'login_body_parsed' });
  };

  /** The path below `basePath`, and its aliases. */
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
      operations: [loginOperation(defaultScope)],
      handle: async (request, _params, read) => {
        const whole = await read();
        warnOfParser(whole);
        const parsed = parseTokenRequest(whole, defaultScope);
        if (parsed.isErr()) return err(parsed.error);
        const granted = await grant(parsed.value, request.remoteAddress);
        return granted.map((response) => jsonResponse(200, response, { pragma: 'no-cache' }));
      },
    });

  const me = (): Route =>
    createRoute({
      ...at('/organisations/:organisationId/me'),
      methods: ['GET'],
      maxBodyBytes: noBody,
      operations: [meOperation],
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
      operations: [jwksOperation],
      handle: () =>
        callPort(async () => tokens.jwks?.()).map((keys) =>
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
      operations: [metadataOperation],
      handle: () => okAsync(jsonResponse(200, body, { 'cache-control': 'public, max-age=300' })),
    });

  /** Every other path below `basePath`. */
  const rest = (): Route =>
    createRoute({ ...at('/*'), methods: [], maxBodyBytes: noBody, handle: () => errAsync({ code: 'not_found' }) });

  const routes: readonly Route[] = [
    login(),
    me(),
    ...(tokens.jwks ? [jwks()] : []),
    ...(metadata ? [described(metadata)] : []),
    rest(),
  ];

  /** The caller as the host sees it. */
  const viewCaller = ({ client, account, scope }: Reached): Caller => ({ client: viewClient(client), account, scope });

  const refused = (failure: HttpFailure): RefusedRequest => {
    const response = refuse(failure);
    const { code, detail } = JSON.parse(response.body) as { readonly code: string; readonly detail: string };
    return { code, message: detail, response };
  };

  const authenticate: Authenticate = (request, organisationId) =>
    ResultAsync.fromPromise(checkCaller(request, organisationId), (cause): HttpFailure => ({ code: 'internal', cause }))
      .andThen((reached) => reached.map(viewCaller))
      .mapErr(refused);

  return {
    routes,
    authenticate,
    /** Serves a document to anyone. */
    documentRoute: (document: object): Route => {
      const response = jsonResponse(200, document, { 'cache-control': 'public, max-age=300' });
      return createRoute({
        ...at('/openapi.json'),
        methods: ['GET'],
        maxBodyBytes: noBody,
        handle: () => okAsync(response),
      });
    },
    accountRoute: <Path extends `/organisations/:organisationId${string}`>(
      method: string,
      path: Path,
      handle: AccountHandler<Path>,
      options: AccountRouteOptions = {},
    ): Route => {
      if (!/^[A-Z]+$/.test(method)) throw new TypeError('accountRoute: the method in capitals.');
      if (!/^\/organisations\/:organisationId(\/|$)/.test(path))
        throw new TypeError(
          `accountRoute: "${path}" must begin with "/organisations/:organisationId", ` +
            "by which the caller's reach is checked; basePath is added before it.",
        );
      if (!accountPath.test(path))
        throw new TypeError(`accountRoute: "${path}" holds a segment that is neither plain nor a ":name".`);
      if (typeof handle !== 'function')
        throw new TypeError('accountRoute: the third argument handles the request: a function.');
      assertOptions('accountRoute', accountRouteOptions, options);
      const { maxBodyBytes = accountRouteBytes, environments, operation } = options;
      return createRoute({
        ...at(path),
        methods: [method],
        maxBodyBytes,
        ...(operation ? { operations: [{ ...operation, method, security: 'oauth2' }] } : {}),
        handle: async (head, params, read) => {
          // A body costs memory: it is read after authentication.
          const reached = await checkCaller(head, params['organisationId'] ?? '');
          if (reached.isErr()) return err(reached.error);
          if (environments?.includes(reached.value.account.environment) === false) return err({ code: 'not_found' });
          const request = await read();
          if ('tooLarge' in request.body) return err({ code: 'too_large' });
          if ('aborted' in request.body) return err({ code: 'bad_request', detail: abortedBody });
          // The parameters come from the matcher of this path.
          const answer = sendable(await handle(viewCaller(reached.value), request, params as PathParams<Path>));
          return 'code' in answer ? err(answer) : ok(answer);
        },
      });
    },
  };
};
