import type { NewEvent, RequestStore } from '@partnerkit/core/adapter';
import type { AccountRef, RequestHistoryEntry } from '@partnerkit/core/requests';
import type { Database } from '../database/database.ts';
import { type Columns, row, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { type InsertEvents, withWritten } from '../events/insert-events.ts';
import { createRequestHistoryList } from './list-request-history.ts';
import { createRequestList } from './list-requests.ts';
import { emailKey, parentOf, type RequestKind, type Row } from './request-kind.ts';

const [kindName, id, version] = [value('kind', 'text'), value('id', 'text'), value('version', 'int')];
const [accountId, environment] = [value('accountId', 'text'), value('environment', 'text')];

/** An object of a kind. */
interface Stored {
  readonly kind: RequestKind;
  readonly record: Row;
}

const columns: Columns<Stored> = {
  status: ['text', ({ record }) => record.status],
  reference: ['text', ({ record }) => record.reference ?? null],
  recipient_email: ['text', ({ record }) => (record.recipient ? emailKey(record.recipient.email) : null)],
  parent_id: ['text', ({ kind, record }) => parentOf(kind, record)],
  created_at: ['float8', ({ record }) => record.createdAt],
  updated_at: ['float8', ({ record }) => record.updatedAt],
  record: ['text', ({ record }) => JSON.stringify(record)],
};
const fields = row('stored', columns);

/** Uses the primary key alone: no list index supports `is not distinct from`, so one plan fits tables of any size. */
const isRecord = sql`kind = ${kindName} and id = ${id} and (account_id, environment) is not distinct from (${accountId}, ${environment})`;

const [versions, steps, entries] = [value('versions', 'int[]'), value('steps', 'int[]'), value('entries', 'text[]')];
/** Entries belong to the written version; those of an import to earlier ones, too. */
const addHistory = sql`insert into ${t.request_history} (kind, id, version, step, entry)
    select ${kindName}, ${id}, given.version, given.step, given.entry
    from written, unnest(${versions}, ${steps}, ${entries}) as given(version, step, entry)`;

const inserted = sql`with written as (
    insert into ${t.requests} (kind, id, account_id, environment, version, ${fields.names})
    values (${kindName}, ${id}, ${accountId}, ${environment}, ${version}, ${fields.stored}) returning 1
  ), history as (${addHistory})`;

const replaced = sql`with written as (
    update ${t.requests} set version = ${version}, ${fields.assigned}
    where ${isRecord} and version = ${version} - 1 returning 1
  ), history as (${addHistory})`;

const isWritten = sql`select 1 as written from written`;
/** By the number of events. */
const insert = {
  none: statement`${inserted} ${isWritten}`,
  one: statement`${inserted}${withWritten.one}`,
  many: statement`${inserted}${withWritten.many}`,
};
const replace = {
  none: statement`${replaced} ${isWritten}`,
  one: statement`${replaced}${withWritten.one}`,
  many: statement`${replaced}${withWritten.many}`,
};

const remove = statement`with removed as (
    delete from ${t.requests} where ${isRecord} and version = ${version} returning 1
  ), history as (
    delete from ${t.request_history} where kind = ${kindName} and id = ${id} and exists (select 1 from removed)
  )
  select 1 as removed from removed`;

const find = statement`select record from ${t.requests} where ${isRecord}`;
const lock = statement`select record from ${t.requests} where ${isRecord} for update`;

/** The objects of one kind. A write is one statement, including its history and its events. */
export const createRequestStore = <Tx extends object, R extends Row>(
  database: Database<Tx>,
  inserts: InsertEvents,
  kind: RequestKind,
): RequestStore<Tx, R> => {
  const { run, runIn } = database;
  /** Runs a write. Returns whether it wrote. */
  const write = async (
    tx: Tx,
    { none, one, many }: typeof insert | typeof replace,
    values: ReturnType<typeof valuesOf>,
    events: readonly NewEvent[],
  ): Promise<boolean> => {
    const own = runIn(tx);
    const [event, ...others] = events;
    if (!event) return (await own(none, values)).length > 0;
    const rows = await (others.length > 0 ? own(many, { ...values, events }) : own(one, { ...values, event }));
    inserts.wake(rows, events);
    return rows.length > 0;
  };
  const keyOf = (account: AccountRef, id: string) => {
    return { kind: kind.name, id, accountId: account.id, environment: account.environment };
  };
  const versionOf = ({ id, accountId, environment, version }: R) => {
    return { ...keyOf({ id: accountId, environment }, id), version };
  };
  const valuesOf = (record: R, entries: readonly RequestHistoryEntry[]) => {
    return {
      ...versionOf(record),
      stored: { kind, record },
      versions: entries.map(({ version }) => version),
      steps: entries.map(({ step }) => step),
      entries: entries.map((entry) => JSON.stringify(entry)),
    };
  };

  return {
    storesEvents: true,
    insert: async (tx, record, entries, events) => {
      await write(tx, insert, valuesOf(record, entries), events);
    },
    find: async (account, id, tx) => {
      const [row] = await (tx ? runIn(tx) : run)(find, keyOf(account, id));
      return row && JSON.parse(String(row['record']));
    },
    lock: async (tx, account, id) => {
      const [row] = await runIn(tx)(lock, keyOf(account, id));
      return row && JSON.parse(String(row['record']));
    },
    replace: async (tx, record, entries, events) => write(tx, replace, valuesOf(record, entries), events),
    remove: async (tx, record, events) => {
      const own = runIn(tx);
      const isRemoved = (await own(remove, versionOf(record))).length > 0;
      if (isRemoved && events.length > 0) await inserts.joined(own, events);
      return isRemoved;
    },
    list: createRequestList<Tx, R>(database, kind),
    listHistory: createRequestHistoryList(database, kind),
  };
};
