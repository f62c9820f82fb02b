import type { Backlog, DeliveryLog } from '../log/delivery-log.ts';
import type { Clock } from '../runtime/clock.ts';
import { maxCounted } from '../signals/health-change.ts';
import { deliveriesOf, isFresh } from './delivery-facts.ts';
import { dispatchedSince } from './recover.ts';
import type { ShardRow } from './rows.ts';
import type { Tables } from './tables.ts';

interface Counts {
  undispatched: number;
  waiting: number;
  held: number;
  oldest: number;
}

const countPending = ({ accounts }: ShardRow, accountId: string | undefined, counts: Counts): void => {
  for (const account of accounts) {
    if ((accountId ?? account.accountId) !== account.accountId) continue;
    for (const [endpointId, { rows }] of account.pending) {
      const endpoint = account.endpoints.get(endpointId)?.endpoint;
      if (endpoint?.state === 'enabled') {
        counts.waiting += rows.size;
        for (const { dueAt } of rows) counts.oldest = Math.min(counts.oldest, dueAt);
      } else if (endpoint) counts.held += rows.size;
    }
  }
};

const countFresh = (shard: ShardRow, accountId: string | undefined, counts: Counts): void => {
  for (const event of dispatchedSince(shard, shard.watermark)) {
    if ((accountId ?? event.event.accountId) !== event.event.accountId) continue;
    const fresh = deliveriesOf(event).filter(isFresh).length;
    counts.waiting += fresh;
    if (fresh > 0) counts.oldest = Math.min(counts.oldest, event.dispatch.at);
  }
};

/** Counts the backlog. @internal */
export const countBacklog =
  ({ shards, findAccount }: Tables, clock: Clock): DeliveryLog['countBacklog'] =>
  async (accountId): Promise<Backlog> => {
    const counts: Counts = { undispatched: 0, waiting: 0, held: 0, oldest: Number.POSITIVE_INFINITY };
    const counted =
      accountId === undefined ? shards : [findAccount(accountId)?.shard].filter((each) => each !== undefined);
    for (const shard of counted) {
      for (const _ of shard.outbox.rows(accountId)) counts.undispatched++;
      countPending(shard, accountId, counts);
      countFresh(shard, accountId, counts);
    }
    const { undispatched, waiting, held, oldest } = counts;
    const now = clock.now();
    return {
      undispatched: Math.min(undispatched, maxCounted),
      waiting: Math.min(waiting, maxCounted),
      held: Math.min(held, maxCounted),
      ...(oldest <= now ? { oldestDue: now - oldest } : {}),
    };
  };
