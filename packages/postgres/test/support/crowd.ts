import { shardOf } from '@partnerkit/core/adapter';
import type { Pool } from 'pg';

/** Events of one account, as if they had been published: of as many objects. */
export const fillOutbox = (pool: Pool, accountId: string, count: number): Promise<unknown> =>
  pool.query(
    `with stored as (
      insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
      select $2, gen_random_uuid(), 'RequestPayment', 'of-' || nth, 'payed', now(),
        ',"data":{"id":"of-' || nth || '"},"objectName":"RequestPayment","type":"payed"}'
      from generate_series(1, $3::int) nth returning account_id, id, object_id
    )
    insert into partnerkit.outbox (shard, account_id, event_id, object_hash)
    select $1::int, account_id, id, hashtextextended(object_id, 0) from stored`,
    [shardOf(accountId), accountId, count],
  );
