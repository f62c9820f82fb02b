import { pageLimit, type RequestStore } from '@partnerkit/core/adapter';
import type { RequestFilter } from '@partnerkit/core/requests';
import { byShape } from '../database/by-shape.ts';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { join, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
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

/** Conditions to check row by row, and their named values. */
const conditions = {
  statuses: sql`r.status = any(${value('onlyStatuses', 'text[]')})`,
  recipient_email: sql`r.recipient_email = ${value('recipientEmail', 'text')}`,
  parent_id: sql`r.parent_id = ${value('parentId', 'text')}`,
  createdFrom: sql`r.created_at >= ${value('createdFrom', 'float8')}`,
  createdTo: sql`r.created_at < ${value('createdTo', 'float8')}`,
} as const;
type Condition = keyof typeof conditions;

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
  const isChecked: Readonly<Record<Condition, boolean>> = {
    statuses: asked.hasStatuses && column !== 'status',
    recipient_email: column !== 'recipient_email' && asked.texts.recipient_email !== undefined,
    parent_id: column !== 'parent_id' && asked.texts.parent_id !== undefined,
    createdFrom: byUpdate && filter.createdFrom !== undefined,
    createdTo: byUpdate && filter.createdTo !== undefined,
  };
  return {
    values: column === 'status' ? asked.statuses : [asked.texts[column] ?? ''],
    from: byUpdate ? filter.updatedFrom : filter.createdFrom,
    to: byUpdate ? filter.updatedTo : filter.createdTo,
    shape: {
      column,
      time: byUpdate ? 'updated_at' : 'created_at',
      checked: (Object.keys(conditions) as Condition[]).filter((name) => isChecked[name]),
    },
    /** The values of conditions; a statement binds those that it checks. */
    checkedValues: {
      onlyStatuses: asked.statuses,
      recipientEmail: asked.texts.recipient_email ?? '',
      parentId: asked.texts.parent_id ?? '',
      createdFrom: filter.createdFrom ?? 0,
      createdTo: filter.createdTo ?? 0,
    },
  } as const;
};

interface Shape {
  readonly column: (typeof searched)[number] | 'status';
  readonly time: 'updated_at' | 'created_at';
  readonly checked: readonly Condition[];
  readonly direction: keyof typeof directions;
  /** Whether the rows of several accounts are read. Bound values of one account make the better plan. */
  readonly isOfSeveral: boolean;
}

const [accountId, environment, kindName] = [
  value('accountId', 'text'),
  value('environment', 'text'),
  value('kind', 'text'),
];
const [accountIds, environments] = [value('accountIds', 'text[]'), value('environments', 'text[]')];
const several = sql`unnest(${accountIds}, ${environments}) account(id, environment) cross join`;
const [lookedAt, limit] = [value('lookedAt', 'int'), value('limit', 'int')];

/**
 * A page of rows whose column has one of the values. For each account and value, at most `lookedAt` rows are read in
 * the order of its index; the parts are merged. When `lookedAt` rows were read, a last row without a record holds the
 * position.
 */
const statementOf = byShape(({ column, time, checked, direction, isOfSeveral }: Shape) => {
  const { by, follows, stops } = directions[direction];
  const fits = join(
    checked.map((name) => conditions[name]),
    ' and ',
  );
  const isOwn = isOfSeveral
    ? sql`r.account_id = account.id and r.environment = account.environment`
    : sql`r.account_id = ${accountId} and r.environment = ${environment}`;
  const order = `at ${by}, id ${by}`;
  return statement`with looked as materialized (
      select part.*
      from ${isOfSeveral ? several : sql``} unnest(${value('values', 'text[]')}) value cross join lateral (
        select r.${time} as at, r.id, ${checked.length === 0 ? 'r.record' : sql`case when ${fits} then r.record end as record`}
        from ${t.requests} r
        where ${isOwn} and r.kind = ${kindName} and r.${column} = value and r.${time} >= 0
          and (r.${time}, r.id) ${follows} (${value('afterTime', 'float8')}, ${value('afterId', 'text')}) and r.${time} ${stops} ${value('stop', 'float8')}
        order by r.${time} ${by}, r.id ${by} limit ${lookedAt}
      ) part where ${plannedAnew(accountId)} order by ${order} limit ${lookedAt}
    )
    select at::text as at, id, record from (
      (select at, id, record from looked where record is not null order by ${order} limit ${limit})
      union all
      (select at, id, null from looked order by ${order} offset ${lookedAt} - 1 limit 1)
    ) shown order by shown.at ${by}, shown.id ${by}, record is null`;
});

/** Lists the objects of one kind. A page with a `next` may be short or empty. */
export const createRequestList =
  <Tx extends object, R extends Row>({ run }: Database<Tx>, kind: RequestKind): RequestStore<Tx, R>['list'] =>
  async (account, page, filter = {}) => {
    const cursor = page.after === undefined ? undefined : readCursor(page.after);
    if (page.after !== undefined && !cursor) return { items: [], invalidCursor: true };
    const plan = planOf(kind, filter);
    if (!plan || plan.values.length === 0) return { items: [] };
    const direction = page.newestFirst ? 'newestFirst' : 'oldestFirst';
    const from = plan.from ?? beginning;
    const to = plan.to ?? end;
    const [begin, stop] = page.newestFirst ? [to, from] : [from, to];
    // The empty text is before every id. A cursor outside the requested period moves to its bound.
    const [afterTime, afterId] =
      cursor && !directions[direction].isBefore(cursor[0], begin) ? cursor : ([begin, ''] as const);
    const limit = pageLimit(page);
    const accounts = [account, ...(filter.children ?? [])];
    const lookedAt = plan.shape.checked.length === 0 ? limit + 1 : maxLookedAt;
    const rows = await run(statementOf({ ...plan.shape, direction, isOfSeveral: accounts.length > 1 }), {
      accountId: account.id,
      environment: account.environment,
      accountIds: accounts.map(({ id }) => id),
      environments: accounts.map(({ environment }) => environment),
      kind: kind.name,
      values: plan.values,
      afterTime,
      afterId,
      stop,
      lookedAt,
      limit: limit + 1,
      ...plan.checkedValues,
    });
    const found = rows.filter(({ record }) => record !== null);
    const shown = found.slice(0, limit);
    const items = shown.map(({ record }) => JSON.parse(String(record)) as R);
    const last = found.length > limit ? shown.at(-1) : rows.find(({ record }) => record === null);
    return last ? { items, next: `${last['at']}_${last['id']}` } : { items };
  };
