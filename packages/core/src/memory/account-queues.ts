import type { ShardRange } from '../deliveries/delivery-store.ts';
import { compareBytes } from './byte-order.ts';
import { createSorted } from './sorted.ts';

/** What waits in one shard: a queue for each account, accounts in the order of the bytes of their ids. @internal */
export interface AccountQueues<T> {
  add(accountId: string, row: T): void;
  /** Appends up to `limit` rows of a range to `found`, which is full once it has as many. */
  read(range: Omit<ShardRange, 'shard'>, limit: number, found: T[]): void;
  /** All that waits, of one account or of all. */
  rows(accountId?: string): Iterable<T>;
}

interface Queue<T> {
  readonly accountId: string;
  readonly rows: T[];
  /** Rows before it no longer wait. */
  head: number;
}

/** How many rows that no longer wait are let go at once: dropping each would move all others. */
const maxGone = 512;

/** A row waits until `isWaiting` says otherwise; a read drops those that do not. @internal */
export const createAccountQueues = <T>(isWaiting: (row: T) => boolean): AccountQueues<T> => {
  const queues = new Map<string, Queue<T>>();
  const order = createSorted<Queue<T>>((a, b) => compareBytes(a.accountId, b.accountId));

  /** Drops what no longer waits at its head. Says whether anything is left. */
  const trim = (queue: Queue<T>): boolean => {
    const { rows } = queue;
    while (queue.head < rows.length && !isWaiting(rows[queue.head] as T)) queue.head++;
    if (queue.head === rows.length) return false;
    if (queue.head >= maxGone) {
      rows.splice(0, queue.head);
      queue.head = 0;
    }
    return true;
  };

  return {
    add: (accountId, row) => {
      const known = queues.get(accountId);
      if (known) {
        known.rows.push(row);
        return;
      }
      const queue = { accountId, rows: [row], head: 0 };
      queues.set(accountId, queue);
      order.add(queue);
    },
    read: ({ after, before }, limit, found) => {
      if (order.size() === 0 || found.length >= limit) return;
      const empty: Queue<T>[] = [];
      const isIn = after === undefined ? undefined : (each: Queue<T>) => compareBytes(each.accountId, after) > 0;
      for (const queue of order.from(isIn)) {
        if (found.length >= limit || (before !== undefined && compareBytes(queue.accountId, before) >= 0)) break;
        if (!trim(queue)) empty.push(queue);
        for (let at = queue.head; at < queue.rows.length && found.length < limit; at++) {
          const row = queue.rows[at] as T;
          if (isWaiting(row)) found.push(row);
        }
      }
      for (const queue of empty) {
        order.delete(queue);
        queues.delete(queue.accountId);
      }
    },
    rows: function* (accountId) {
      const asked = accountId === undefined ? queues.values() : [queues.get(accountId)];
      for (const queue of asked) for (const row of queue?.rows ?? []) if (isWaiting(row)) yield row;
    },
  };
};
