import { err, ok, ResultAsync } from '#result';
import type { AccessTokens } from '../../access/tokens/access-tokens.ts';
import type { createRevocation } from '../../access/tokens/revoke.ts';
import type { ListChildren } from '../../base/accounts/list-children.ts';
import { isRight, type NeededRight, type Rights } from '../../base/accounts/rights.ts';
import { tagOfText } from '../../base/http/entity-tag.ts';
import type { Route } from '../../base/http/route.ts';
import type { HttpFailure } from '../operations/failure.ts';
import { noAuthentication } from '../operations/no-authentication.ts';
import type { Authentication, KeyOperation, Operation } from '../operations/operation.ts';
import { jsonResponse } from '../operations/problem.ts';
import type { Refuse } from '../operations/refusal.ts';
import { type Run, restRoute, type Served } from '../operations/run.ts';
import { type AccountRoute, createAccountRoute, type ServeAccount } from './account-route.ts';
import { type Authenticate, type createCallerCheck, type Reached, type RefusedRequest, viewCaller } from './caller.ts';
import { childrenOperation } from './children.ts';
import { jwksOperation } from './jwks.ts';
import { clientCredentials, type LoginDeps, loginOperation } from './login.ts';
import { meOperation } from './me.ts';
import { revokeOperation } from './revoke.ts';

/**
 * Further paths of the partner API, which answer as those below `basePath` do.
 * @public
 */
export interface PathAliases {
  /** Paths that begin as `basePath` does: every route is served below each. @defaultValue none */
  readonly basePaths?: readonly `/${string}`[];
  /** Whole paths of the login, such as `/partner/v2/oauth`. @defaultValue none */
  readonly login?: readonly `/${string}`[];
}

/** The default of `api.basePath` (specification §4.2). */
export const defaultBasePath = '/api/v1/partner';
/** The aliases of the specification (§4.2). */
export const specifiedAliases: PathAliases = { basePaths: ['/v1/partner'], login: ['/oauth/token'] };

export interface PartnerRouteDeps extends LoginDeps {
  readonly basePath: string;
  readonly run: Run;
  readonly revoke: ReturnType<typeof createRevocation>;
  readonly refuse: Refuse;
  readonly metadata: Operation<undefined, undefined, undefined> | undefined;
  /** The public keys of webhook signatures. */
  readonly webhookKeys: Operation<undefined, undefined, undefined> | undefined;
  /** Lists children. `undefined`: the host's directory lists none. */
  readonly listChildren: ListChildren | undefined;
  readonly checkCaller: ReturnType<typeof createCallerCheck>;
  /** The rights of API keys. */
  readonly rights: Rights;
  /** Whether API keys can be limited to networks. */
  readonly trustsAddresses: boolean;
  /** Whether the calls of a client have a limit. */
  readonly limitsCalls: boolean;
  readonly tokens: AccessTokens;
  /** Further paths of the same routes. */
  readonly aliases: PathAliases;
}

/** @throws TypeError when it is no right: a missing one would admit every API key. */
const assertNeeded = (right: NeededRight): NeededRight => {
  if (right === 'none' || isRight(right)) return right;
  throw new TypeError("authenticate: the third argument is the right that the request needs, such as 'requests:read'.");
};

/** @throws TypeError when two routes have one path: each would answer for the other. */
const assertOwnPaths = (routes: readonly Pick<Route, 'path' | 'aliases'>[]): void => {
  const taken = new Set<string>();
  for (const path of routes.flatMap((route) => [route.path, ...(route.aliases ?? [])])) {
    if (taken.has(path))
      throw new TypeError(
        `createPartnerkit: two routes have the path ${path}. ` +
          'Choose another path in api.pathAliases.login, api.basePath or oauth.metadata.issuer.',
      );
    taken.add(path);
  }
};

/**
 * The route table (specification §4).
 * @throws TypeError when the options give two routes one path.
 */
export const partnerRoutes = (deps: PartnerRouteDeps) => {
  const { basePath, run, refuse, metadata, webhookKeys, checkCaller, rights, limitsCalls, trustsAddresses, tokens } =
    deps;
  const { basePaths = [], login: loginPaths = [] } = deps.aliases;

  /** The path below `basePath`, and its aliases. */
  const at = (path: string, ...further: readonly `/${string}`[]): Required<Served> => {
    const served = `${basePath}${path}` as `/${string}`;
    const aliases = [...basePaths.map((base): `/${string}` => `${base}${path}`), ...further];
    return { path: served, aliases: [...new Set(aliases)].filter((alias) => alias !== served) };
  };

  const token = (right: NeededRight): Authentication<Reached> => ({
    by: 'token',
    refuses: [
      'invalid_request',
      'missing_token',
      'invalid_token',
      ...(trustsAddresses ? (['address_not_allowed'] as const) : []),
      'insufficient_scope',
      'account_not_active',
      ...(limitsCalls ? (['too_many_requests'] as const) : []),
      'internal',
      'unavailable',
    ],
    admit: (request, params) => checkCaller(request, params['organisationId'] ?? '', right),
  });
  const runForKeys = (row: KeyOperation<Reached>, { admit = token(row.right).admit } = {}): Route => {
    rights.serve(row.right);
    return run(row, { ...token(row.right), admit }, at(row.path));
  };
  const [login, me] = [loginOperation(deps), meOperation()];
  const revoke = revokeOperation(deps.revoke, deps.verifiesAssertions);
  const children = deps.listChildren && childrenOperation(deps.listChildren);
  const rest = at('/*');
  const routes: readonly Route[] = [
    run(login, clientCredentials(deps.limitsLogins), at(login.path, ...loginPaths)),
    run(revoke, clientCredentials(false), at(revoke.path)),
    runForKeys(me),
    ...(children ? [runForKeys(children as KeyOperation<Reached>)] : []),
    ...(tokens.jwks
      ? [
          run(
            jwksOperation(async () => tokens.jwks?.()),
            noAuthentication,
            at('/jwks.json'),
          ),
        ]
      : []),
    ...(metadata ? [run(metadata, noAuthentication)] : []),
    ...(webhookKeys ? [run(webhookKeys, noAuthentication)] : []),
    // Every other path below `basePath`.
    restRoute(refuse, rest.path as `/${string}/*`, rest.aliases),
  ];

  const document = at('/openapi.json');
  assertOwnPaths([...routes, document]);

  const refused = (failure: HttpFailure): RefusedRequest => {
    const response = refuse(failure);
    const { code, detail } = JSON.parse(response.body) as { readonly code: string; readonly detail: string };
    return { code, message: detail, response };
  };

  const authenticate: Authenticate = (request, organisationId, right) =>
    ResultAsync.fromPromise(
      (async () => checkCaller(request, organisationId, assertNeeded(right)))(),
      (cause): HttpFailure => ({ code: 'internal', cause }),
    )
      .andThen((reached) => reached.map(viewCaller))
      .mapErr(refused);

  /** In the environments alone, the accounts of others are absent. */
  const admitIn =
    (right: NeededRight, environments: readonly string[]): Authentication<Reached>['admit'] =>
    async (request, params) =>
      (await token(right).admit(request, params)).andThen<Reached, HttpFailure>((reached) =>
        environments.includes(reached.account.environment) ? ok(reached) : err({ code: 'not_found' }),
      );
  const serve: ServeAccount = (row, environments) =>
    runForKeys(row, environments ? { admit: admitIn(row.right, environments) } : {});
  const accountRoute: AccountRoute = createAccountRoute(serve);

  return {
    routes,
    authenticate,
    accountRoute,
    serveAccount: serve,
    /** Serves a document to anyone. */
    documentRoute: (content: object): Route => {
      const { body, ...rest } = jsonResponse(200, content, { 'cache-control': 'public, max-age=300' });
      const response = { ...rest, headers: { ...rest.headers, etag: tagOfText(body) }, body };
      const { operation: _undescribed, ...route } = run(
        {
          method: 'GET',
          path: '/openapi.json',
          operationId: 'getDocument',
          summary: 'Reads the OpenAPI document',
          tag: 'Document',
          conditional: true,
          answers: { 200: { description: 'The document.' } },
          handle: () => ok(response),
        },
        noAuthentication,
        document,
      );
      return route;
    },
  };
};
