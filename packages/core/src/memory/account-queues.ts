import type { ShardRange } from '../deliveries/delivery-store.ts';
import { compareBytes } from '../runtime/byte-order.ts';
import { createSorted } from './sorted.ts';

/** The waiting rows of one shard: one queue per account, accounts in the byte order of their ids. @internal */
export interface AccountQueues<T> {
  /** Appends a row to the queue of an account. */
  add(accountId: string, row: T): void;
  /** Appends rows of a range to `found`, until it has `limit`. */
  read(range: Omit<ShardRange, 'shard'>, limit: number, found: T[]): void;
  /** All waiting rows, of one account or of all. */
  rows(accountId?: string): Iterable<T>;
}

interface Queue<T> {
  readonly accountId: string;
  readonly rows: T[];
  /** Index of the first row that may wait. */
  head: number;
}

/** Maximum number of removed rows at the head: removing each one would move all others. */
const maxGone = 512;

/** A row waits while `isWaiting` accepts it; reads drop other rows. @internal */
export const createAccountQueues = <T>(isWaiting: (row: T) => boolean): AccountQueues<T> => {
  const queues = new Map<string, Queue<T>>();
  const order = createSorted<Queue<T>>((a, b) => compareBytes(a.accountId, b.accountId));

  /** Drops rows at the head that no longer wait. Returns whether rows are left. */
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
