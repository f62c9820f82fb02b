import type { ReferenceKey, ReferenceStore } from '@partnerkit/core/requests';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';

/** References in use. @internal */
export const createReferenceStore = <Tx extends object>({ sql, runIn }: Database<Tx>): ReferenceStore<Tx> => {
  const isKey = 'account_id = $1 and environment = $2 and object = $3 and reference = $4';
  // Waits for the transaction that claims or releases it.
  const insert = sql(`insert into partnerkit.request_references (account_id, environment, object, reference, object_id)
    values ($1, $2, $3, $4, $5) on conflict do nothing returning 1 as claimed`);
  const find = sql(
    `select object_id as holder from partnerkit.request_references where ${isKey} and ${plannedAnew('$1')}`,
  );
  const remove = sql(
    `delete from partnerkit.request_references where ${isKey} and object_id = $5 and ${plannedAnew('$1')}`,
  );
  const values = ({ account, object, reference }: ReferenceKey) => [account.id, account.environment, object, reference];

  return {
    claim: async (tx, key, objectId) => {
      const run = runIn(tx);
      for (;;) {
        const claimed = await run(insert, [...values(key), objectId]);
        if (claimed.length > 0) return true;
        // A separate statement: it sees commits made while the first one waited.
        const [row] = await run(find, values(key));
        // Without a row it was released between the two statements.
        if (row) return String(row['holder']) === objectId;
      }
    },
    release: async (tx, key, objectId) => {
      await runIn(tx)(remove, [...values(key), objectId]);
    },
  };
};
