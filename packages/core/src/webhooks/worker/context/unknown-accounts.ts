import type { ResultAsync } from '#result';
import type { Account } from '../../../base/accounts/account.ts';
import { createCache } from '../../../base/runtime/cache.ts';
import type { Unavailable } from '../../../base/runtime/call-port.ts';
import { type Clock, monotonicNow } from '../../../base/runtime/clock.ts';
import { type DurationMs, minute } from '../../../base/runtime/time.ts';
import type { Observer } from '../../../base/signals/listener.ts';
import type { NewEvent } from '../../events/event.ts';

/** Accounts whose answer is remembered. */
const maxRemembered = 5_000;
/** Directory calls at the same time; an account that is skipped is asked for at its next event. */
const maxCalls = 4;
/** Time until an unknown account is asked for, and signalled, again. */
const again: DurationMs = minute;

/** Takes the events of a dispatch. */
export type NoteDispatched = (
  events: readonly {
    readonly event: Pick<NewEvent, 'id' | 'accountId' | 'onlyTo' | 'origin'>;
    readonly endpointIds: readonly string[];
  }[],
) => void;

/**
 * Signals events that no endpoint receives because the directory does not know their account, since publish does not
 * read it. Each account is asked for once; the dispatch does not wait for the answer.
 */
export const createUnknownAccounts = (
  findAccount: (accountId: string) => ResultAsync<Account | undefined, Unavailable>,
  clock: Clock,
  observe: Observer,
): NoteDispatched => {
  const notBefore = createCache<number>(maxRemembered);
  let calls = 0;

  const ask = async (accountId: string, eventId: string): Promise<void> => {
    calls += 1;
    notBefore.set(accountId, monotonicNow(clock) + again);
    const found = await findAccount(accountId);
    calls -= 1;
    if (found.isOk() && found.value) notBefore.set(accountId, Number.POSITIVE_INFINITY);
    if (found.isOk() && !found.value) observe({ kind: 'unknown_account', accountId, eventId });
  };

  return (events) => {
    for (const { event, endpointIds } of events) {
      if (endpointIds.length > 0 || event.onlyTo !== undefined || event.origin !== undefined) continue;
      if (calls >= maxCalls || (notBefore.get(event.accountId) ?? Number.NEGATIVE_INFINITY) > monotonicNow(clock))
        continue;
      void ask(event.accountId, event.id);
    }
  };
};
