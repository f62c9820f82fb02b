import type { StoreState } from '@partnerkit/core/ports';
import { ms } from '../database/fragments.ts';
import { columnsOf, nullsOf, type Selection } from '../database/selection.ts';
import { join, type Part, sql } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlRow } from '../drivers/driver.ts';

/** Whether any endpoint receives events of child accounts. @internal */
export const hasIncludeChildren = sql`exists (select from ${t.endpoint_versions} where include_children > 0)`;

/** The state of the store, in a row of its own. @internal */
export const stateColumns = sql`${ms('now()')} as now,
  array(select version from ${t.endpoint_versions} order by shard)::text as versions,
  ${hasIncludeChildren}::text as children`;

/** The state from its row. @internal */
export const stateOf = (row: SqlRow | undefined): StoreState => ({
  now: Number(row?.['now']),
  // An array literal without its braces.
  endpointVersions: String(row?.['versions']).slice(1, -1),
  hasIncludeChildren: row?.['children'] === 'true',
});

/**
 * A statement for state and rows: the first row has only the state, the others only what is selected. `rows` has no
 * other columns.
 * @internal
 */
export const withState = <const P extends Part>(selection: Selection, rows: P) => sql`
  select ${stateColumns}, ${nullsOf(selection)}
  union all
  (select null, null, null, ${join(columnsOf(selection), ', ')} ${rows})`;
