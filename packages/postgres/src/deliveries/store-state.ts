import type { StoreState } from '@partnerkit/core/ports';
import { ms } from '../database/fragments.ts';
import type { SqlRow } from '../drivers/driver.ts';

/** Whether any endpoint receives events of child accounts. @internal */
export const hasIncludeChildren = 'exists (select from partnerkit.endpoint_versions where include_children > 0)';

/** The state of the store, in a row of its own. @internal */
export const stateColumns = `${ms('now()')} as now,
  array(select version from partnerkit.endpoint_versions order by shard)::text as versions,
  ${hasIncludeChildren}::text as children`;

/** The state from its row. @internal */
export const stateOf = (row: SqlRow | undefined): StoreState => ({
  now: Number(row?.['now']),
  // An array literal without its braces.
  endpointVersions: String(row?.['versions']).slice(1, -1),
  hasIncludeChildren: row?.['children'] === 'true',
});

/**
 * A statement for state and rows: the first row has only the state, the others only `columns`. `rows` has no other
 * columns.
 * @internal
 */
export const withState = (columns: Readonly<Record<string, string>>, rows: string): string => `
  select ${stateColumns}, ${Object.entries(columns)
    .map(
      ([name, expression]) =>
        `null::${/::(\w+)$/.exec(expression)?.[1] ?? (expression.startsWith('floor') ? 'float8' : 'text')} as ${name}`,
    )
    .join(', ')}
  union all
  (select null, null, null, ${Object.values(columns).join(', ')} ${rows})`;
