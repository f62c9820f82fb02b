import { expect, test } from 'vitest';
import { z } from 'zod';
import { day } from '../../../src/base/runtime/time.ts';
import type { RequestImportOptions } from '../../../src/requests/imports/import-requests.ts';
import type { RequestRow } from '../../../src/requests/imports/request-row.ts';
import { start } from '../../support/clock.ts';
import { extendedWorld } from '../extended-world.ts';
import { alone, done, own, recipient, requestWorld, stranger, type World } from '../world.ts';

type Line = { readonly kind: string } & Readonly<Record<string, unknown>>;

const made = start - 30 * day;
const payment = (more: object = {}): Line => ({
  kind: 'request',
  object: 'RequestPayment',
  request: {
    ...{ id: 'pay-1', accountId: own.id, status: 'payed', name: 'Stay', amount: 4_050, currency: 'EUR', recipient },
    ...{ createdAt: made, reference: 'B-1', metadata: { room: '7' } },
    ...more,
  },
});
const entry = (version: number, more: object = {}): Line => ({
  kind: 'history',
  entry: {
    ...{ version, step: 0, at: made + version * day, command: 'create', event: 'update', status: 'pending' },
    by: { type: 'host' },
    ...more,
  },
});
const transaction = (more: object = {}): Line => ({
  kind: 'transaction',
  transaction: {
    ...{ kind: 'charge', status: 'succeeded', amount: 4_050, currency: 'EUR', settledAt: made + day },
    processorReference: 'pi_1',
    ...more,
  },
});
const whole = [
  payment(),
  entry(1),
  entry(2, { command: 'succeed', event: 'payed', status: 'payed', by: { type: 'client', id: 'c1' } }),
  transaction({ status: 'failed' }),
  transaction(),
];
const deposit = (more: object = {}): Line => ({
  kind: 'request',
  object: 'RequestSecurityDeposit',
  request: {
    ...{ id: 'dep-1', accountId: own.id, status: 'in_progress', name: 'Deposit', amount: 30_000, currency: 'EUR' },
    ...{ recipient, createdAt: made, cashOuts: [{ id: 'out-1', status: 'requested', amount: 500 }] },
    ...more,
  },
});
const cashOut = (more: object = {}): Line => ({
  kind: 'request',
  object: 'CashOut',
  request: {
    ...{ id: 'out-1', accountId: own.id, status: 'requested', depositId: 'dep-1', amount: 500, currency: 'EUR' },
    ...{ recipient, createdAt: made + day },
    ...more,
  },
});

const bring = (
  { requests }: Pick<World, 'requests'>,
  lines: readonly unknown[] | AsyncIterable<unknown>,
  options: RequestImportOptions = {},
) => done(requests.import(lines as readonly RequestRow[], options));
const outcomes = async (world: Pick<World, 'requests'>, lines: readonly unknown[], options?: RequestImportOptions) =>
  (await bring(world, lines, options)).rows.map(({ row, outcome, pointer }) =>
    pointer === undefined ? `${row} ${outcome}` : `${row} ${outcome} ${pointer}`,
  );

test('an object of another system: its books are made of its transactions, the rest is filled in', async () => {
  const world = requestWorld();
  expect(await outcomes(world, whole)).toEqual(['0 created']);
  const { payments, transactions } = world.requests;
  expect(await done(payments.find(own.id, 'pay-1'))).toMatchObject({
    ...{ status: 'payed', version: 2, createdAt: made, updatedAt: made + 2 * day, environment: 'prod' },
    ...{ createdBy: { type: 'host' }, updatedBy: { type: 'client', id: 'c1' }, metadata: { room: '7' } },
    ...{ sums: { charged: 4_050 }, transactionCount: 2, transactions: [{ status: 'failed' }, { status: 'succeeded' }] },
  });
  expect((await done(payments.history(own.id, 'pay-1'))).items.map(({ command }) => command)).toEqual([
    ...['create', 'succeed'],
  ]);
  expect((await done(transactions.list(own.id))).items).toMatchObject([{ number: 1 }, { number: 2 }]);
  expect(await done(transactions.sums(own.id))).toEqual([
    { kind: 'charge', currency: 'EUR', count: 1, amount: 4_050, fee: 0 },
  ]);
  // The report of the same movement again is known.
  const report = { kind: 'charge', amount: 40.5, processorReference: 'pi_1' } as const;
  await done(payments.perform(own.id, 'pay-1', 'succeedTransaction', { ...alone, input: { transaction: report } }));
  expect(await done(payments.perform(own.id, 'pay-1', 'refund', alone))).toMatchObject({
    status: 'refunded',
    version: 3,
  });
});

test('the same rows again change nothing; other content under a stored id is told, and stays out', async () => {
  const world = requestWorld();
  const lines = [...whole, deposit(), cashOut()];
  expect(await outcomes(world, lines)).toEqual(['0 created', '5 created', '6 created']);
  expect(await outcomes(world, lines)).toEqual(['0 unchanged', '5 unchanged', '6 unchanged']);
  const others = [
    [payment({ name: 'Other' }), ...whole.slice(1)],
    // Neither the record nor its summaries have these.
    [payment(), entry(1, { reason: { code: 'other' } }), ...whole.slice(2)],
    [...whole.slice(0, 4), transaction({ metadata: { till: '7' } })],
  ];
  for (const other of others) expect(await outcomes(world, other)).toEqual(['0 differs']);
  await done(world.requests.cashOuts.perform(own.id, 'out-1', 'cancel', alone));
  expect(await outcomes(world, lines)).toEqual(['0 unchanged', '5 differs', '6 differs']);
  expect(await done(world.requests.cashOuts.find(own.id, 'out-1'))).toMatchObject({ status: 'cancelled' });
});

test('within one call, a repeated object is unchanged, or differs', async () => {
  for (const dryRun of [true, false])
    expect(await outcomes(requestWorld(), [payment(), payment(), payment({ name: 'Other' })], { dryRun })).toEqual([
      ...['0 created', '1 unchanged', '2 differs'],
    ]);
});

test.each<[why: string, lines: readonly unknown[], pointer: string]>([
  ['no JSON', [{ kind: 'request', object: 'RequestPayment', request: { id: 1n } }], ''],
  ['an unknown kind', [{ kind: 'payment' }], '/kind'],
  ['a template in place of a request', [{ ...payment(), object: 'ModelRequestPayment' }], '/kind'],
  ['history without its object', [entry(1)], ''],
  ['an account that nobody knows', [payment({ accountId: 'nobody' })], '/request/accountId'],
  ['another environment', [payment({ environment: 'preprod' })], '/request/environment'],
  ['an id that no path can have', [payment({ id: 'batch' })], '/request/id'],
  ['a state of another kind', [payment({ status: 'in_progress' })], '/request/status'],
  ['an amount that is not in the smallest unit', [payment({ amount: 40.5 })], '/request/amount'],
  ['seconds in place of milliseconds', [payment({ createdAt: made / 1_000 })], '/request/createdAt'],
  ['a recipient without an address', [payment({ recipient: { name: 'Ann' } })], '/request/recipient/email'],
  ['an unknown currency', [payment({ currency: 'eur' })], '/request/currency'],
  ['a misspelt field', [payment({ refrence: 'B-1' })], '/request/refrence'],
  ['what only a database knows', [payment({ importedAt: made })], '/request/importedAt'],
  ['a wrong time in the history', [payment(), entry(1, { at: 'today' })], '/history/0/at'],
  ['history that goes back', [payment(), entry(2), entry(1)], '/history/1/version'],
  ['history that ends before its object', [payment({ version: 3 }), entry(1), entry(2)], '/request/version'],
  ['history of another object', [payment(), { ...entry(1), objectId: 'pay-2' }], '/history/0'],
  ['a transaction without an amount', [payment(), transaction({ amount: 0 })], '/transactions/0/amount'],
  ['a transaction of another object', [payment(), transaction({ objectId: 'pay-2' })], '/transactions/0/objectId'],
  ['a transaction too few', [payment({ transactionCount: 2 }), transaction()], '/request/transactionCount'],
  [
    'a transaction twice',
    [payment(), transaction({ number: 1 }), transaction({ number: 1 })],
    '/transactions/1/number',
  ],
  ['a cash-out without its deposit', [cashOut({ depositId: 'dep-2' })], '/request/depositId'],
  ['more lines than an object has', [payment(), ...Array.from({ length: 10_001 }, (_, at) => entry(at + 1))], ''],
  ['a transaction of a cash-out', [cashOut(), transaction()], '/transactions'],
  ['a text that is too long', [payment({ description: 'x'.repeat(501) })], '/request/description'],
])('a refused object: %s', async (_why, lines, pointer) => {
  for (const dryRun of [true, false]) {
    const world = requestWorld();
    const report = await bring(world, [...lines, payment({ id: 'pay-9' })], { dryRun });
    expect(report.counts).toEqual({ created: 1, unchanged: 0, differs: 0, refused: 1 });
    expect(report.rows[0]).toMatchObject({ row: 0, outcome: 'refused', pointer, message: expect.any(String) });
    expect((await done(world.requests.transactions.list(own.id))).items).toEqual([]);
  }
});

test('a cash-out is refused that is not as its deposit has it, or comes before it', async () => {
  for (const dryRun of [true, false]) {
    const lines = [cashOut(), deposit(), cashOut({ amount: 600 }), cashOut({ currency: 'USD' }), cashOut()];
    expect(await outcomes(requestWorld(), lines, { dryRun })).toEqual([
      ...['0 refused /request/depositId', '1 created', '2 refused /request', '3 refused /request', '4 created'],
    ]);
  }
});

test('ids, references and numbers of transactions that another object has are refused, also in a dry run', async () => {
  for (const dryRun of [true, false]) {
    const world = requestWorld(undefined, { uniqueReferences: true });
    const lines = [
      ...[payment(), transaction()],
      payment({ id: 'pay-2' }),
      payment({ accountId: stranger.id }),
      ...[payment({ id: 'pay-3', reference: 'B-3' }), transaction()],
      // What was refused has claimed nothing.
      ...[payment({ id: 'pay-4', reference: 'B-3' }), transaction({ number: 2 })],
    ];
    const refused = ['2 refused /request/reference', '3 refused /request/id', '4 refused /transactions/0/number'];
    expect(await outcomes(world, lines, { dryRun })).toEqual(['0 created', ...refused, '6 created']);
    expect((await done(world.requests.payments.list(own.id))).items.map(({ id }) => id)).toEqual(
      dryRun ? [] : ['pay-1', 'pay-4'],
    );
  }
});

test('a dry run reports what the import reports, and stores nothing', async () => {
  const templates = [
    {
      kind: 'template',
      object: 'ModelRequestPayment',
      template: { id: 't', accountId: own.id, status: 'active', name: 'S', createdAt: made },
    },
  ];
  const lines = [...whole, deposit(), cashOut(), cashOut({ id: 'out-2' }), payment({ id: 'pay-2' }), ...templates];
  const world = requestWorld();
  const dry = await bring(world, lines, { dryRun: true, events: 'update' });
  const { payments, deposits, cashOuts, paymentTemplates } = world.requests;
  for (const { list } of [payments, deposits, cashOuts, paymentTemplates])
    expect((await done<{ readonly items: readonly object[] }>(list(own.id))).items).toEqual([]);
  expect(await world.events()).toEqual([]);
  expect(world.signals.filter(({ kind }) => kind === 'command')).toEqual([]);
  const report = await bring(world, lines, { events: 'update' });
  expect(dry).toEqual({ ...report, isDryRun: true });
  expect(report.counts).toEqual({ created: 5, unchanged: 0, differs: 0, refused: 1 });
});

test('no event, or one update of each object that was stored', async () => {
  const quiet = requestWorld();
  await bring(quiet, [...whole, deposit(), cashOut()]);
  expect(await quiet.events()).toEqual([]);
  const world = requestWorld();
  await bring(world, [...whole, deposit(), cashOut()], { events: 'update' });
  await bring(world, [...whole, deposit(), cashOut()], { events: 'update' });
  const sent = (await world.events()).map(({ objectName, type, data }) => [objectName, type, data.id, data['reason']]);
  expect(sent).toHaveLength(3);
  expect(sent).toEqual(
    expect.arrayContaining([
      ['RequestPayment', 'update', 'pay-1', { code: 'imported' }],
      ['RequestSecurityDeposit', 'update', 'dep-1', { code: 'imported' }],
    ]),
  );
  expect((await world.events()).find(({ data }) => data['cashOut'])?.data).toMatchObject({
    ...{ id: 'dep-1', cashOut: { id: 'out-1', amount: 5 } },
  });
  expect(await done(world.requests.payments.find(own.id, 'pay-1'))).not.toHaveProperty('reason');
});

test('fields of the host are read by their schema', async () => {
  const extend = { payments: z.object({ bookingId: z.string().max(5), notes: z.string().optional() }) };
  const { requests } = extendedWorld(extend);
  const given = [
    payment({ bookingId: 'B7' }),
    payment({ id: 'pay-2', bookingId: 'B-7777' }),
    payment({ id: 'pay-3' }),
    // Its events would be too large.
    payment({ id: 'pay-4', bookingId: 'B8', notes: 'x'.repeat(128 * 1_024) }),
  ];
  const report = await done(requests.import(given as never));
  expect(report.rows.map(({ outcome, pointer }) => [outcome, pointer])).toEqual([
    ['created', undefined],
    ['refused', '/request/bookingId'],
    ['refused', '/request/bookingId'],
    ['refused', '/request'],
  ]);
  expect(await done(requests.payments.find(own.id, 'pay-1'))).toMatchObject({ bookingId: 'B7' });
});

test('rows are read while they are imported, and a crash between batches leaves whole objects', async () => {
  const world = requestWorld();
  const count = 260;
  let read = 0;
  let stored = 0;
  let ahead = 0;
  async function* rows() {
    for (; read < count; read++) {
      if (read % 10 === 0)
        stored = (await done(world.requests.payments.list(own.id, { page: { limit: 100 } }))).items.length;
      if (stored < 100) ahead = Math.max(ahead, read - stored);
      yield payment({ id: `pay-${read}`, reference: `B-${read}` });
      if (read === 199) throw new Error('the old database is gone');
    }
  }
  const failed = await world.requests.import(rows() as AsyncIterable<RequestRow>);
  expect(failed.isErr() && failed.error.code).toBe('unavailable');
  expect(ahead).toBeLessThanOrEqual(60);
  read = 200;
  const all = Array.from({ length: count }, (_, index) => payment({ id: `pay-${index}`, reference: `B-${index}` }));
  const report = await bring(world, all);
  expect(report.counts).toEqual({ created: count - 150, unchanged: 150, differs: 0, refused: 0 });
});

test('when the storage fails, the import says so; the next call completes it', async () => {
  const world = requestWorld();
  let calls = 0;
  const { payments } = world.stores;
  const failing = world.requestsOver({
    payments: {
      ...payments,
      insert: async (...given) => {
        calls += 1;
        if (calls > 1) throw new Error('the database is gone');
        await payments.insert(...given);
      },
    },
  });
  const lines = [payment(), payment({ id: 'pay-2' })];
  const failed = await failing.import(lines as unknown as readonly RequestRow[]);
  expect(failed.isErr() && failed.error.code).toBe('unavailable');
  expect((await bring(world, lines)).counts.refused).toBe(0);
  expect((await done(world.requests.payments.list(own.id))).items).toHaveLength(2);
});

test('a transaction in another currency is in no sum', async () => {
  const world = requestWorld();
  expect(await outcomes(world, [payment(), transaction({ currency: 'USD' })])).toEqual(['0 created']);
  const { sums, ...found } = await done(world.requests.payments.find(own.id, 'pay-1'));
  expect(sums).toEqual({});
  expect(found).toMatchObject({ transactionCount: 1, transactions: [{ currency: 'USD' }] });
});

test('what another process stores meanwhile is unchanged, or differs', async () => {
  for (const [name, outcome] of [
    ['Stay', 'unchanged'],
    ['Other', 'differs'],
  ]) {
    const world = requestWorld();
    const { payments } = world.stores;
    let isFirst = true;
    const late = world.requestsOver({
      payments: {
        ...payments,
        insert: async (...given) => {
          if (isFirst) {
            isFirst = false;
            await bring(world, [payment({ name })]);
          }
          return payments.insert(...given);
        },
      },
    });
    expect(await outcomes({ requests: late }, [payment()])).toEqual([`0 ${outcome}`]);
  }
});

test('a wrong option and rows that are no list are mistakes of the caller', () => {
  const { requests } = requestWorld();
  expect(() => requests.import([], { dryrun: true } as never)).toThrow('dryrun');
  expect(() => requests.import([], { events: 'all' } as never)).toThrow("'none' or 'update'");
  expect(() => requests.import([], { pastDue: true } as never)).toThrow("'skip' or 'give'");
  expect(() => requests.import('pay-1' as never)).toThrow('rows');
});
