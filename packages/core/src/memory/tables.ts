import { shardCount, shardOf } from '../shards/shard.ts';
import { createAccountQueues } from './account-queues.ts';
import { compareDue } from './pending.ts';
import type { AccountRow, DispatchedRow, EndpointRow, EventRow, ShardRow, WorkerRow } from './rows.ts';
import { createSorted } from './sorted.ts';
import { createTable, type Table } from './table.ts';

/** The rows that the ports of deliveries share. @internal */
export interface Tables {
  /** By number. */
  readonly shards: readonly ShardRow[];
  readonly workers: Map<string, WorkerRow>;
  /** All endpoints. */
  readonly endpoints: Table<EndpointRow>;
  /** The row of an account, created if absent. */
  accountOf(accountId: string): AccountRow;
  /** The row of an account, if any. */
  findAccount(accountId: string): AccountRow | undefined;
  /** An event that was not pruned. */
  findEvent(accountId: string, eventId: string): EventRow | undefined;
  /** A dispatched event; it may have been pruned since. */
  findDispatched(accountId: string, eventId: string): DispatchedRow | undefined;
}

const isUndispatched = ({ dispatch }: EventRow): boolean => dispatch === undefined;
const isPropagating = (row: EventRow): boolean => row.isPropagating;
const byDispatch = (a: DispatchedRow, b: DispatchedRow): number =>
  a.dispatch.at - b.dispatch.at || a.dispatch.moment - b.dispatch.moment;

const newShard = (shard: number): ShardRow => ({
  shard,
  owner: undefined,
  watermark: 0,
  prunedTimestamp: undefined,
  accounts: [],
  outbox: createAccountQueues(isUndispatched),
  propagated: createAccountQueues(isPropagating),
  dispatched: createSorted(byDispatch),
  scheduled: createSorted(compareDue),
  queued: new Map(),
});

/** Whether an event was dispatched. @internal */
export const isDispatched = (row: EventRow | undefined): row is DispatchedRow => row?.dispatch !== undefined;

/** Creates empty tables. @internal */
export const createTables = (): Tables => {
  const shards = Array.from({ length: shardCount }, (_, shard) => newShard(shard));
  const accounts = new Map<string, AccountRow>();
  return {
    shards,
    workers: new Map(),
    endpoints: createTable(),
    accountOf: (accountId) => {
      const known = accounts.get(accountId);
      if (known) return known;
      const shard = shards[shardOf(accountId)] as ShardRow;
      const account: AccountRow = {
        accountId,
        shard,
        events: new Map(),
        timestamps: new Map(),
        endpoints: new Map(),
        pending: new Map(),
      };
      accounts.set(accountId, account);
      shard.accounts.push(account);
      return account;
    },
    findAccount: (accountId) => accounts.get(accountId),
    findEvent: (accountId, eventId) => {
      const row = accounts.get(accountId)?.events.get(eventId);
      return row?.isDropped ? undefined : row;
    },
    findDispatched: (accountId, eventId) => {
      const row = accounts.get(accountId)?.events.get(eventId);
      return isDispatched(row) ? row : undefined;
    },
  };
};
