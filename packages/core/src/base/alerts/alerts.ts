import { z } from 'zod';
import { errAsync, type ResultAsync } from '#result';
import { checkAccountId } from '../accounts/account-id.ts';
import type { Auditor } from '../audit/auditor.ts';
import { email, emailRule } from '../fields/email.ts';
import { present } from '../fields/present.ts';
import { callPort, type Unavailable } from '../runtime/call-port.ts';
import { type InvalidInput, invalidField } from '../runtime/failure.ts';
import { once } from '../runtime/once.ts';
import { type ActorOptions, readBy } from '../signals/change-options.ts';
import type { AlertStore } from './alert-store.ts';

/**
 * The address to which an account wants alerts. The kit keeps it and sends nothing: a handler of `Operations` events
 * does.
 * @public
 */
export interface Alerts {
  /**
   * Finds the e-mail address of an account. `undefined`: it has none.
   * @example
   * const found = await kit.alerts.findAddress(accountId);
   * if (found.isOk() && found.value !== undefined) show(found.value);
   */
  findAddress(accountId: string): ResultAsync<string | undefined, InvalidInput | Unavailable>;
  /**
   * Replaces the e-mail address of an account: ASCII, at most 254 characters. An empty text removes it. A change has an
   * entry `account.changed` in the audit trail, without the address.
   * @throws TypeError when an option is unknown.
   */
  setAddress(
    accountId: string,
    address: string,
    options?: ActorOptions,
  ): ResultAsync<undefined, InvalidInput | Unavailable>;
}

interface AlertsDeps {
  readonly store: AlertStore;
  readonly auditor: Pick<Auditor, 'entry'>;
}

/** An address for alerts, or an empty text for none. */
export const alertAddress = once(() => z.union([z.literal(''), email()], emailRule));

/** Creates the {@link Alerts} of a kit. */
export const createAlerts = ({ store, auditor }: AlertsDeps): Alerts => ({
  findAddress: (accountId) => {
    const checked = checkAccountId(accountId);
    return checked.isErr() ? errAsync(checked.error) : callPort(() => store.findAddress(accountId));
  },
  setAddress: (accountId, address, options = {}) => {
    const { actor: by, requestId } = readBy('alerts.setAddress', options);
    const checked = checkAccountId(accountId);
    if (checked.isErr()) return errAsync(checked.error);
    const read = alertAddress().safeParse(address);
    if (!read.success) return errAsync(invalidField('address', read.error.issues[0]?.message ?? emailRule));
    const change = address === '' ? 'alert_address_removed' : 'alert_address_set';
    const audit = auditor.entry({
      ...{ accountId, type: 'account.changed', subjectId: accountId, by, ...present({ requestId }) },
      data: { change },
    });
    return callPort(() => store.setAddress(accountId, address === '' ? undefined : address, audit)).map(
      () => undefined,
    );
  },
});
