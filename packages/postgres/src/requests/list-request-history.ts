import { pageLimit } from '@partnerkit/core/ports';
import type { HistoryEntry, RequestStore, StoredRecord } from '@partnerkit/core/requests';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import type { RequestKind } from './request-kind.ts';

/** Versions and steps are stored as `integer`. */
const maxInteger = 2 ** 31 - 1;

const readCursor = (cursor: string): readonly [version: number, step: number] | undefined => {
  const [, version, step] = /^(\d{1,10})_(\d{1,10})$/.exec(cursor) ?? [];
  const position = [Number(version), Number(step)] as const;
  return position.every((part) => part <= maxInteger) ? position : undefined;
};

/** Lists the history of one object. @internal */
export const createRequestHistoryList = <Tx extends object>(
  { sql, run }: Database<Tx>,
  kind: RequestKind,
): RequestStore<Tx, StoredRecord>['listHistory'] => {
  const statement = (follows: '>' | '<', direction: 'asc' | 'desc'): string =>
    sql(`select entry from partnerkit.request_history
      where kind = $1 and id = $2 and (version, step) ${follows} ($5::int, $6::int)
        and exists (select from partnerkit.requests
          where kind = $1 and id = $2 and account_id = $3 and environment = $4)
        and ${plannedAnew('$1')}
      order by version ${direction}, step ${direction} limit $7::int`);
  const [oldestFirst, newestFirst] = [statement('>', 'asc'), statement('<', 'desc')];

  return async (account, id, page) => {
    const first = page.newestFirst ? ([maxInteger, maxInteger] as const) : ([-1, -1] as const);
    const after = page.after === undefined ? first : readCursor(page.after);
    if (!after) return { items: [], invalidCursor: true };
    const limit = pageLimit(page);
    const rows = await run(page.newestFirst ? newestFirst : oldestFirst, [
      kind.name,
      id,
      account.id,
      account.environment,
      ...after,
      limit + 1,
    ]);
    const items = rows.slice(0, limit).map(({ entry }): HistoryEntry => JSON.parse(String(entry)));
    const last = items.at(-1);
    return rows.length > limit && last ? { items, next: `${last.version}_${last.step}` } : { items };
  };
};
