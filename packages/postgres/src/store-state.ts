import type { StoreState } from '@partnerkit/core';
import type { SqlRow } from './driver.ts';
import { ms } from './fragments.ts';

/** What the statements of deliveries answer beside their rows, in a row of its own. @internal */
export const stateColumns = `${ms('now()')} as now,
  (select string_agg(version::text, ',' order by shard) from partnerkit.endpoint_versions) as versions,
  (select coalesce(sum(include_children), 0) > 0 from partnerkit.endpoint_versions)::text as children`;

/** @internal */
export const stateOf = (row: SqlRow | undefined): StoreState => ({
  now: Number(row?.['now']),
  endpointVersions: String(row?.['versions']),
  hasIncludeChildren: row?.['children'] === 'true',
});

/** A statement of the state and rows: the first row has the state alone, the others nothing of it. `rows` has no columns but these. @internal */
export const withState = (columns: Readonly<Record<string, string>>, rows: string): string => `
  select ${stateColumns}, ${Object.entries(columns)
    .map(([name, expression]) => `null::${/::(\w+)$/.exec(expression)?.[1] ?? 'text'} as ${name}`)
    .join(', ')}
  union all
  (select null, null, null, ${Object.values(columns).join(', ')} ${rows})`;
