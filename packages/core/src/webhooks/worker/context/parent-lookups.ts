import type { FindParent } from '../../../base/accounts/find-parent.ts';
import { createCache } from '../../../base/runtime/cache.ts';
import type { Clock } from '../../../base/runtime/clock.ts';
import { type DurationMs, type EpochMs, second } from '../../../base/runtime/time.ts';
import { createWakeSignal, type WakeSignal } from '../../../base/runtime/wake-signal.ts';
import { yieldingOf } from '../../../base/runtime/yielding.ts';
import type { WorkerErrors } from './worker-errors.ts';

/** Delay after a failed directory call for an account. */
const retryAfter: DurationMs = 5 * second;

/** What {@link createParentLookups} calls. */
export interface ParentLookupDeps {
  readonly findParent: FindParent;
  readonly clock: Clock;
  /** Receives failures. */
  readonly errors: WorkerErrors;
}

/** Asks the directory for parents of accounts. A slow directory delays no delivery. */
export interface ParentLookups {
  /** The parents found within `wait`. A later result is cached for a moment, and wakes `late`. */
  parentsOf(
    accountIds: ReadonlySet<string>,
    wait: DurationMs | undefined,
  ): Promise<ReadonlyMap<string, string | undefined>>;
  /** Wakes when a result arrived late. */
  readonly late: WakeSignal;
}

export const createParentLookups = ({ findParent, clock, errors }: ParentLookupDeps): ParentLookups => {
  const notBefore = createCache<EpochMs>(5_000);
  const pending = new Set<string>();
  const late = createWakeSignal(clock);
  const yielding = yieldingOf(clock);

  const lookUp = async (accountId: string, onFound: (parentId: string | undefined) => void): Promise<void> => {
    if (pending.has(accountId) || (notBefore.get(accountId) ?? 0) > clock.now()) return;
    pending.add(accountId);
    await findParent(accountId).match(onFound, ({ cause }) => {
      notBefore.set(accountId, clock.now() + retryAfter);
      errors.note('propagate', cause);
    });
    pending.delete(accountId);
  };

  return {
    late,
    parentsOf: async (accountIds, wait) => {
      const found = new Map<string, string | undefined>();
      const all = createWakeSignal(clock);
      let isLate = false;
      const lookOne = async (accountId: string): Promise<void> => {
        await lookUp(accountId, (parentId) => {
          if (!isLate) found.set(accountId, parentId);
        });
        if (isLate) late.wake();
      };
      const lookups: Promise<void>[] = [];
      for (const accountId of accountIds) {
        lookups.push(lookOne(accountId));
        // A directory in this process may take its time before it returns a promise.
        const due = yielding.due();
        if (due) await due;
      }
      void Promise.all(lookups).then(all.wake);
      await all.wait(wait);
      isLate = true;
      return found;
    },
  };
};
