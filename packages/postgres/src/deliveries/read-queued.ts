import type { DeliveryStore } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { keyColumns } from './pending.ts';
import { deliveryOf, isNotAmong, readPending } from './read-due.ts';
import { stateOf } from './store-state.ts';

const ofQueue = `shard = q.shard and account_id = q.account_id and endpoint_id = q.endpoint_id and state = 'queued'`;

/** Attempted deliveries have an index of their own; the others follow by due time. */
const rows = `unnest($1::int[], $2::text[], $3::uuid[], $4::int[], $5::boolean[]) as q(shard, account_id, endpoint_id, most, by_attempts)
    cross join lateral (
      (select * from partnerkit.pending where ${ofQueue} and attempts > 0 and q.by_attempts and ${isNotAmong(6)}
        order by attempts desc, due_at limit q.most)
      union all
      (select * from partnerkit.pending where ${ofQueue} and (attempts = 0 or not q.by_attempts) and ${isNotAmong(6)}
        order by due_at, event_id, replay limit q.most)
      limit q.most
    ) p`;

/** Reads queues. @internal */
export const readQueued = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryStore['readQueued'] => {
  const read = sql(readPending(rows, ''));
  return async (queues, except) => {
    const [state, ...found] = await run(read, [
      queues.map(({ shard }) => shard),
      queues.map(({ accountId }) => accountId),
      queues.map(({ endpointId }) => endpointId),
      queues.map(({ limit }) => limit),
      queues.map(({ order }) => order === 'attempts'),
      ...keyColumns(except),
    ]);
    return { ...stateOf(state), deliveries: found.map(deliveryOf) };
  };
};
