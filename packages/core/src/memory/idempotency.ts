import type { NewEvent } from '../events/event.ts';
import type { Clock } from '../runtime/clock.ts';
import { day, type EpochMs } from '../runtime/time.ts';
import { assertOpen, type OpenTransaction, waitFor } from './transaction.ts';

/** Which event used an idempotency key first. @internal */
export interface UsedKeys {
  /** Waits for whoever used the key first and has not ended; then holds it until the end of `tx`. */
  hold(key: string, tx: OpenTransaction): Promise<void>;
  /** The event that a key belongs to: of an earlier commit, or of this transaction. */
  ownerOf(key: string, tx: OpenTransaction): NewEvent | undefined;
  commit(tx: OpenTransaction): void;
  /** The transaction has ended: it holds nothing any more. */
  release(tx: OpenTransaction): void;
  /** Forgets keys whose time has passed. */
  prune(): void;
}

const keepKeys = 30 * day;

/** @internal */
export const idempotencyKeyOf = ({ accountId, idempotencyKey }: NewEvent): string | undefined =>
  idempotencyKey === undefined ? undefined : JSON.stringify([accountId, idempotencyKey]);

/** @internal */
export const createUsedKeys = (clock: Clock): UsedKeys => {
  const used = new Map<string, { readonly event: NewEvent; readonly until: EpochMs }>();
  const holders = new Map<string, OpenTransaction>();

  /** The oldest come first. */
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
