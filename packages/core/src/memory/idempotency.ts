import type { NewEvent } from '../events/event.ts';
import type { Clock } from '../runtime/clock.ts';
import { day, type EpochMs } from '../runtime/time.ts';
import { assertOpen, type OpenTransaction, waitFor } from './transaction.ts';

/** The idempotency keys of published events. @internal */
export interface UsedKeys {
  /** Waits for the open transaction that uses the key; then holds it until the end of `tx`. */
  hold(key: string, tx: OpenTransaction): Promise<void>;
  /** The event that used a key, in an earlier commit or in this transaction. */
  ownerOf(key: string, tx: OpenTransaction): NewEvent | undefined;
  /** Stores the keys of a transaction. */
  commit(tx: OpenTransaction): void;
  /** Releases the keys held by an ended transaction. */
  release(tx: OpenTransaction): void;
  /** Deletes expired keys. */
  prune(): void;
}

const keepKeys = 30 * day;

/** The key of an event, unique over accounts. @internal */
export const idempotencyKeyOf = ({ accountId, idempotencyKey }: NewEvent): string | undefined =>
  idempotencyKey === undefined ? undefined : JSON.stringify([accountId, idempotencyKey]);

/** Creates the keys. @internal */
export const createUsedKeys = (clock: Clock): UsedKeys => {
  const used = new Map<string, { readonly event: NewEvent; readonly until: EpochMs }>();
  const holders = new Map<string, OpenTransaction>();

  /** Oldest first. */
  const prune = (): void => {
    for (const [key, { until }] of used) {
      if (until > clock.now()) break;
      used.delete(key);
    }
  };

  return {
    hold: async (key, tx) => {
      for (let holder = holders.get(key); holder && holder !== tx; holder = holders.get(key)) await waitFor(holder, tx);
      assertOpen(tx);
      holders.set(key, tx);
    },
    ownerOf: (key, tx) => {
      const known = used.get(key);
      return tx.keys.get(key) ?? (known && known.until > clock.now() ? known.event : undefined);
    },
    commit: (tx) => {
      if (tx.keys.size === 0) return;
      prune();
      for (const [key, event] of tx.keys) used.set(key, { event, until: clock.now() + keepKeys });
    },
    release: (tx) => {
      for (const [key, holder] of holders) if (holder === tx) holders.delete(key);
    },
    prune,
  };
};
