import { pageLimit, type RequestStore } from '@partnerkit/core/adapter';
import type { RequestHistoryEntry, StoredRequest } from '@partnerkit/core/requests';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { RequestKind } from './request-kind.ts';

/** Versions and steps are stored as `integer`. */
const maxInteger = 2 ** 31 - 1;

const readCursor = (cursor: string): readonly [version: number, step: number] | undefined => {
  const [, version, step] = /^(\d{1,10})_(\d{1,10})$/.exec(cursor) ?? [];
  const position = [Number(version), Number(step)] as const;
  return position.every((part) => part <= maxInteger) ? position : undefined;
};

const [kindName, id] = [value('kind', 'text'), value('id', 'text')];

const list = (follows: '>' | '<', direction: 'asc' | 'desc') => statement`select entry from ${t.request_history}
  where kind = ${kindName} and id = ${id} and (version, step) ${follows} (${value('version', 'int')}, ${value('step', 'int')})
    and exists (select 1 from ${t.requests}
      where kind = ${kindName} and id = ${id} and account_id = ${value('accountId', 'text')} and environment = ${value('environment', 'text')})
    and ${plannedAnew(kindName)}
  order by version ${direction}, step ${direction} limit ${value('limit', 'int')}`;
const [oldestFirst, newestFirst] = [list('>', 'asc'), list('<', 'desc')];

/** Lists the history of one object. */
export const createRequestHistoryList =
  <Tx extends object>({ run }: Database<Tx>, kind: RequestKind): RequestStore<Tx, StoredRequest>['listHistory'] =>
  async (account, id, page) => {
    const first = page.newestFirst ? ([maxInteger, maxInteger] as const) : ([-1, -1] as const);
    const after = page.after === undefined ? first : readCursor(page.after);
    if (!after) return { items: [], invalidCursor: true };
    const [version, step] = after;
    const limit = pageLimit(page);
    const of = { kind: kind.name, id, accountId: account.id, environment: account.environment };
    const rows = await run(page.newestFirst ? newestFirst : oldestFirst, { ...of, version, step, limit: limit + 1 });
    const items = rows.slice(0, limit).map(({ entry }): RequestHistoryEntry => JSON.parse(String(entry)));
    const last = items.at(-1);
    return rows.length > limit && last ? { items, next: `${last.version}_${last.step}` } : { items };
  };
