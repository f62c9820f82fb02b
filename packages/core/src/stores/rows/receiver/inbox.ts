import type { Random } from '../../../base/runtime/random.ts';
import { type DurationMs, day, type EpochMs } from '../../../base/runtime/time.ts';
import type { StoredInbox } from '../../receiver/inbox.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { type InboxRow, inbox } from '../tables/receiver.ts';
import { mayAdvance, putInTurn } from './put-in-turn.ts';
import { newLease } from './seen-keys.ts';
import { storableKey } from './storable-key.ts';

/** Maximum number of expired keys that one call deletes: more than one call adds. */
const maxForgotten = 2;

const waiting = (key: string, body: string, at: EpochMs): InboxRow => ({
  ...{ key, state: 'waiting', at, attempts: 0, lease: undefined, body, timestamp: undefined },
});
const isExpired = (row: InboxRow, now: EpochMs): boolean => row.state === 'done' && row.at <= now;

function* forget(rows: RowTx, now: EpochMs): Plan<void> {
  const range = { prefix: ['done'], to: [now] } as const;
  const old = yield* rows.scan(inbox, 'at', [range], { limit: maxForgotten, columns: ['key'] });
  const locked = yield* rows.get(
    inbox,
    old.map(({ key }) => [key]),
    'free',
  );
  yield* rows.delete(
    inbox,
    locked.flatMap((row) => (row && isExpired(row, now) ? [[row.key] as const] : [])),
  );
}

function* claim(rows: RowTx, limit: number, duration: DurationMs, random: Random) {
  const now = yield* rows.now();
  const due = yield* rows.scan(inbox, 'at', [{ prefix: ['waiting'], to: [now] }], { limit, columns: ['key'] });
  const locked = yield* rows.get(
    inbox,
    due.map(({ key }) => [key]),
    'free',
  );
  const taken = locked
    .filter((row) => row !== undefined)
    .filter(({ state, at }) => state === 'waiting' && at <= now)
    .map((row) => ({ ...row, lease: newLease(random), attempts: row.attempts + 1, at: now + duration }));
  yield* rows.put(inbox, taken);
  return taken.map(({ key, body, attempts, lease }) => ({ key, body, attempt: attempts, lease }));
}

/**
 * An inbox over rows.
 * @example
 * const inboxOver = (store: RowStore<object>) => rowInbox(store, systemRandom);
 * @public
 */
export const rowInbox = <Tx extends object>(
  store: Pick<RowStore<Tx>, 'run' | 'join'>,
  random: Random,
): StoredInbox<Tx> => {
  /** Changes the entry of a lease, if it is not lost. */
  const settle = (
    name: string,
    lease: string,
    change: (now: EpochMs) => Partial<Pick<InboxRow, 'state' | 'at' | 'body'>>,
  ): Promise<boolean> =>
    store.run('write', function* (rows) {
      const [row] = yield* rows.get(inbox, [[storableKey(name)]], 'update');
      if (row?.lease === undefined || row.lease !== lease) return false;
      yield* rows.put(inbox, [{ ...row, lease: undefined, ...change(yield* rows.now()) }]);
      return true;
    });

  return {
    enqueue: (name, body) =>
      store.run('write', function* (rows) {
        const now = yield* rows.now();
        const made = waiting(storableKey(name), body, now);
        yield* forget(rows, now);
        const [isNew] = yield* rows.insert(inbox, [made], 'ignore');
        if (isNew) return true;
        const [known] = yield* rows.get(inbox, [[made.key]], 'update');
        if (known && !isExpired(known, now)) return false;
        yield* rows.put(inbox, [made]);
        return true;
      }),
    claim: (limit, duration) => store.run('write', (rows) => claim(rows, limit, duration, random)),
    complete: (key, lease, keep) => settle(key, lease, (now) => ({ state: 'done', body: '', at: now + keep })),
    retry: (key, lease, wait) => settle(key, lease, (now) => ({ at: now + wait })),
    deadLetter: (key, lease) => settle(key, lease, (now) => ({ state: 'dead_lettered', at: now })),
    requeue: (names) =>
      store.run('write', function* (rows) {
        const keys = [...new Set(names.map(storableKey))].sort();
        const found = yield* rows.get(
          inbox,
          keys.map((key) => [key]),
          'update',
        );
        const dead = found.filter((row) => row !== undefined).filter(({ state }) => state === 'dead_lettered');
        const now = yield* rows.now();
        yield* rows.put(
          inbox,
          dead.map(({ key, body }) => waiting(key, body, now)),
        );
        return dead.length;
      }),
    stats: (limit) =>
      store.run('read', function* (rows) {
        const now = yield* rows.now();
        const [first] = yield* rows.scan(inbox, 'at', [{ prefix: ['waiting'] }], { limit: 1, columns: ['at'] });
        const dead = yield* rows.scan(inbox, 'at', [{ prefix: ['dead_lettered'] }], { limit });
        const [allWaiting = 0, deadLettered = 0] = yield* rows.count(inbox, 'at', [
          { prefix: ['waiting'] },
          { prefix: ['dead_lettered'] },
        ]);
        return {
          waiting: allWaiting,
          oldestDueMs: first ? Math.max(0, now - first.at) : 0,
          deadLettered,
          deadLetters: dead.map(({ key, body, attempts }) => ({ key, body, attempts })),
        };
      }),
    completeIn: (tx, name, keep = 35 * day) =>
      store.join(tx, function* (rows) {
        const now = yield* rows.now();
        const done: InboxRow = { ...waiting(storableKey(name), '', now + keep), state: 'done' };
        return yield* putInTurn(rows, inbox, done, (known) => known.state !== 'done' || known.at <= now);
      }),
    advanceIn: (tx, object, timestamp, keep = 35 * day) =>
      store.join(tx, function* (rows) {
        const now = yield* rows.now();
        const latest: InboxRow = { ...waiting(storableKey(object), '', now + keep), state: 'done', timestamp };
        return yield* putInTurn(rows, inbox, latest, (known) =>
          mayAdvance(timestamp, now, { timestamp: known.timestamp, until: known.at }),
        );
      }),
  };
};
