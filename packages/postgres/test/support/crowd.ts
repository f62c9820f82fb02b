import { shardOf } from '@partnerkit/core/ports';
import type { Pool } from 'pg';

/** Events of one account, as if they had been published: of as many objects. */
export const fillOutbox = (pool: Pool, accountId: string, count: number): Promise<unknown> =>
  pool.query(
    `insert into partnerkit.outbox (shard, account_id, id, object_name, object_id, type, stored_at, body_tail)
    select $1::int, $2, gen_random_uuid(), 'RequestPayment', 'of-' || nth, 'payed', now(),
      ',"data":{"id":"of-' || nth || '"},"objectName":"RequestPayment","type":"payed"}'
    from generate_series(1, $3::int) nth`,
    [shardOf(accountId), accountId, count],
  );
