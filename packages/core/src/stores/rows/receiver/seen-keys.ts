import { toBase62 } from '../../../base/runtime/base62.ts';
import type { Random } from '../../../base/runtime/random.ts';
import { day, type EpochMs, type EpochSeconds } from '../../../base/runtime/time.ts';
import type { StoredSeenKeys } from '../../receiver/seen-keys.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { type SeenKeyRow, seenKeys } from '../tables/receiver.ts';
import { mayAdvance, putInTurn } from './put-in-turn.ts';
import { storableKey } from './storable-key.ts';

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

const doneRow = (key: string, expiresAt: EpochMs, timestamp?: EpochSeconds): SeenKeyRow => ({
  ...{ key, lease: undefined, expiresAt, timestamp },
});

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
        const claimed: SeenKeyRow = { key, lease, expiresAt: now + duration, timestamp: undefined };
        const [known] = yield* rows.get(seenKeys, [[key]], 'update');
        if (known && known.expiresAt > now) return { kind: known.lease === undefined ? 'done' : 'in_progress' };
        if (known) yield* rows.put(seenKeys, [claimed]);
        else {
          const [isNew] = yield* rows.insert(seenKeys, [claimed], 'ignore');
          if (!isNew) return { kind: 'in_progress' };
        }
        yield* forget(rows, now);
        return { kind: 'claimed', lease };
      }),
    confirm: (name, lease, keep) =>
      whileHeld(name, lease, function* (rows, key, now) {
        yield* rows.put(seenKeys, [doneRow(key, now + keep)]);
      }),
    release: async (name, lease) => {
      await whileHeld(name, lease, function* (rows, key) {
        yield* rows.delete(seenKeys, [[key]]);
      });
    },
    markIn: (tx, name, keep = 35 * day) =>
      store.join(tx, function* (rows) {
        const now = yield* rows.now();
        const done = doneRow(storableKey(name), now + keep);
        return yield* putInTurn(rows, seenKeys, done, (known) => known.lease !== undefined || known.expiresAt <= now);
      }),
    advanceIn: (tx, object, timestamp, keep = 35 * day) =>
      store.join(tx, function* (rows) {
        const now = yield* rows.now();
        const latest = doneRow(storableKey(object), now + keep, timestamp);
        return yield* putInTurn(rows, seenKeys, latest, (known) =>
          mayAdvance(timestamp, now, { timestamp: known.timestamp, until: known.expiresAt }),
        );
      }),
  };
};
