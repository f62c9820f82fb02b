import { err, errAsync, ok, ResultAsync } from '#result';
import type { RateLimiter } from '../../access/tokens/rate-limiter.ts';
import { present } from '../../base/fields/present.ts';
import { changeTypes, readContentType } from '../../base/http/content-type.ts';
import type { HttpResponse, RequestHead, Route } from '../../base/http/route.ts';
import { tryCall } from '../../base/runtime/call-port.ts';
import {
  anything,
  assertOptions,
  exactly,
  functionOption,
  listOf,
  type OptionRules,
  optional,
  text,
} from '../../base/runtime/option-rules.ts';
import type { PortLimit } from '../../base/runtime/port-limit.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import type { HttpFailure } from '../operations/failure.ts';
import { acceptHeaders } from '../operations/json-body.ts';
import type { Answer, Answered, Authentication, Operation } from '../operations/operation.ts';
import type { Refuse } from '../operations/refusal.ts';
import { type Run, restRoute } from '../operations/run.ts';
import { contextOperations, type ManagementContext } from './context.ts';
import { isCrossSite } from './cross-site.ts';
import { deliveryOperations } from './deliveries.ts';
import { keyOperations } from './keys.ts';
import { createManagementLimiter, limitsRule } from './limits.ts';
import type { ManagedCalls, ManagementOperation } from './operation.ts';
import { isAllowed, type ManagementOptions, type ManagementSession } from './session.ts';
import { type AccountCaller, accountPath, type SharedOperation, sharedOperationsOf } from './shared-operations.ts';
import { type EndpointInputs, webhookOperations } from './webhooks.ts';

/** What the routes call. */
export interface ManagementRouteDeps {
  readonly run: Run;
  readonly refuse: Refuse;
  readonly limit: Pick<PortLimit, 'call'>;
  readonly calls: ManagedCalls;
  readonly endpointInput: EndpointInputs;
  readonly context: Omit<ManagementContext, 'hasRequests'>;
  readonly limiter: RateLimiter;
}

const basePathRule = 'must begin with "/", end without one, and consist of letters, digits, ".", "_", "~" and "-".';
const optionsRule = exactly({
  authorize: functionOption,
  basePath: optional(text(basePathRule, /^(\/[A-Za-z0-9._~-]+)+$/)),
  trustedOrigins: optional(listOf(text(), 'must be a list of origins.')),
  requests: anything,
  limits: limitsRule,
} satisfies OptionRules<keyof ManagementOptions>);

/** Endpoints and test events are the largest inputs. */
const maxBodyBytes = 64 * 1_024;

const notJson = ({ method }: RequestHead): HttpFailure => ({
  code: 'unsupported_media_type',
  detail: 'Send the body as application/json, in UTF-8.',
  headers: acceptHeaders(method),
});

/** A form can send other types across sites, without a body too. */
const isOtherType = (head: RequestHead): boolean =>
  head.headers['content-type'] !== undefined && !changeTypes.includes(readContentType(head.headers).type);

/** @throws TypeError when the host's session is malformed. */
const checked = (session: ManagementSession): ManagementSession => {
  const { accountId, userId, can } = session;
  if (!isIdentifier(accountId) || !isIdentifier(userId) || Object(can) !== can)
    throw new TypeError('authorize: a session has accountId, userId and can.');
  return session;
};

const tags = {
  session: 'Session',
  keys: 'Keys',
  webhooks: 'Webhooks',
  deliveries: 'Deliveries',
  requests: 'Requests',
} as const;

/** An answer that comes at once, or later. */
const fromAnswered = (answered: Answered<Answer | HttpResponse>): ResultAsync<Answer | HttpResponse, HttpFailure> =>
  ResultAsync.fromSafePromise(Promise.resolve(answered)).andThen((result) => result);

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
 */
export const managementRoutes = (
  { run, refuse, calls, limit, endpointInput, context, limiter }: ManagementRouteDeps,
  options: ManagementOptions,
): readonly Route[] => {
  assertOptions('managementRoutes', optionsRule, options);
  const { authorize, basePath = '/api/v1/partner-management', trustedOrigins = [] } = options;
  const limits = createManagementLimiter(limiter, options.limits);

  /** Admits the person who sends the request, if that person may. */
  const authentication = ({
    part,
    method,
    limit: limited,
  }: Pick<ManagementOperation, 'part' | 'method' | 'limit'>): Authentication<ManagementSession> => {
    const access = method === 'GET' ? 'read' : 'write';
    return {
      by: 'session',
      refuses: [
        ...(access === 'write' ? (['cross_site', 'unsupported_media_type'] as const) : []),
        'not_authenticated',
        ...(part === undefined ? [] : (['forbidden'] as const)),
        ...(limited === undefined ? [] : (['too_many_requests'] as const)),
        'internal',
        'unavailable',
      ],
      admit: async (head) => {
        if (isCrossSite(head, trustedOrigins)) return err({ code: 'cross_site' });
        if (access === 'write' && isOtherType(head)) return err(notJson(head));
        const found = await tryCall(() => limit.call('authorize', 'read', () => authorize(head)));
        if (found.isErr()) return err(found.error);
        if (!found.value) return err({ code: 'not_authenticated' });
        const session = checked(found.value);
        return part === undefined || isAllowed(session, part, access)
          ? ok(session)
          : err({ code: 'forbidden', detail: `Your session may not ${access} ${part}.` });
      },
    };
  };

  /** A row on behalf of the person of the session, for the versions of the request. */
  const bound = ({ part, limit: limited, handle, ...row }: ManagementOperation): Operation<ManagementSession> => ({
    ...row,
    tag: tags[part ?? 'session'],
    maxBodyBytes,
    handle: async (call) => {
      const { accountId, userId } = call.caller;
      const { ifVersion } = call;
      const actor = { type: 'user', id: userId } as const;
      const by = { actor, ...present({ ifVersion }) };
      const allowed = limited ? await limits.take(limited, accountId) : ok(undefined);
      if (allowed.isErr()) return err(allowed.error);
      const answered = await handle({ ...(call as Parameters<typeof handle>[0]), accountId, managed: calls, by });
      if (answered.isErr() && limited) await limits.refund(limited, accountId);
      return answered;
    },
  });

  /** A row of the partner API for the account of the session, on behalf of its person. */
  const shared = ({ row, environments }: SharedOperation): Route => {
    const operation: Operation<ManagementSession> = {
      ...row,
      handle: ({ caller: { accountId, userId }, ...call }) =>
        context.findAccount(accountId).andThen((account) => {
          if (!account || !(environments?.includes(account.environment) ?? true))
            return errAsync<Answer | HttpResponse, HttpFailure>({ code: 'not_found' });
          const caller: AccountCaller = { account, isOwn: true, actor: { type: 'user', id: userId } };
          return fromAnswered(row.handle({ ...call, caller }));
        }),
    };
    const path = `${basePath}${row.path.slice(accountPath.length)}` as const;
    return run(operation, authentication({ part: 'requests', method: row.method }), { path });
  };

  const operations = [
    ...contextOperations({ ...context, hasRequests: options.requests !== undefined }),
    ...keyOperations(),
    ...webhookOperations(endpointInput, context.objects),
    ...deliveryOperations(),
  ];
  return [
    ...operations.map((row) => run(bound(row), authentication(row), { path: `${basePath}${row.path}` })),
    ...(options.requests === undefined ? [] : sharedOperationsOf(options.requests).map(shared)),
    restRoute(refuse, `${basePath}/*`),
  ].map(withoutSniffing);
};
