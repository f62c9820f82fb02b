import { pageLimit } from '@partnerkit/core';
import type { AnswerStore, Recorded, RequestStore, RequestStores } from '@partnerkit/core/requests';
import { type Database, openDatabase } from './database.ts';
import type { SqlDriver } from './driver.ts';
import type { PgClient, PgPool } from './drivers/pg.ts';
import { openDriver } from './open-driver.ts';
import type { PostgresOptions } from './storage.ts';
import { isUuid, zero } from './uuid.ts';

type Stored = Recorded & { readonly templateId?: string };

/** Where the next page begins: lists are by time, and by id where that is equal. */
type Place = readonly [createdAt: number, id: string];
const placeOf = ({ createdAt, id }: Stored): string => `${createdAt}_${id}`;
const readPlace = (after: string): Place | undefined => {
  const [createdAt, id = ''] = after.split('_');
  return isUuid(id) && !Number.isNaN(Number(createdAt)) ? [Number(createdAt), id] : undefined;
};

/** Both orders of a list: how its rows lie to the place where a page begins, and which bound of the filter is such a place. */
const orders = {
  oldestFirst: {
    by: 'asc',
    lies: '>',
    begins: 'createdFrom',
    first: Number.NEGATIVE_INFINITY,
    reaches: 'created_at < $',
    ends: 'createdTo',
  },
  newestFirst: {
    by: 'desc',
    lies: '<',
    begins: 'createdTo',
    first: Number.POSITIVE_INFINITY,
    reaches: 'created_at >= $',
    ends: 'createdFrom',
  },
} as const;
type Order = (typeof orders)[keyof typeof orders];

const recordStore = <Tx extends object, R extends Stored>(
  { sql, run, runIn }: Database<Tx>,
  kind: string,
): RequestStore<Tx, R> => {
  // Searched for by the id alone: to a server that has not counted the rows yet, the indexes of lists look as good.
  const that = 'id = $3::uuid and (account_id, kind, environment) is not distinct from ($1, $2, $4)';
  const insert = sql(`insert into partnerkit.requests
    (account_id, kind, id, environment, version, status, template_id, created_at, record)
    values ($1, $2, $3::uuid, $4, $5::int, $6, $7, $8::float8, $9)`);
  const replace = sql(`update partnerkit.requests
    set version = version + 1, status = $6, template_id = $7, created_at = $8::float8, record = $9
    where ${that} and version = $5::int returning 1 as won`);
  const remove = sql(`delete from partnerkit.requests
    where ${that} and version = $5::int returning 1 as won`);
  const find = sql(`select record, version from partnerkit.requests
    where ${that}`);
  /** A condition that is not asked for is not in the statement: each list has the plan that fits it. */
  const list = ({ lies, by }: Order, conditions: string): string =>
    sql(`select record, version from partnerkit.requests
      where account_id = $1 and kind = $2 and (created_at, id) ${lies} ($3::float8, $4::uuid) and environment = $5 ${conditions}
      order by created_at ${by}, id ${by} limit $6::int`);

  const key = ({ accountId, id, environment, version }: Stored) => [accountId, kind, id, environment, version];
  const values = (record: Stored) => [
    ...key(record),
    record.status,
    record.templateId ?? null,
    record.createdAt,
    JSON.stringify(record),
  ];
  const read = (rows: readonly Readonly<Record<string, unknown>>[]): readonly R[] =>
    rows.map(({ record, version }) => ({ ...JSON.parse(String(record)), version: Number(version) }));

  return {
    insert: async (tx, record) => {
      await runIn(tx)(insert, values(record));
    },
    find: async (owner, id, tx) => {
      const where = [owner.id, kind, id, owner.environment];
      return isUuid(id) ? read(await (tx ? runIn(tx) : run)(find, where))[0] : undefined;
    },
    replace: async (tx, record) => isUuid(record.id) && (await runIn(tx)(replace, values(record))).length > 0,
    remove: async (tx, record) => isUuid(record.id) && (await runIn(tx)(remove, key(record))).length > 0,
    list: async (owner, page, filter = {}) => {
      const order = page.newestFirst ? orders.newestFirst : orders.oldestFirst;
      // One bound, where the page begins: of two the server would search for the one, and read from there up to the other. No id is
      // before `zero`.
      const begin: Place = [filter[order.begins] ?? order.first, zero];
      const after = page.after === undefined ? begin : readPlace(page.after);
      if (!after) return { items: [], invalidCursor: true };
      const hasBegun = order === orders.newestFirst ? after[0] < begin[0] : after[0] >= begin[0];
      const from = hasBegun ? after : begin;
      const limit = pageLimit(page);
      const asked = [
        ['status = $', '::text', filter.status],
        ['template_id = $', '::text', filter.templateId],
        [order.reaches, '::float8', filter[order.ends]],
      ] as const;
      const given = asked.filter(([, , value]) => value !== undefined);
      const conditions = given.map(([condition, type], index) => `and ${condition}${index + 7}${type}`).join(' ');
      const where = [
        owner.id,
        kind,
        ...from,
        owner.environment,
        limit + 1,
        ...given.map(([, , value]) => value ?? null),
      ];
      const found = read(await run(list(order, conditions), where));
      const items = found.slice(0, limit);
      const last = items.at(-1);
      return found.length > limit && last ? { items, next: placeOf(last) } : { items };
    },
  };
};

const answerStore = <Tx extends object>({ sql, runIn }: Database<Tx>): AnswerStore<Tx> => {
  // Waits for whoever holds the key; takes over what was kept too long ago, or not at all.
  const take = sql(`insert into partnerkit.idempotent_responses (account_id, client_id, key, expires_at)
    values ($1, $2, $3, now() + interval '24 hours')
    on conflict (account_id, client_id, key) do update set response = null, expires_at = excluded.expires_at
    where idempotent_responses.response is null or idempotent_responses.expires_at <= now() returning 1 as taken`);
  const find = sql(
    'select response from partnerkit.idempotent_responses where account_id = $1 and client_id = $2 and key = $3',
  );
  // Takes the chance to forget a few whose time has passed.
  const keep = sql(`with forgotten as (
      delete from partnerkit.idempotent_responses r using (
        select account_id, client_id, key from partnerkit.idempotent_responses
        where expires_at <= now() order by expires_at limit 4 for update skip locked
      ) o where r.account_id = o.account_id and r.client_id = o.client_id and r.key = o.key
    )
    update partnerkit.idempotent_responses set response = $4 where account_id = $1 and client_id = $2 and key = $3`);
  return {
    take: async (tx, { accountId, clientId, key }) => {
      const run = runIn(tx);
      const place = [accountId, clientId, key];
      const taken = await run(take, place);
      if (taken.length > 0) return undefined;
      // A statement of its own: it sees what was committed while the first one waited.
      const [row] = await run(find, place);
      return row && JSON.parse(String(row['response']));
    },
    keep: async (tx, { accountId, clientId, key }, answer) => {
      await runIn(tx)(keep, [accountId, clientId, key, JSON.stringify(answer)]);
    },
  };
};

/**
 * Payment requests, security deposits and templates on the host's own PostgreSQL, beside {@link postgresStorage}: in its transactions.
 * @example
 * const storage = postgresStorage(pool);
 * const kit = createPartnerkit({ ...options, storage, objects: requestObjects });
 * const requests = createRequests({ kit, storage, stores: postgresRequests(pool) });
 * @throws TypeError when it is handed no pool and no driver, or the schema's name is none.
 * @public
 */
export function postgresRequests(pool: PgPool, options?: PostgresOptions): RequestStores<PgClient>;
/**
 * Over a driver: `fromPg`, `fromPostgresJs`, `fromDrizzle`, `fromKnex`, `fromKysely`, `fromPrisma`, `fromTypeOrm`, or one of your own. Give it the
 * very driver that the storage has: it knows which transactions have ended.
 * @throws TypeError when it is handed no pool and no driver, or the schema's name is none.
 * @public
 */
export function postgresRequests<Tx extends object>(
  driver: SqlDriver<Tx>,
  options?: PostgresOptions,
): RequestStores<Tx>;
export function postgresRequests(
  from: PgPool | SqlDriver<object>,
  options: PostgresOptions = {},
): RequestStores<object> {
  const database = openDatabase<object>(openDriver('postgresRequests', from, options), options.schema ?? 'partnerkit');
  return {
    payments: recordStore(database, 'payment'),
    deposits: recordStore(database, 'deposit'),
    paymentTemplates: recordStore(database, 'payment template'),
    depositTemplates: recordStore(database, 'deposit template'),
    answers: answerStore(database),
  };
}
