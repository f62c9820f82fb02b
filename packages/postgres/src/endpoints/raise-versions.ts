import { type Part, sql } from '../database/statement.ts';
import { t } from '../database/tables.ts';

/**
 * CTEs that raise the version of the shards in a subquery; `including`: change in the number of endpoints that receive
 * events of child accounts. The row of all changes is locked last, so that versions are committed in their order.
 */
export const raiseVersions = <const S extends Part, const P extends Part>(shards: S, including: P) => sql`counted as (
    update ${t.endpoint_changes} set version = version + 1, include_children = include_children + ${including}
    where exists (${shards}) returning version
  ), raised as (
    update ${t.endpoint_versions} v set version = c.version from counted c where v.shard in (${shards})
  )`;
