import type { DeliveryLog } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { ms } from '../database/fragments.ts';
import { type Columns, type Part, rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { zero } from '../database/uuid.ts';

const hour = 3_600_000;

/** Adds the failed deliveries among the rows of a CTE to the current hour. */
export const countFailed = <const P extends Part>(from: P) => sql`
    insert into ${t.failed_hours} as f (hour, account_id, endpoint_id, state, deliveries)
    select floor(${ms('now()')} / ${hour}) * ${hour}, account_id, endpoint_id, state, count(*) from ${from}
    where state in ('exhausted', 'expired') group by account_id, endpoint_id, state order by account_id, endpoint_id, state
    on conflict (hour, account_id, endpoint_id, state) do update set deliveries = f.deliveries + excluded.deliveries`;

const read = statement`select hour, account_id as account, endpoint_id::text as endpoint, state, deliveries from ${t.failed_hours}
  where hour <= ${ms('now()')} - ${hour} - ${value('age', 'float8')}
    and (hour, account_id, endpoint_id, state) > (${value('hour', 'float8')}, ${value('account', 'text')}, ${value('endpoint', 'uuid')}, ${value('state', 'text')})
  order by hour, account_id, endpoint_id, state limit ${value('limit', 'int')}`;

type Key = Parameters<DeliveryLog['deleteFailedHours']>[0][number];
const keys = rows('hours', {
  hour: ['float8', ({ hour }) => hour],
  account_id: ['text', ({ accountId }) => accountId],
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
  state: ['text', ({ state }) => state],
} satisfies Columns<Key>);
const drop = statement`delete from ${t.failed_hours} f using ${keys.few('k')}
  where f.hour = k.hour and f.account_id = k.account_id and f.endpoint_id = k.endpoint_id and f.state = k.state`;

/** Reads a page of the hours that ended some time ago. */
export const readFailedHours =
  ({ run }: Pick<Database<object>, 'run'>): DeliveryLog['readFailedHours'] =>
  async (age, { after, limit }) => {
    const from = { hour: after?.hour ?? -1, account: after?.accountId ?? '', endpoint: after?.endpointId ?? zero };
    const found = await run(read, { age, limit, ...from, state: after?.state ?? '' });
    return found.map((row) => ({
      hour: Number(row['hour']),
      accountId: String(row['account']),
      endpointId: String(row['endpoint']),
      state: row['state'] === 'expired' ? 'expired' : 'exhausted',
      deliveries: Number(row['deliveries']),
    }));
  };

export const deleteFailedHours =
  ({ run }: Pick<Database<object>, 'run'>): DeliveryLog['deleteFailedHours'] =>
  async (hours) => {
    await run(drop, { hours });
  };
