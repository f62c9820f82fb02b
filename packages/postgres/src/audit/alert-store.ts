import type { AlertStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { auditedBy } from './append-audit.ts';

const [accountId, address] = [value('accountId', 'text'), value('address', 'text')];

const find = statement`select address from ${t.alert_addresses} where account_id = ${accountId}`;
const set = statement`insert into ${t.alert_addresses} as known (account_id, address) values (${accountId}, ${address})
  on conflict (account_id) do update set address = excluded.address where known.address <> excluded.address
  returning 1 as changed`;
const insert = statement`insert into ${t.alert_addresses} (account_id, address) values (${accountId}, ${address})
  on conflict (account_id) do nothing returning 1 as changed`;
const remove = statement`delete from ${t.alert_addresses} where account_id = ${accountId} returning 1 as changed`;

/** Addresses for alerts. */
export const alertStore = <Tx extends object>(database: Database<Tx>): AlertStore => {
  const audited = auditedBy(database);
  return {
    findAddress: async (accountId) => {
      const [row] = await database.run(find, { accountId });
      return row && String(row['address']);
    },
    setAddress: async (accountId, address, audit) => {
      await audited(audit, async (own) => {
        const changed =
          address === undefined ? await own(remove, { accountId }) : await own(set, { accountId, address });
        return changed.length > 0;
      });
    },
    insertAddress: (accountId, address, audit) =>
      audited(audit, async (own) => (await own(insert, { accountId, address })).length > 0),
  };
};
