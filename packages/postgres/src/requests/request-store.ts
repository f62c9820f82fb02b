import type { AccountRef, HistoryEntry, RequestStore } from '@partnerkit/core/requests';
import type { Database } from '../database/database.ts';
import { createRequestHistoryList } from './list-request-history.ts';
import { createRequestList } from './list-requests.ts';
import { emailKey, parentOf, type RequestKind, type Row } from './request-kind.ts';

/** The objects of one kind. A write is one statement, including the history it adds. @internal */
export const createRequestStore = <Tx extends object, R extends Row>(
  database: Database<Tx>,
  kind: RequestKind,
): RequestStore<Tx, R> => {
  const { sql, run, runIn } = database;
  // Uses the primary key alone: no list index supports `is not distinct from`, so one plan fits tables of any size.
  const isRecord = 'kind = $1 and id = $2 and (account_id, environment) is not distinct from ($3, $4)';
  // Entries belong to the written version, in the order of their steps.
  const history = `insert into partnerkit.request_history (kind, id, version, step, entry)
      select $1, $2, $5::int, nth - 1, entry from written, unnest($13::text[]) with ordinality as given(entry, nth)`;
  const insert = sql(`with written as (
      insert into partnerkit.requests (kind, id, account_id, environment, version, status, reference, recipient_email,
        parent_id, created_at, updated_at, record)
      values ($1, $2, $3, $4, $5::int, $6, $7, $8, $9, $10::float8, $11::float8, $12) returning 1
    )
    ${history}`);
  const replace = sql(`with written as (
      update partnerkit.requests set version = $5::int, status = $6, reference = $7, recipient_email = $8,
        parent_id = $9, created_at = $10::float8, updated_at = $11::float8, record = $12
      where ${isRecord} and version = $5::int - 1 returning 1
    ), history as (${history})
    select 1 as written from written`);
  const remove = sql(`with removed as (
      delete from partnerkit.requests where ${isRecord} and version = $5::int returning 1
    ), history as (
      delete from partnerkit.request_history where kind = $1 and id = $2 and exists (select from removed)
    )
    select 1 as removed from removed`);
  const find = sql(`select record from partnerkit.requests where ${isRecord}`);

  const key = (account: AccountRef, id: string) => [kind.name, id, account.id, account.environment];
  const keyOf = ({ id, accountId, environment }: R) => key({ id: accountId, environment }, id);
  const values = (record: R, entries: readonly HistoryEntry[]) => [
    ...keyOf(record),
    record.version,
    record.status,
    record.reference ?? null,
    record.recipient ? emailKey(record.recipient.email) : null,
    parentOf(kind, record),
    record.createdAt,
    record.updatedAt,
    JSON.stringify(record),
    entries.map((entry) => JSON.stringify(entry)),
  ];

  return {
    insert: async (tx, record, entries) => {
      await runIn(tx)(insert, values(record, entries));
    },
    find: async (account, id, tx) => {
      const [row] = await (tx ? runIn(tx) : run)(find, key(account, id));
      return row && JSON.parse(String(row['record']));
    },
    replace: async (tx, record, entries) => (await runIn(tx)(replace, values(record, entries))).length > 0,
    remove: async (tx, record) => (await runIn(tx)(remove, [...keyOf(record), record.version])).length > 0,
    list: createRequestList<Tx, R>(database, kind),
    listHistory: createRequestHistoryList(database, kind),
  };
};
