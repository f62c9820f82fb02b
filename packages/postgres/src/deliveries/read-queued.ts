import type { DeliveryStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { rows, sql, statement } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { deliveryOf, isNotAmong, readPending } from './read-due.ts';
import { stateOf } from './store-state.ts';

type Queue = Parameters<DeliveryStore['readQueued']>[0][number];

const queues = rows('queues', {
  shard: ['int', ({ shard }: Queue) => shard],
  account_id: ['text', ({ accountId }: Queue) => accountId],
  endpoint_id: ['uuid', ({ endpointId }: Queue) => endpointId],
  max_rows: ['int', ({ limit }: Queue) => limit],
  by_attempts: ['boolean', ({ order }: Queue) => order === 'attempts'],
});

const ofQueue = `shard = q.shard and account_id = q.account_id and endpoint_id = q.endpoint_id and state = 'queued'`;

/** Attempted deliveries have an index of their own; the others follow by due time. */
const read = statement`${readPending(
  sql`${queues.as('q')}
    cross join lateral (
      (select * from ${t.pending} where ${ofQueue} and attempts > 0 and q.by_attempts and ${isNotAmong}
        order by attempts desc, due_at limit q.max_rows)
      union all
      (select * from ${t.pending} where ${ofQueue} and (attempts = 0 or not q.by_attempts) and ${isNotAmong}
        order by due_at, event_id, replay limit q.max_rows)
      limit q.max_rows
    ) p`,
  plannedAnew(queues.column('shard')),
)}`;

/** Reads queues. */
export const readQueued =
  <Tx extends object>({ run }: Database<Tx>): DeliveryStore['readQueued'] =>
  async (queues, except, knownVersion) => {
    const [state, ...found] = await run(read, { queues, except, knownVersion });
    return { ...stateOf(state), deliveries: found.map(deliveryOf) };
  };
