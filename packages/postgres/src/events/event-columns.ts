import { type DispatchedEvent, envelopeText, type NewEvent, shardOf } from '@partnerkit/core/adapter';
import { moment, ms } from '../database/fragments.ts';
import type { Selection } from '../database/selection.ts';
import { type Column, type Columns, type Constants, type Fragment, join, sql } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { objectHashOf } from './object-hash.ts';

/** A field of an event that has a column. */
type Field = Exclude<keyof NewEvent, 'accountId'>;

interface EventColumn {
  readonly name: string;
  readonly type: 'text' | 'uuid' | 'time';
  /** Whether most events have none. */
  readonly isRare?: boolean;
  /** What the copy of an event `e` for a parent has; `null`: nothing. Absent: the same. */
  readonly inCopy?: string | null;
}

/** The columns. One more is a line here and a migration. */
const columns: Readonly<Record<Field, EventColumn>> = {
  id: { name: 'id', type: 'uuid' },
  objectName: { name: 'object_name', type: 'text' },
  objectId: { name: 'object_id', type: 'text' },
  type: { name: 'type', type: 'text' },
  occurredAt: { name: 'occurred_at', type: 'time', isRare: true, inCopy: 'to_timestamp(e.timestamp)' },
  idempotencyKey: { name: 'idempotency_key', type: 'text', isRare: true, inCopy: null },
  bodyTail: { name: 'body_tail', type: 'text' },
  traceContext: { name: 'trace_context', type: 'text', isRare: true },
  onlyTo: { name: 'only_to', type: 'uuid', isRare: true, inCopy: null },
  origin: { name: 'origin', type: 'text', isRare: true, inCopy: 'e.account_id' },
};

/** The columns. `alias` is one word: some drivers rewrite others. */
const all = (Object.entries(columns) as [Field, EventColumn][]).map(([field, column]) => ({
  ...column,
  field,
  alias: column.name.replaceAll('_', ''),
}));

/** A row of `outbox`, as bound: shares the arrays of `eventColumns`. */
export const outboxColumns: Columns<NewEvent> = {
  shard: ['int', ({ accountId }) => shardOf(accountId)],
  account_id: ['text', ({ accountId }) => accountId],
  id: ['uuid', ({ id }) => id],
  object_hash: ['bigint', ({ accountId, objectId }) => objectHashOf(accountId, objectId)],
};

/** A row of `events`, as bound. */
export const eventColumns: Columns<NewEvent> = {
  account_id: ['text', ({ accountId }) => accountId],
  ...Object.fromEntries(
    all.map(({ name, type, field }): [string, Column<NewEvent>] => {
      const of = (event: NewEvent) => event[field] ?? null;
      return [name, type === 'time' ? ['float8', of, moment] : [type, of]];
    }),
  ),
};

/** What most events have in a row of `events`. */
export const usualEvent: Constants = Object.fromEntries(
  all.filter(({ isRare }) => isRare).map(({ name }) => [name, null]),
);

const copied = all.filter(({ inCopy }) => inCopy !== null);

/** The copy of an event `e` for a parent: the names of its columns, and what they have. */
export const copy = {
  names: copied.map(({ name }) => name).join(', '),
  values: copied.map(({ name, inCopy }) => inCopy ?? `e.${name}`).join(', '),
};

/** The event in a row `of` of `events`, to select. */
export const eventSelection = (of: string): Selection =>
  Object.fromEntries(all.map(({ alias, name, type }) => [alias, [type, `${of}.${name}`]]));

/** The event of an account from its selected row. */
export const newEventOf = (row: SqlRow, accountId: string): NewEvent => {
  const event: Record<string, string | number> = { accountId };
  for (const { alias, type, field } of all) {
    const stored = row[alias];
    if (stored !== null) event[field] = type === 'time' ? Number(stored) : String(stored);
  }
  // The columns are those of its fields.
  return event as unknown as NewEvent;
};

/** Dispatched events `e`. */
export const dispatchedEvents = sql`(
    select e.*, d.timestamp, d.dispatched_at from ${t.events} e join ${t.dispatches} d on d.account_id = e.account_id and d.event_id = e.id
  ) e`;

/** A dispatched event `e` with its `timestamp`, without its account, to select. */
export const dispatchedSelection: Selection = { ...eventSelection('e'), timestamp: ['float8', 'e.timestamp'] };

/** The dispatched event of an account from its selected row. */
export const dispatchedEventOf = (row: SqlRow, accountId: string): DispatchedEvent => {
  const [event, timestamp] = [newEventOf(row, accountId), Number(row['timestamp'])];
  return { ...event, timestamp, body: envelopeText(timestamp, event.bodyTail) };
};

/** An event `e` as JSON, with or without the text of its body, which is long. */
export const eventJson = (timestamp: Fragment, { withBody }: { readonly withBody: boolean }): Fragment => {
  const shown = all.filter(({ field }) => withBody || field !== 'bodyTail');
  const fields = shown.map(
    ({ field, name, type }) => sql`'${field}', ${type === 'time' ? ms(`e.${name}`) : `e.${name}`}`,
  );
  return sql`json_strip_nulls(json_build_object('accountId', e.account_id, ${join(fields, ', ')}, 'timestamp', ${timestamp}))`;
};
