import type { StoreState } from '@partnerkit/core/adapter';
import { ms } from '../database/fragments.ts';
import { numbersOf } from '../database/numbers-of.ts';
import { columnsOf, nullsOf, type Selection } from '../database/selection.ts';
import { join, type Part, sql, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlRow } from '../drivers/driver.ts';

const known = value('knownVersion', 'bigint');

/** The state of the store, in a row of its own: of the row `c` of `endpoint_changes`. */
export const stateColumns = sql`${ms('now()')} as now, c.version::text as version,
  case when c.version > ${known} then array(select shard from ${t.endpoint_versions} where version > ${known})::text end as changed,
  (c.include_children > 0)::text as children,
  case when c.version > ${known} then coalesce(
    (select json_agg(json_build_object('name', name, 'events', events) order by name) from ${t.handlers}), '[]')::text end as handlers`;

/** The state from its row. */
export const stateOf = (row: SqlRow | undefined): StoreState => ({
  now: Number(row?.['now']),
  endpointVersion: Number(row?.['version']),
  changedShards: numbersOf(String(row?.['changed'] ?? '{}')),
  hasIncludeChildren: row?.['children'] === 'true',
  ...(typeof row?.['handlers'] === 'string' ? { handlers: JSON.parse(row['handlers']) } : {}),
});

/**
 * A statement for state and rows: the first row has only the state, the others only what is selected. `rows` has no
 * other columns.
 */
export const withState = <const P extends Part>(selection: Selection, rows: P) => sql`
  select ${stateColumns}, ${nullsOf(selection)} from ${t.endpoint_changes} c
  union all
  (select null, null, null, null, null, ${join(columnsOf(selection), ', ')} ${rows})`;
