import type { IdempotencyStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';

const [accountId, clientId, key] = [value('accountId', 'text'), value('clientId', 'text'), value('key', 'text')];

const isKey = sql`account_id = ${accountId} and client_id = ${clientId} and key = ${key}`;

/** Waits for the transaction that holds the key. An expired or never stored response leaves the key free. */
const claim = statement`insert into ${t.idempotent_responses} (account_id, client_id, key, expires_at)
  values (${accountId}, ${clientId}, ${key}, now() + interval '24 hours')
  on conflict (account_id, client_id, key) do update set response = null, expires_at = excluded.expires_at
  where idempotent_responses.response is null or idempotent_responses.expires_at <= now() returning 1 as claimed`;

const find = statement`select response from ${t.idempotent_responses} where ${isKey} and ${plannedAnew(accountId)}`;

/** Deletes a few expired responses on the way. */
const complete = statement`with expired as (
    delete from ${t.idempotent_responses} r using (
      select account_id, client_id, key from ${t.idempotent_responses}
      where expires_at <= now() order by expires_at limit 4 for update skip locked
    ) e where r.account_id = e.account_id and r.client_id = e.client_id and r.key = e.key
  )
  update ${t.idempotent_responses} set response = ${value('response', 'text')} where ${isKey} and ${plannedAnew(accountId)}`;

/** Responses by idempotency key. */
export const createIdempotencyStore = <Tx extends object>({ runIn }: Database<Tx>): IdempotencyStore<Tx> => ({
  claim: async (tx, { accountId, clientId, key }) => {
    const run = runIn(tx);
    const values = { accountId, clientId, key };
    const claimed = await run(claim, values);
    if (claimed.length > 0) return undefined;
    // A separate statement: it sees commits made while the first one waited.
    const [row] = await run(find, values);
    return row && JSON.parse(String(row['response']));
  },
  complete: async (tx, { accountId, clientId, key }, response) => {
    await runIn(tx)(complete, { accountId, clientId, key, response: JSON.stringify(response) });
  },
});
