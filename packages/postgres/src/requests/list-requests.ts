import { pageLimit } from '@partnerkit/core/ports';
import type { RequestFilter, RequestStore } from '@partnerkit/core/requests';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import type { SqlValue } from '../drivers/driver.ts';
import { emailKey, parentOf, type RequestKind, type Row } from './request-kind.ts';

/** Maximum number of rows that a page reads when no index covers the filter. */
const maxLookedAt = 1_000;

/** A position in a list: a time, then an id. */
type Position = readonly [at: number, id: string];
const readCursor = (cursor: string): Position | undefined => {
  const [, at, id = ''] = /^(\d{1,15}(?:\.\d{1,9})?)_(.{1,256})$/s.exec(cursor) ?? [];
  return id.length > 0 && id.isWellFormed() && !id.includes('\0') ? [Number(at), id] : undefined;
};
/** Times before and after all others, in a form that every driver binds. */
const [beginning, end] = [-1, Number.MAX_SAFE_INTEGER];

/** Both directions: the bound where a page starts, and how rows compare to the previous position. */
const directions = {
  oldestFirst: { by: 'asc', follows: '>', stops: '<', isBefore: (a: number, b: number) => a < b },
  newestFirst: { by: 'desc', follows: '<', stops: '>=', isBefore: (a: number, b: number) => a >= b },
} as const;

/** The columns with an index for each order, most selective first. */
const searched = ['reference', 'recipient_email', 'parent_id'] as const;

/** A condition, without the number of its parameter. */
interface Condition {
  readonly sql: (parameter: string) => string;
  readonly value: SqlValue | readonly string[];
}

/** A filter in terms of columns. `undefined`: no row of this kind matches. */
const readFilter = (kind: RequestKind, filter: RequestFilter) => {
  const { statuses, reference, recipientEmail, templateId, depositId } = filter;
  const parents = [templateId, depositId].filter((id) => id !== undefined);
  const parent = parentOf(kind, filter);
  if (parents.length > (parent === null ? 0 : 1)) return undefined;
  return {
    /** Without duplicates. */
    statuses: kind.statuses.filter((status) => statuses?.includes(status) ?? true),
    hasStatuses: statuses !== undefined,
    texts: {
      reference,
      recipient_email: recipientEmail === undefined ? undefined : emailKey(recipientEmail),
      parent_id: parent ?? undefined,
    },
  };
};

/** Which index to read, and which conditions to check row by row. */
const planOf = (kind: RequestKind, filter: RequestFilter) => {
  const asked = readFilter(kind, filter);
  if (!asked) return undefined;
  const byUpdate = filter.updatedFrom !== undefined || filter.updatedTo !== undefined;
  const column = searched.find((name) => asked.texts[name] !== undefined) ?? 'status';
  const others = searched.filter((name) => name !== column && asked.texts[name] !== undefined);
  const rest: readonly (Condition | false)[] = [
    asked.hasStatuses &&
      column !== 'status' && { sql: (parameter) => `r.status = any(${parameter}::text[])`, value: asked.statuses },
    ...others.map((name) => ({
      sql: (parameter: string) => `r.${name} = ${parameter}::text`,
      value: asked.texts[name] ?? null,
    })),
    byUpdate &&
      filter.createdFrom !== undefined && {
        sql: (parameter) => `r.created_at >= ${parameter}::float8`,
        value: filter.createdFrom,
      },
    byUpdate &&
      filter.createdTo !== undefined && {
        sql: (parameter) => `r.created_at < ${parameter}::float8`,
        value: filter.createdTo,
      },
  ];
  return {
    column,
    values: column === 'status' ? asked.statuses : [asked.texts[column] ?? ''],
    time: byUpdate ? 'updated_at' : 'created_at',
    from: byUpdate ? filter.updatedFrom : filter.createdFrom,
    to: byUpdate ? filter.updatedTo : filter.createdTo,
    rest: rest.filter((condition) => condition !== false),
  } as const;
};
type Plan = NonNullable<ReturnType<typeof planOf>>;
type Direction = (typeof directions)[keyof typeof directions];

/**
 * A page of rows whose column has one of the values `$4`. For each value, at most `$8` rows are read in the order of
 * its index; the parts are merged. When `$8` rows were read, a last row without a record holds the position.
 */
const statementOf = ({ column, time, rest }: Plan, { by, follows, stops }: Direction): string => {
  const fits = rest.map(({ sql }, nth) => sql(`$${nth + 10}`)).join(' and ');
  const order = `at ${by}, id ${by}`;
  return `with looked as materialized (
      select part.* from unnest($4::text[]) value cross join lateral (
        select r.${time} as at, r.id, ${fits === '' ? 'r.record' : `case when ${fits} then r.record end as record`}
        from partnerkit.requests r
        where r.account_id = $1 and r.environment = $2 and r.kind = $3 and r.${column} = value and r.${time} >= 0
          and (r.${time}, r.id) ${follows} ($5::float8, $6) and r.${time} ${stops} $7::float8
        order by r.${time} ${by}, r.id ${by} limit $8::int
      ) part where ${plannedAnew('$1')} order by ${order} limit $8::int
    )
    select at::text as at, id, record from (
      (select at, id, record from looked where record is not null order by ${order} limit $9::int)
      union all
      (select at, id, null from looked order by ${order} offset $8::int - 1 limit 1)
    ) shown order by shown.at ${by}, shown.id ${by}, record is null`;
};

/** Lists the objects of one kind. A page with a `next` may be short or empty. @internal */
export const createRequestList =
  <Tx extends object, R extends Row>({ sql, run }: Database<Tx>, kind: RequestKind): RequestStore<Tx, R>['list'] =>
  async (account, page, filter = {}) => {
    const cursor = page.after === undefined ? undefined : readCursor(page.after);
    if (page.after !== undefined && !cursor) return { items: [], invalidCursor: true };
    const plan = planOf(kind, filter);
    if (!plan || plan.values.length === 0) return { items: [] };
    const direction = page.newestFirst ? directions.newestFirst : directions.oldestFirst;
    const from = plan.from ?? beginning;
    const to = plan.to ?? end;
    const [begin, stop] = page.newestFirst ? [to, from] : [from, to];
    // The empty text is before every id. A cursor outside the requested period moves to its bound.
    const after = cursor && !direction.isBefore(cursor[0], begin) ? cursor : ([begin, ''] as const);
    const limit = pageLimit(page);
    const lookedAt = plan.rest.length === 0 ? limit + 1 : maxLookedAt;
    const rows = await run(sql(statementOf(plan, direction)), [
      account.id,
      account.environment,
      kind.name,
      plan.values,
      ...after,
      stop,
      lookedAt,
      limit + 1,
      ...plan.rest.map(({ value }) => value),
    ]);
    const found = rows.filter(({ record }) => record !== null);
    const shown = found.slice(0, limit);
    const items = shown.map(({ record }) => JSON.parse(String(record)) as R);
    const last = found.length > limit ? shown.at(-1) : rows.find(({ record }) => record === null);
    return last ? { items, next: `${last['at']}_${last['id']}` } : { items };
  };
