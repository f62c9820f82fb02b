import { errAsync, okAsync, type ResultAsync } from '#result';
import { checkAccountId } from '../../base/accounts/account-id.ts';
import { type AuditType, type NewAuditEntry, platformAccountId } from '../../base/audit/audit-entry.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { present } from '../../base/fields/present.ts';
import { callPort, type Unavailable } from '../../base/runtime/call-port.ts';
import { type Failure, failure, type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { isId } from '../../base/runtime/id.ts';
import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { type ActorOptions, type By, readBy } from '../../base/signals/change-options.ts';
import { isPulled } from '../endpoints/endpoint-kind.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { SendingPause, SendingScope, SendingStore } from './sending-store.ts';

/**
 * Why a pause did not begin or end.
 *
 * - `not_found`: the account has no such endpoint.
 * - `wrong_kind`: nothing is sent to a pull endpoint.
 * - `invalid_input`: an id is wrong, or an endpoint has no account.
 * - `unavailable`: the storage failed.
 * @public
 */
export type SendingFailure = Failure<'not_found' | 'wrong_kind'> | InvalidInput | Unavailable;

/**
 * Pauses sending to endpoints, such as during an incident. Nothing is sent within the pause: no retry, test event or
 * delivery sent again. Deliveries wait, and no attempt is counted. Publishing, pull endpoints and handlers go on.
 *
 * A pause lasts until it is resumed, also over restarts. Pauses are independent: an endpoint is sent to when neither
 * it, nor its account, nor everything is paused.
 * @public
 */
export interface Sending {
  /**
   * Pauses an endpoint, an account, or everything: `{}`. Workers stop at their next read: within `pollEvery`, and the
   * time that the read takes. Attempts in flight end. A pause that exists stays as it is. The audit trail has an entry.
   * @throws TypeError when an option is unknown.
   * @example
   * const paused = await kit.sending.pause({ accountId }, { actor: { type: 'host', id: 'on call' } });
   * if (paused.isErr()) throw new Error(paused.error.code);
   */
  pause(scope: SendingScope, options?: ActorOptions): ResultAsync<undefined, SendingFailure>;
  /**
   * Ends the pause of this very scope; `{}` ends that of everything, not those of accounts and endpoints. Deliveries
   * that are due are sent at once, the longest due first. Without such a pause nothing changes.
   * The audit trail has an entry.
   * @throws TypeError when an option is unknown.
   */
  resume(scope: SendingScope, options?: ActorOptions): ResultAsync<undefined, InvalidInput | Unavailable>;
  /** Lists all pauses, with who began them: that of everything first, then by account and endpoint. */
  list(): ResultAsync<readonly SendingPause[], Unavailable>;
}

const names: Readonly<Record<keyof SendingScope, true>> = { accountId: true, endpointId: true };

/** A variable that is `undefined` by mistake must not pause everything. */
const wrongScope = (call: string, scope: SendingScope): InvalidInput | undefined => {
  assertOptionNames(`sending.${call}`, scope, names);
  const { accountId, endpointId } = scope;
  if ('accountId' in scope) {
    const checked = checkAccountId(accountId as string);
    if (checked.isErr()) return checked.error;
  }
  if (!('endpointId' in scope)) return undefined;
  if (accountId === undefined) return invalidField('accountId', 'the account of the endpoint.');
  return isId(endpointId as string) ? undefined : invalidField('endpointId', 'the id of an endpoint.');
};

export interface SendingDeps {
  readonly store: SendingStore;
  readonly endpoints: Pick<EndpointStore<never>, 'findEndpoint'>;
  readonly auditor: Pick<Auditor, 'entry'>;
  readonly nudge: () => void;
}

/** Creates the {@link Sending} of a kit. */
export const createSending = ({ store, endpoints: { findEndpoint }, auditor, nudge }: SendingDeps): Sending => {
  const entry = (
    type: AuditType & `sending.${string}`,
    { accountId, endpointId }: SendingScope,
    { actor: by, requestId }: By,
  ): NewAuditEntry => {
    const scope = endpointId !== undefined ? 'endpoint' : accountId !== undefined ? 'account' : 'platform';
    return auditor.entry({
      ...{ accountId: accountId ?? platformAccountId, type, subjectId: endpointId ?? accountId ?? scope, by },
      ...present({ requestId }),
      data: { change: type === 'sending.paused' ? 'paused' : 'resumed', scope },
    });
  };
  const checkEndpoint = ({ accountId, endpointId }: SendingScope): ResultAsync<undefined, SendingFailure> =>
    accountId === undefined || endpointId === undefined
      ? okAsync(undefined)
      : callPort(() => findEndpoint(accountId, endpointId)).andThen((found): ResultAsync<undefined, SendingFailure> => {
          if (found?.accountId !== accountId) return errAsync(failure('not_found'));
          return isPulled(found) ? errAsync(failure('wrong_kind')) : okAsync(undefined);
        });
  return {
    pause: (scope, options = {}) => {
      const by = readBy('sending.pause', options);
      const wrong = wrongScope('pause', scope);
      if (wrong) return errAsync(wrong);
      return checkEndpoint(scope)
        .andThen(() => callPort(() => store.pause(scope, entry('sending.paused', scope, by))))
        .map(() => nudge())
        .map(() => undefined);
    },
    resume: (scope, options = {}) => {
      const by = readBy('sending.resume', options);
      const wrong = wrongScope('resume', scope);
      if (wrong) return errAsync(wrong);
      return callPort(() => store.resume(scope, entry('sending.resumed', scope, by)))
        .map(() => nudge())
        .map(() => undefined);
    },
    list: () => callPort(() => store.listPauses()),
  };
};
