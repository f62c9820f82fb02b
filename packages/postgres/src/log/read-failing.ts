import type { DeliveryLog } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { ago, ms } from '../database/fragments.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { zero } from '../database/uuid.ts';

/** `due`: whether it fails for long enough. */
const read = statement`select h.account_id as account, h.endpoint_id::text as endpoint, h.failures, ${ms('h.failing_since')} as since, h.last_failure::text as failure,
    (h.open_count > 0 and h.failing_since <= ${ago(value('failingFor', 'float8'))})::text as due
  from ${t.health} h where (h.account_id, h.endpoint_id) > (${value('account', 'text')}, ${value('endpoint', 'uuid')})
  order by h.account_id, h.endpoint_id limit ${value('limit', 'int')}`;

/** Reads a page of the endpoints that fail. */
export const readFailing =
  ({ run }: Pick<Database<object>, 'run'>): DeliveryLog['readFailing'] =>
  async (failingFor, { after, limit }) => {
    const values = { failingFor, limit, account: after?.accountId ?? '', endpoint: after?.endpointId ?? zero };
    const found = (await run(read, values)).map((row) => ({
      isDue: row['due'] === 'true',
      accountId: String(row['account']),
      endpointId: String(row['endpoint']),
      failures: Number(row['failures']),
      failingSince: Number(row['since']),
      ...(row['failure'] === null ? {} : { lastFailure: JSON.parse(String(row['failure'])) }),
    }));
    const last = found.length === limit ? found.at(-1) : undefined;
    return {
      endpoints: found.flatMap(({ isDue, ...endpoint }) => (isDue ? [endpoint] : [])),
      ...(last ? { next: { accountId: last.accountId, endpointId: last.endpointId } } : {}),
    };
  };
