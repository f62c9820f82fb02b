import type { ReferenceKey, ReferenceStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';

const [accountId, environment] = [value('accountId', 'text'), value('environment', 'text')];
const [object, reference, objectId] = [value('object', 'text'), value('reference', 'text'), value('objectId', 'text')];

const isKey = sql`account_id = ${accountId} and environment = ${environment} and object = ${object} and reference = ${reference}`;

/** Waits for the transaction that claims or releases it. */
const insert = statement`insert into ${t.request_references} (account_id, environment, object, reference, object_id)
  values (${accountId}, ${environment}, ${object}, ${reference}, ${objectId}) on conflict do nothing returning 1 as claimed`;

const find = statement`select object_id as holder from ${t.request_references} where ${isKey} and ${plannedAnew(accountId)}`;

const remove = statement`delete from ${t.request_references}
  where ${isKey} and object_id = ${objectId} and ${plannedAnew(accountId)}`;

/** References in use. */
export const createReferenceStore = <Tx extends object>({ runIn }: Database<Tx>): ReferenceStore<Tx> => {
  const valuesOf = ({ account, object, reference }: ReferenceKey) => {
    return { accountId: account.id, environment: account.environment, object, reference };
  };

  return {
    claim: async (tx, key, objectId) => {
      const run = runIn(tx);
      for (;;) {
        const claimed = await run(insert, { ...valuesOf(key), objectId });
        if (claimed.length > 0) return true;
        // A separate statement: it sees commits made while the first one waited.
        const [row] = await run(find, valuesOf(key));
        // Without a row it was released between the two statements.
        if (row) return String(row['holder']) === objectId;
      }
    },
    release: async (tx, key, objectId) => {
      await runIn(tx)(remove, { ...valuesOf(key), objectId });
    },
  };
};
