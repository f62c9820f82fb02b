import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { codesByStatus } from '../http/codes.ts';
import { changeTypes, readContentType } from '../http/content-type.ts';
import type { createRouteFactory } from '../http/create-route.ts';
import type { RouteFailure } from '../http/failure.ts';
import { readJson } from '../http/json-body.ts';
import type { Operation } from '../http/operation.ts';
import { pathOf } from '../http/path.ts';
import { jsonResponse } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { failureOf, refused } from '../http/refused.ts';
import { readIfMatch } from '../http/request-headers.ts';
import type { HttpResponse, RequestHead, Route } from '../http/route.ts';
import { abortedBody } from '../http/token-request.ts';
import { tryCall } from '../runtime/call-port.ts';
import { assertOptions, exactly, functionSchema } from '../runtime/option-schemas.ts';
import type { PortLimit } from '../runtime/port-limit.ts';
import { readInput } from '../runtime/read-input.ts';
import { isIdentifier } from '../runtime/text.ts';
import type { RateLimiter } from '../tokens/rate-limiter.ts';
import { contextOperations, type ManagementContext } from './context.ts';
import { isCrossSite } from './cross-site.ts';
import { deliveryOperations } from './deliveries.ts';
import { keyOperations } from './keys.ts';
import { createManagementLimiter, limitsSchema } from './limits.ts';
import type { CallContext } from './managed-by.ts';
import { type Managed, type ManagementAnswer, type ManagementOperation, noBody } from './operation.ts';
import { isAllowed, type ManagementOptions, type ManagementSession } from './session.ts';
import { type EndpointInputSchemas, webhookOperations } from './webhooks.ts';

/** What the routes call. @internal */
export interface ManagementRouteDeps {
  readonly createRoute: ReturnType<typeof createRouteFactory>;
  readonly limit: Pick<PortLimit, 'call'>;
  readonly managedBy: (context: CallContext) => Managed;
  readonly endpointInput: EndpointInputSchemas;
  readonly context: ManagementContext;
  readonly limiter: RateLimiter;
}

const basePathRule = 'must begin with "/", end without one, and consist of letters, digits, ".", "_", "~" and "-".';
const optionsSchema = exactly({
  authorize: functionSchema,
  basePath: z
    .string(basePathRule)
    .regex(/^(\/[A-Za-z0-9._~-]+)+$/, basePathRule)
    .optional(),
  trustedOrigins: z.array(z.string(), 'must be a list of origins.').optional(),
  limits: limitsSchema,
} satisfies Record<keyof ManagementOptions, z.ZodType>);

/** Endpoints and test events are the largest inputs. */
const maxBodyBytes = 64 * 1_024;

const crossSite = refused('cross_site', 'Only a page of the platform itself may change this.');
const notAuthenticated = refused('not_authenticated', 'Log in to the platform first.', {
  // RFC 9110 §15.5.2 demands a challenge; the host's session has no scheme of its own.
  headers: { 'www-authenticate': 'Session realm="partner management"' },
});
const notJson = refused('unsupported_media_type', 'Send the body as application/json, in UTF-8.', {
  headers: { accept: 'application/json' },
});

/** A form can send other types across sites, without a body too. */
const isOtherType = (head: RequestHead): boolean =>
  head.headers['content-type'] !== undefined && !changeTypes.includes(readContentType(head.headers).type);

/** @throws TypeError when the host's session is malformed. */
const checked = (session: ManagementSession): ManagementSession => {
  if (!isIdentifier(session.accountId) || !isIdentifier(session.userId) || typeof session.can !== 'object')
    throw new TypeError('authorize: a session has accountId, userId and can.');
  return session;
};

const tags = { session: 'Session', keys: 'Keys', webhooks: 'Webhooks', deliveries: 'Deliveries' } as const;

const describe = ({ method, query, body, answer, status, codes, ...row }: ManagementOperation): Operation => {
  const isWrite = method !== 'GET';
  const problems = codesByStatus([
    ...codes,
    'bad_request',
    'invalid_query',
    ...(isWrite ? ['cross_site', 'invalid_input', 'too_large', 'unsupported_media_type'] : []),
    ...(row.part === undefined ? [] : ['forbidden']),
    ...(row.limit ? ['too_many_requests'] : []),
    ...(row.isConditional ? ['version_mismatch'] : []),
  ]);
  return {
    method,
    operationId: row.operationId,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    tag: tags[row.part ?? 'session'],
    security: 'session',
    query,
    ...(row.isConditional ? { requestHeaders: ['If-Match'] } : {}),
    ...(body === noBody ? {} : { body, isBodyOptional: body.safeParse(undefined).success }),
    ...(method === 'PATCH' ? { bodyTypes: changeTypes } : {}),
    responses: {
      [status]: {
        description: row.summary,
        ...(answer ? { schema: answer } : {}),
        headers: {
          ...(row.hasVersion ? { ETag: 'The version, for `If-Match`.' } : {}),
          ...(status === 201 && !row.path.includes(':') ? { Location: 'The path of the new object.' } : {}),
        },
      },
    },
    problems,
  };
};

const respond = (
  { status }: ManagementOperation,
  { target }: RequestHead,
  { body, version, createdId }: ManagementAnswer,
): HttpResponse => {
  const headers = {
    ...(version === undefined ? {} : { etag: `"${version}"` }),
    ...(createdId === undefined ? {} : { location: `${pathOf(target)}/${createdId}` }),
  };
  return body === undefined
    ? { status, headers: { 'cache-control': 'no-store', ...headers }, body: '' }
    : jsonResponse(status, body, headers);
};

/** A browser must not take an answer for another type than the stated one. */
const withoutSniffing = (route: Route): Route => ({
  ...route,
  handle: async (request) => {
    const response = await route.handle(request);
    return { ...response, headers: { ...response.headers, 'x-content-type-options': 'nosniff' } };
  },
});

/**
 * The routes of the management API (specification §1.4, §6.1).
 * @throws TypeError that names each wrong option.
 * @internal
 */
export const managementRoutes = (
  { createRoute, managedBy, limit, endpointInput, context, limiter }: ManagementRouteDeps,
  options: ManagementOptions,
): readonly Route[] => {
  assertOptions('managementRoutes', optionsSchema, options);
  const { authorize, basePath = '/api/v1/partner-management', trustedOrigins = [] } = options;
  const limits = createManagementLimiter(limiter, options.limits);

  /** Who sends the request, if that person may. */
  const admit = async (
    head: RequestHead,
    { part, method }: ManagementOperation,
  ): Promise<Result<ManagementSession, RouteFailure>> => {
    if (isCrossSite(head, trustedOrigins)) return err(crossSite);
    if (method !== 'GET' && isOtherType(head)) return err(notJson);
    const found = await tryCall(() => limit.call('authorize', 'read', () => authorize(head)));
    if (found.isErr()) return err(found.error);
    if (!found.value) return err(notAuthenticated);
    const session = checked(found.value);
    const access = method === 'GET' ? 'read' : 'write';
    if (part !== undefined && !isAllowed(session, part, access))
      return err(refused('forbidden', `Your session may not ${access} ${part}.`));
    return ok(session);
  };

  const route = (row: ManagementOperation): Route =>
    createRoute({
      path: `${basePath}${row.path}`,
      methods: [row.method],
      maxBodyBytes,
      operations: [describe(row)],
      handle: async (head, params, read) => {
        const session = await admit(head, row);
        if (session.isErr()) return err(session.error);
        const request = await read();
        if ('tooLarge' in request.body) return err({ code: 'too_large' });
        if ('aborted' in request.body) return err({ code: 'bad_request', detail: abortedBody });
        const query = readQuery(row.query, head);
        if (query.isErr()) return err(query.error);
        const body = row.method === 'GET' ? ok({ value: undefined }) : readJson(request);
        if (body.isErr()) return err(body.error);
        const input = row.isReadByDomain ? ok(body.value.value) : readInput(row.body, body.value.value);
        if (input.isErr()) return err(failureOf(input.error));
        const versions = row.isConditional ? readIfMatch(request) : ok(undefined);
        if (versions.isErr()) return err(versions.error);
        const { accountId, userId } = session.value;
        const managed = managedBy({
          actor: { type: 'user', id: userId },
          ...(versions.value === undefined ? {} : { ifVersion: versions.value }),
        });
        const call = { session: session.value, accountId, params, query: query.value, input: input.value, managed };
        const allowed = row.limit ? await limits.take(row.limit, accountId) : ok(undefined);
        if (allowed.isErr()) return err(allowed.error);
        const answered = await row.handle(call);
        if (answered.isErr() && row.limit) await limits.refund(row.limit, accountId);
        return answered.map((answer) => respond(row, head, answer)).mapErr(failureOf);
      },
    });

  const rest = createRoute({
    path: `${basePath}/*`,
    methods: [],
    maxBodyBytes: 0,
    handle: async () => err({ code: 'not_found' }),
  });
  const operations = [
    ...contextOperations(context),
    ...keyOperations,
    ...webhookOperations(endpointInput),
    ...deliveryOperations,
  ];
  return [...operations.map(route), rest].map(withoutSniffing);
};
