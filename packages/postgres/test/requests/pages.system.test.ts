import type { RequestFilter, TransactionFilter } from '@partnerkit/core/requests';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { postgresStorage } from '../../src/index.ts';
import { onEachPostgres } from '../support/each-postgres.ts';
import { type TestDatabase, useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { analyze, blocksReadBy, forgetAll, rowsReadBy } from '../support/rows-read.ts';

const tables = ['requests', 'request_history', 'request_transactions', 'request_references', 'idempotent_responses'];
const own = { id: 'acc_ours', environment: 'prod' };
const many = sized(20_000, 200_000);
const limit = 10;
/** Of payment requests. A list without states reads the part of each. */
const states = 4;
/** A page reads one row more than it shows, to know whether there is a next one. */
const ofOneValue = limit + 1;
/** So many rows of a list are looked at where no index has the whole filter. */
const lookedAt = 1_000;

const timeOf = (nth: number): number => 1_750_000_000_000 + nth * 1_000;
const idOf = (nth: number): string => `pay_${String(nth).padStart(9, '0')}`;

/**
 * Payment requests from one to another. Each fifth is payed and each second is of one guest, of one template and of one
 * reference; `isLast` adds few that are rare in all of these. They are updated in another order than they were created
 * in. The first one has a long history, and every second transaction.
 */
const fill = (from: number, to: number, isLast: boolean): string => `
  insert into partnerkit.requests (kind, id, account_id, environment, version, status, reference, recipient_email,
    parent_id, created_at, updated_at, record)
  select 'payment', id, '${own.id}', '${own.environment}', 1, status, reference, email, template, created, updated,
    json_build_object('id', id, 'accountId', '${own.id}', 'environment', '${own.environment}', 'version', 1,
      'status', status, 'createdAt', created, 'updatedAt', updated)::text
  from (select 'pay_' || lpad(n::text, 9, '0') as id, 1750000000000 + n * 1000::float8 as created,
      1750000000000 + (n * 7919::bigint % ${many}) * 1000::float8 as updated,
      case when isRare then 'cancelled' when n % 5 = 0 then 'payed' else 'pending' end as status,
      case when isRare then 'rare' when n % 2 = 0 then 'common' end as reference,
      case when isRare then 'rare@example.com' when n % 2 = 0 then 'common@example.com' else n || '@example.com' end
        as email,
      case when isRare then 'rare' when n % 2 = 0 then 'common' end as template
    from (select n, ${isLast} and n in (${many / 2}, ${many / 2 + 1}, ${many - 1}) as isRare
      from generate_series(${from}, ${to}) n) numbered) made;
  insert into partnerkit.request_history (kind, id, version, step, entry)
  select 'payment', case when n % 2 = 0 then '${idOf(1)}' else 'pay_' || lpad(n::text, 9, '0') end, n, 0, '{}'
  from generate_series(${from}, ${to}) n;
  insert into partnerkit.request_transactions (account_id, environment, kind, reference, number, id, object, object_id, settled_at,
    status, currency, amount, fee, transaction)
  select '${own.id}', '${own.environment}', 'charge', n::text, 1, 'txn_' || lpad(n::text, 9, '0'), 'RequestPayment',
    case when n % 2 = 0 then '${idOf(1)}' else 'pay_' || lpad(n::text, 9, '0') end, 1750000000000 + n * 1000::float8,
    'succeeded', 'EUR', 500, 0, '{}'
  from generate_series(${from}, ${to}) n;
  insert into partnerkit.request_references select '${own.id}', '${own.environment}', 'RequestPayment', n::text, 'pay'
  from generate_series(${from}, ${to}) n;
  insert into partnerkit.idempotent_responses select '${own.id}', 'client', n::text, '{}', 'infinity'
  from generate_series(${from}, ${to}) n;`;

const middle = timeOf(many / 2);
/** Filters with the number of ranges that an index has for each. */
const filters: readonly (readonly [what: string, filter: RequestFilter, ranges: number])[] = [
  ['all', {}, states],
  ['one state', { statuses: ['payed'] }, 1],
  ['a rare state', { statuses: ['cancelled'] }, 1],
  ['a state that none has', { statuses: ['refunded'] }, 1],
  ['two states', { statuses: ['cancelled', 'pending'] }, 2],
  ['a common reference', { reference: 'common' }, 1],
  ['a rare reference', { reference: 'rare' }, 1],
  ['a reference that none has', { reference: 'none' }, 1],
  ['a common address', { recipientEmail: 'Common@example.com' }, 1],
  ['a rare address', { recipientEmail: 'rare@example.com' }, 1],
  ['a common template', { templateId: 'common' }, 1],
  ['a rare template', { templateId: 'rare' }, 1],
  ['a deposit, which no payment request has', { depositId: 'common' }, 0],
];
const ranges: readonly (readonly [what: string, range: RequestFilter])[] = [
  ['', {}],
  ['created in the second half', { createdFrom: middle }],
  ['created in the first half', { createdTo: middle }],
  ['created last', { createdFrom: timeOf(many - 5) }],
  ['created in one minute', { createdFrom: middle, createdTo: middle + 60_000 }],
  ['updated at any time', { updatedFrom: 0 }],
  ['updated in the second half', { updatedFrom: middle }],
  ['updated in the first half', { updatedTo: middle }],
  ['updated in one minute', { updatedFrom: middle, updatedTo: middle + 60_000 }],
];
/** In the usual tests each filter without a range, and each range for all and for what half of the rows have. */
const rangesOf = (what: string): typeof ranges =>
  sized(['all', 'a common reference'].includes(what) ? ranges : ranges.slice(0, 1), ranges);
/** What no index has as a whole. */
const combined: readonly (readonly [what: string, filter: RequestFilter])[] = [
  ['a common address in a rare state', { recipientEmail: 'common@example.com', statuses: ['cancelled'] }],
  ['a common template in a state that none has', { templateId: 'common', statuses: ['refunded'] }],
  ['a common address of a rare template', { recipientEmail: 'common@example.com', templateId: 'rare' }],
  ['created in one minute, updated in another', { createdFrom: middle, createdTo: middle + 60_000, updatedTo: middle }],
];

const ofObject = (objectId: string) => ({ of: { object: 'RequestPayment', objectId } }) as const;
const transactionFilters: readonly (readonly [what: string, filter: TransactionFilter])[] = [
  ['of the account', {}],
  ['of the second half', { settledFrom: middle }],
  ['of the first half', { settledTo: middle }],
  ['of one minute', { settledFrom: middle, settledTo: middle + 60_000 }],
  ['of an object with half of them', ofObject(idOf(1))],
  ['of such an object in the second half', { ...ofObject(idOf(1)), settledFrom: middle }],
  ['of an object with one', ofObject(idOf(3))],
];

const byPrimaryKey = ['a record is found', 'a record is replaced', 'a record is removed'];

const open = (database: TestDatabase) => {
  const pool = openPool({ connectionString: database.url(), max: 1 });
  const { payments, transactions, references, idempotency } = postgresStorage(pool).requests;
  const inTransaction = async (work: (tx: pg.PoolClient) => Promise<unknown>) => {
    const client = await pool.connect();
    await client.query('begin');
    await work(client);
    await client.query('rollback');
    client.release();
  };
  /** Two pages of a list. */
  const list = async (filter: RequestFilter, newestFirst: boolean): Promise<void> => {
    const { next } = await payments.list(own, { limit, newestFirst }, filter);
    if (next !== undefined) await payments.list(own, { limit, newestFirst, after: next }, filter);
  };
  /** Two pages of transactions. */
  const listTransactions = async (filter: TransactionFilter, newestFirst: boolean): Promise<void> => {
    const { next } = await transactions.list(own, { limit, newestFirst }, filter);
    if (next !== undefined) await transactions.list(own, { limit, newestFirst, after: next }, filter);
  };
  type Call = readonly [what: string, call: () => Promise<unknown>, rows: number];
  const lists: readonly Call[] = [false, true].flatMap((newestFirst) => [
    ...filters.flatMap(([what, filter, count]) =>
      rangesOf(what).map(
        ([when, range]): Call => [
          `${what} ${when}${newestFirst ? ', newest first' : ''}`,
          () => list({ ...filter, ...range }, newestFirst),
          2 * count * ofOneValue,
        ],
      ),
    ),
    ...combined.map(
      ([what, filter]): Call => [
        `${what}${newestFirst ? ', newest first' : ''}`,
        () => list(filter, newestFirst),
        2 * states * lookedAt,
      ],
    ),
    ...transactionFilters.map(
      ([what, filter]): Call => [
        `transactions ${what}${newestFirst ? ', newest first' : ''}`,
        () => listTransactions(filter, newestFirst),
        // Without statistics, the index of the account is read for an object that has half of its transactions.
        (filter.of?.objectId === idOf(1) ? 4 : 2) * ofOneValue,
      ],
    ),
    [
      `a long history${newestFirst ? ', newest first' : ''}`,
      async () => {
        const { next } = await payments.listHistory(own, idOf(1), { limit, newestFirst });
        if (next !== undefined) await payments.listHistory(own, idOf(1), { limit, newestFirst, after: next });
      },
      // The history, and the object that it is of.
      2 * (ofOneValue + 1),
    ] as const,
  ]);
  const stored = { ...own, accountId: own.id, createdAt: 1, updatedAt: 1, version: 1, status: 'pending' };
  const payment = { ...stored, id: idOf(2), recipient: { email: 'a@example.com' } } as never;
  const key = { account: own, object: 'RequestPayment', reference: '1' };
  const response = { accountId: own.id, clientId: 'client', key: '1' };
  const calls: readonly Call[] = [
    ['a record is found', () => payments.find(own, idOf(2)), 1],
    [
      'a record is replaced',
      () => inTransaction((tx) => payments.replace(tx, Object.assign({}, payment, { version: 2 }), [], [])),
      1,
    ],
    // With its one entry.
    ['a record is removed', () => inTransaction((tx) => payments.remove(tx, payment, [])), 2],
    // It is looked at when it is in the way, and asked for its object.
    ['a reference is refused', () => inTransaction((tx) => references.claim(tx, key, 'another')), 2],
    ['a reference is released', () => inTransaction((tx) => references.release(tx, key, 'pay')), 1],
    ['a response is found', () => inTransaction((tx) => idempotency.claim(tx, response)), 3],
    ['a response is stored', () => inTransaction((tx) => idempotency.complete(tx, response, {} as never)), 2],
  ];
  return { pool, lists, calls };
};

onEachPostgres((server) => {
  const database = useDatabase(server);

  test.each([
    ['statistics of two objects, by plans that are as old', true, true],
    ['statistics of two objects, by new plans', true, false],
    ['no statistics, by plans for empty tables', false, true],
    ['statistics of all', false, false],
  ])(`with %s, no call reads more than it shows of ${many} rows`, async (_, isAnalyzed, isOld) => {
    await database.reset({ storeAhead: 0 });
    await database.pool().query(`${forgetAll(tables)} ${fill(1, 2, false)} ${isAnalyzed ? analyze(tables) : ''}`);
    const old = open(database);
    // After five executions a server may keep a plan.
    if (isOld)
      for (let times = 0; times < 7; times++) for (const [, call] of [...old.lists, ...old.calls]) await call();
    await database.pool().query(fill(3, many, true));
    if (!isAnalyzed && !isOld) await database.pool().query(analyze(tables));

    const { pool, lists, calls } = isOld ? old : open(database);
    await calls[0]?.[1]();
    for (const [what, call, rows] of [...lists, ...calls]) {
      const read = await rowsReadBy(pool, tables, call);
      // A row is in a block of its own at most, and each index has few levels.
      if (what.startsWith('transactions'))
        expect.soft(await blocksReadBy(pool, tables, call), `blocks: ${what}`).toBeLessThanOrEqual(rows + 40);
      // A known limit: a plan for a table of one page reads all of it, until the next analysis. Lists are planned anew.
      if (isAnalyzed && isOld && byPrimaryKey.includes(what)) expect.soft(read, what).toBeLessThanOrEqual(rows * many);
      else expect.soft(read, what).toBeLessThanOrEqual(rows);
    }
  });
});
