import { toBase62 } from '../../../base/runtime/base62.ts';
import type { Random } from '../../../base/runtime/random.ts';
import { type DurationMs, day, type EpochMs } from '../../../base/runtime/time.ts';
import type { SeenKeys } from '../../receiver/seen-keys.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { seenKeys } from '../tables/receiver.ts';
import { storableKey } from './storable-key.ts';

/**
 * Processed keys in a database.
 * @public
 */
export interface StoredSeenKeys<Tx extends object> extends SeenKeys {
  /**
   * Marks a key as processed inside the handler's transaction, so that both commit together.
   *
   * - Returns `false` when it was processed before: then do nothing.
   * - Simultaneous calls for one key wait for each other.
   * - `keep`: how long the key is stored, in milliseconds. @defaultValue 35 days
   */
  markIn(tx: Tx, key: string, keep?: DurationMs): Promise<boolean>;
}

/** Maximum number of expired keys that one claim deletes: more than one claim adds. */
const maxForgotten = 8;

function* forget(rows: RowTx, now: EpochMs): Plan<void> {
  const old = yield* rows.scan(seenKeys, 'expiry', [{ prefix: [], to: [now] }], { limit: maxForgotten });
  const keys = old.map(({ key }) => [key] as const);
  const locked = yield* rows.get(seenKeys, keys, 'free');
  yield* rows.delete(
    seenKeys,
    keys.filter((_, index) => (locked[index]?.expiresAt ?? now + 1) <= now),
  );
}

/** A new lease, which no other process has. */
export const newLease = (random: Random): string => toBase62(random.bytes(16), 22);

/**
 * Processed keys over rows.
 * @example
 * const seenKeysOver = (store: RowStore<object>) => rowSeenKeys(store, systemRandom);
 * @public
 */
export const rowSeenKeys = <Tx extends object>(
  store: Pick<RowStore<Tx>, 'run' | 'join'>,
  random: Random,
): StoredSeenKeys<Tx> => {
  /** Runs a plan for a key while it has this lease. */
  const whileHeld = (name: string, lease: string, plan: (rows: RowTx, key: string, now: EpochMs) => Plan<void>) =>
    store.run('write', function* (rows): Plan<boolean> {
      const key = storableKey(name);
      const [row] = yield* rows.get(seenKeys, [[key]], 'update');
      if (row?.lease === undefined || row.lease !== lease) return false;
      yield* plan(rows, key, yield* rows.now());
      return true;
    });

  return {
    claim: (name, duration) =>
      store.run('write', function* (rows) {
        const key = storableKey(name);
        const now = yield* rows.now();
        const lease = newLease(random);
        const [known] = yield* rows.get(seenKeys, [[key]], 'update');
        if (known && known.expiresAt > now) return { kind: known.lease === undefined ? 'done' : 'in_progress' };
        if (known) yield* rows.put(seenKeys, [{ key, lease, expiresAt: now + duration }]);
        else {
          const [isNew] = yield* rows.insert(seenKeys, [{ key, lease, expiresAt: now + duration }], 'ignore');
          if (!isNew) return { kind: 'in_progress' };
        }
        yield* forget(rows, now);
        return { kind: 'claimed', lease };
      }),
    confirm: (name, lease, keep) =>
      whileHeld(name, lease, function* (rows, key, now) {
        yield* rows.put(seenKeys, [{ key, lease: undefined, expiresAt: now + keep }]);
      }),
    release: async (name, lease) => {
      await whileHeld(name, lease, function* (rows, key) {
        yield* rows.delete(seenKeys, [[key]]);
      });
    },
    markIn: (tx, name, keep = 35 * day) =>
      store.join(tx, function* (rows) {
        const key = storableKey(name);
        const now = yield* rows.now();
        const done = { key, lease: undefined, expiresAt: now + keep };
        for (;;) {
          const [isNew] = yield* rows.insert(seenKeys, [done], 'ignore');
          if (isNew) return true;
          const [known] = yield* rows.get(seenKeys, [[key]], 'update');
          if (!known) continue;
          if (known.lease === undefined && known.expiresAt > now) return false;
          yield* rows.put(seenKeys, [done]);
          return true;
        }
      }),
  };
};
