import { err, errAsync, ok, ResultAsync } from '#result';
import { clientInputs } from '../../access/clients/client-fields.ts';
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
import type { EndpointFields } from '../../webhooks/endpoints/endpoint-fields.ts';
import type { HttpFailure } from '../operations/failure.ts';
import { acceptHeaders } from '../operations/json-body.ts';
import type { Answer, Answered, Authentication, Operation } from '../operations/operation.ts';
import type { Refuse } from '../operations/refusal.ts';
import { type Run, restRoute } from '../operations/run.ts';
import { alertOperations } from './alerts.ts';
import { auditOperations } from './audit.ts';
import { type BindDeps, bindOperation } from './bind.ts';
import { type ManagementContext, sessionOperation } from './context.ts';
import { isCrossSite } from './cross-site.ts';
import { keyOperations } from './keys.ts';
import type { ManagementOperation } from './operation.ts';
import { sendingOperations } from './sending.ts';
import { isAllowed, type ManagementOptions, type ManagementSession } from './session.ts';
import { type AccountCaller, accountPath, type SharedOperation, sharedOperationsOf } from './shared-operations.ts';

/** What the routes call. */
export interface ManagementRouteDeps extends BindDeps {
  readonly run: Run;
  readonly refuse: Refuse;
  readonly limit: Pick<PortLimit, 'call'>;
  /** The operations on webhooks. */
  readonly webhooks: readonly ManagementOperation[];
  /** The fields of webhook endpoints, of which the audit trail shows changes. */
  readonly endpointFields: () => EndpointFields;
  readonly context: Omit<ManagementContext, 'objects' | 'profiles' | 'hasRequests'>;
}

const basePathRule = 'must begin with "/", end without one, and consist of letters, digits, ".", "_", "~" and "-".';
const optionsRule = exactly({
  authorize: functionOption,
  basePath: optional(text(basePathRule, /^(\/[A-Za-z0-9._~-]+)+$/)),
  trustedOrigins: optional(listOf(text(), 'must be a list of origins.')),
  requests: anything,
} satisfies OptionRules<keyof ManagementOptions>);

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
  { run, refuse, calls, limit, webhooks, endpointFields, context, limiter }: ManagementRouteDeps,
  options: ManagementOptions,
): readonly Route[] => {
  assertOptions('managementRoutes', optionsRule, options);
  const { authorize, basePath = '/api/v1/partner-management', trustedOrigins = [] } = options;

  /** Admits the person who sends the request, if that person may. */
  const authentication = ({
    part,
    method,
  }: Pick<ManagementOperation, 'part' | 'method'>): Authentication<ManagementSession> => {
    const access = method === 'GET' ? 'read' : 'write';
    return {
      by: 'session',
      refuses: [
        ...(access === 'write' ? (['cross_site', 'unsupported_media_type'] as const) : []),
        'not_authenticated',
        ...(part === undefined ? [] : (['forbidden'] as const)),
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

  const bind = bindOperation<ManagementSession>({ calls, limiter }, ({ accountId, userId }) => ({
    accountId,
    actor: { type: 'user', id: userId },
  }));

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
    sessionOperation({ ...context, hasRequests: options.requests !== undefined }),
    ...keyOperations(clientInputs(context.allRights, 'http')),
    ...webhooks,
    ...auditOperations(endpointFields()),
    ...alertOperations(),
    ...sendingOperations(),
  ];
  return [
    ...operations.map((row) => run(bind(row), authentication(row), { path: `${basePath}${row.path}` })),
    ...(options.requests === undefined ? [] : sharedOperationsOf(options.requests).map(shared)),
    restRoute(refuse, `${basePath}/*`),
  ].map(withoutSniffing);
};
