import { err, ok } from '#result';
import { present } from '../../base/fields/present.ts';
import type { RequestHead } from '../../base/http/route.ts';
import { isRequestId } from '../../base/signals/change-options.ts';
import type { Operation } from '../operations/operation.ts';
import type { CreationLimiter } from './limits.ts';
import type { ManagedCalls, ManagementActor, ManagementOperation } from './operation.ts';

/** What rows call. */
export interface BindDeps {
  readonly calls: ManagedCalls;
  readonly limiter: CreationLimiter;
}

/** For which account a caller acts, and as whom. */
export interface Acting {
  readonly accountId: string;
  readonly actor: ManagementActor;
}

/** Endpoints and test events are the largest inputs. */
const maxBodyBytes = 64 * 1_024;

const tags = {
  session: 'Session',
  keys: 'Keys',
  webhooks: 'Webhooks',
  deliveries: 'Deliveries',
  requests: 'Requests',
  audit: 'Audit trail',
  alerts: 'Alerts',
  sending: 'Sending',
} as const;

/** The id that a proxy of the host gave the request. A text that is none is left out. */
const requestIdOf = (headers: RequestHead['headers']): string | undefined => {
  const id = headers['x-request-id'];
  return typeof id === 'string' && isRequestId(id) ? id : undefined;
};

/** A row on behalf of its caller, for the versions of the request. */
export const bindOperation =
  <C>({ calls, limiter }: BindDeps, actingOf: (caller: C) => Acting) =>
  ({
    part,
    limit: limited,
    refuses = [],
    handle,
    ...row
  }: ManagementOperation<NonNullable<Operation['query']>, NonNullable<Operation['body']>, C>): Operation<C> => ({
    ...row,
    refuses: limited ? [...refuses, 'too_many_requests'] : refuses,
    tag: tags[part ?? 'session'],
    maxBodyBytes,
    handle: async (call) => {
      const { accountId, actor } = actingOf(call.caller);
      const { ifVersion } = call;
      const by = { actor, ...present({ ifVersion, requestId: requestIdOf(call.request.headers) }) };
      const allowed = limited ? await limiter.take(limited, accountId) : ok(undefined);
      if (allowed.isErr()) return err(allowed.error);
      const answered = await handle({ ...(call as Parameters<typeof handle>[0]), accountId, managed: calls, by });
      if (answered.isErr() && limited) await limiter.refund(limited, accountId);
      return answered;
    },
  });
