import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import type { StoredTransaction } from '@partnerkit/core/adapter';
import type { TransactionFilter } from '@partnerkit/core/requests';
import type { Cases } from '../support/contract.ts';
import { whileOpen } from '../support/open-transaction.ts';
import { allPages, badCursors } from '../support/pages.ts';
import { race } from '../support/racers.ts';
import { newId } from '../support/records.ts';
import { insert as insertRecord, storeOf } from './acts.ts';
import type { RequestsFixture } from './fixture.ts';
import { examples, others as otherAccounts, owner } from './records.ts';

const begin = Date.UTC(2026, 0, 1);
const charge = (fields: Partial<StoredTransaction> = {}): StoredTransaction => ({
  id: newId(),
  kind: 'charge',
  status: 'succeeded',
  amount: 10_000,
  currency: 'EUR',
  settledAt: begin,
  accountId: owner.id,
  environment: owner.environment,
  object: 'RequestPayment',
  objectId: 'pay_1',
  number: 1,
  isTimed: true,
  ...fields,
});
const whole: Partial<StoredTransaction> = {
  method: 'card',
  outcome: { code: 'approved', text: 'Approved by the bank, “well”.' },
  fee: 145,
  processorReference: 'ch_1 é',
  metadata: { terminal: '7' },
  cashOutId: 'co_1',
  breaks: ['refunded_within_charged'],
};

const insert = ({ storage }: RequestsFixture, transaction: StoredTransaction): Promise<boolean> =>
  storage.transaction((tx) => storage.requests.transactions.insert(tx, transaction));
const findAll = ({ storage }: RequestsFixture, { kind, processorReference = '' }: StoredTransaction, account = owner) =>
  storage.transaction((tx) => storage.requests.transactions.findAll(tx, account, kind, processorReference));
const list = ({ storage }: RequestsFixture, filter: TransactionFilter, newestFirst = false) =>
  allPages((page) => storage.requests.transactions.list(owner, { ...page, newestFirst }, filter), { limit: 5 });

/** Rules of stores of transactions. */
export const transactionCases: Cases<RequestsFixture> = {
  'transactions: one is found by its reference, and listed, as it was stored': async (fixture) => {
    const [one, bare] = [charge(whole), charge({ settledAt: begin + 1 })];
    strictEqual(await insert(fixture, one), true);
    strictEqual(await insert(fixture, bare), true);
    deepStrictEqual(await findAll(fixture, one), [one]);
    deepStrictEqual(await list(fixture, {}), [one, bare]);
    deepStrictEqual(await findAll(fixture, { ...one, processorReference: 'ch_2' }), []);
    deepStrictEqual(await findAll(fixture, { ...one, kind: 'refund' }), []);
    for (const account of otherAccounts) {
      deepStrictEqual(await findAll(fixture, one, account), []);
      deepStrictEqual((await fixture.storage.requests.transactions.list(account, {})).items, []);
      deepStrictEqual(await fixture.storage.requests.transactions.sum(account), []);
    }
  },
  'transactions: those of one reference are found in the order of their numbers': async (fixture) => {
    const named = [3, 11, 1, 2].map((number) => charge({ processorReference: 'r', number, settledAt: begin - number }));
    for (const each of named) strictEqual(await insert(fixture, each), true);
    await insert(fixture, charge({ processorReference: 'r2' }));
    const found = await findAll(fixture, charge({ processorReference: 'r' }));
    deepStrictEqual(found, [named[2], named[3], named[0], named[1]]);
  },
  'transactions: those of a reference are found by their kinds, with none that is not committed': async (fixture) => {
    const { transactions } = fixture.storage.requests;
    const payment = { processorReference: 'r', objectId: 'pay_1' };
    const [first, second, back, taken] = [
      charge({ ...payment, number: 1, status: 'failed' }),
      charge({ ...payment, number: 2, settledAt: begin - 9 }),
      charge({ ...payment, kind: 'refund' }),
      charge({ ...payment, kind: 'chargeback', object: 'RequestSecurityDeposit', objectId: 'dep_1' }),
    ];
    const apart = [
      charge(),
      charge({ processorReference: 'R' }),
      charge({ processorReference: 'r ' }),
      ...otherAccounts.map(({ id, environment }) => charge({ ...payment, accountId: id, environment })),
    ];
    for (const each of [second, first, back, taken, ...apart]) strictEqual(await insert(fixture, each), true);
    await whileOpen(fixture.storage, async (open) => {
      await transactions.insert(open.tx, charge({ ...payment, number: 3 }));
      deepStrictEqual(await transactions.find(owner, ['refund', 'capture', 'charge'], 'r'), [back, first, second]);
      await open.rollback();
    });
    deepStrictEqual(await transactions.find(owner, ['charge', 'chargeback'], 'r'), [first, second, taken]);
    deepStrictEqual(await transactions.find(owner, ['charge'], 'r2'), []);
    deepStrictEqual(await transactions.find(owner, [], 'r'), []);
  },
  'transactions: a number is unique among the account, the environment, the kind and the reference': async (
    fixture,
  ) => {
    const one = charge({ processorReference: 'r' });
    strictEqual(await insert(fixture, one), true);
    strictEqual(await insert(fixture, charge({ processorReference: 'r', objectId: 'pay_2', amount: 1 })), false);
    deepStrictEqual(await findAll(fixture, one), [one]);
    const apart = [
      charge({ processorReference: 'r', number: 2 }),
      ...otherAccounts.map(({ id, environment }) => charge({ processorReference: 'r', accountId: id, environment })),
      charge({ processorReference: 'r', kind: 'refund' }),
      charge({ processorReference: 'R' }),
      charge(),
      charge(),
    ];
    for (const each of apart) strictEqual(await insert(fixture, each), true);
  },
  'transactions: exactly one of many simultaneous ones with a reference and number is stored': async (fixture) => {
    const got = await race((index) => insert(fixture, charge({ processorReference: 'r', objectId: `pay_${index}` })));
    strictEqual(got.filter(Boolean).length, 1);
    strictEqual((await list(fixture, {})).length, 1);
  },
  'transactions: one waits for the open transaction that has stored its reference and number': async (fixture) => {
    for (const how of ['rollback', 'commit'] as const) {
      const one = charge({ processorReference: how });
      await whileOpen(fixture.storage, async (open) => {
        strictEqual(await fixture.storage.requests.transactions.insert(open.tx, one), true);
        const late = insert(fixture, { ...one, id: newId() });
        await open[how]();
        strictEqual(await late, how === 'rollback');
      });
    }
  },
  'transactions: a refused one leaves the transaction usable, and a removed one frees its number': async (fixture) => {
    const { transactions } = fixture.storage.requests;
    const one = charge({ processorReference: 'r' });
    const other = charge({ processorReference: 'r' });
    const store = storeOf(fixture, 'payments');
    const record = examples.payments.bare();
    await insert(fixture, one);
    await whileOpen(fixture.storage, async (open) => {
      strictEqual(await transactions.insert(open.tx, other), false);
      await store.insert(open.tx, record, [], []);
      const own = charge({ processorReference: 'own' });
      strictEqual(await transactions.insert(open.tx, own), true);
      const second = charge({ processorReference: 'own', number: 2 });
      strictEqual(await transactions.insert(open.tx, second), true);
      deepStrictEqual(await transactions.findAll(open.tx, owner, 'charge', 'own'), [own, second]);
      await transactions.remove(open.tx, own);
      deepStrictEqual(await transactions.findAll(open.tx, owner, 'charge', 'own'), [second]);
      await transactions.remove(open.tx, second);
      strictEqual(await transactions.insert(open.tx, { ...own, id: newId() }), true);
      await open.commit();
    });
    deepStrictEqual((await store.list(owner, {})).items, [record]);
    strictEqual((await list(fixture, {})).length, 2);
    await insertRecord(fixture, store, examples.payments.bare());
  },
  'transactions: what is rolled back is not listed, and an ended transaction stores nothing': async (fixture) => {
    await whileOpen(fixture.storage, async (open) => {
      await fixture.storage.requests.transactions.insert(open.tx, charge());
      await open.rollback();
      await rejects(fixture.storage.requests.transactions.insert(open.tx, charge()));
    });
    deepStrictEqual(await list(fixture, {}), []);
  },
  'transactions: lists have each one once, by the time of settlement, then by id': async (fixture) => {
    const stored = Array.from({ length: 23 }, (_, index) =>
      charge({
        id: `t${(index * 7) % 23}`,
        settledAt: begin + (index % 4) * 1_000,
        ...(index % 3 ? {} : { object: 'RequestSecurityDeposit' }),
        objectId: `o${index % 2}`,
      }),
    );
    for (const each of stored) strictEqual(await insert(fixture, each), true);
    const sorted = stored.toSorted((a, b) => a.settledAt - b.settledAt || (a.id < b.id ? -1 : 1));
    const [second, third] = [begin + 1_000, begin + 2_000];
    const of = { object: 'RequestPayment', objectId: 'o1' } as const;
    const isOf = ({ object, objectId }: StoredTransaction) => object === of.object && objectId === of.objectId;
    const filters: readonly (readonly [TransactionFilter, (each: StoredTransaction) => boolean])[] = [
      [{}, () => true],
      [{ settledFrom: second }, ({ settledAt }) => settledAt >= second],
      [{ settledTo: third }, ({ settledAt }) => settledAt < third],
      [{ settledFrom: second, settledTo: third }, ({ settledAt }) => settledAt === second],
      [{ settledFrom: third, settledTo: second }, () => false],
      [{ of }, isOf],
      [{ of, settledFrom: second }, (each) => isOf(each) && each.settledAt >= second],
      [{ of: { ...of, objectId: 'o9' } }, () => false],
    ];
    for (const [filter, matches] of filters) {
      const expected = sorted.filter(matches);
      deepStrictEqual(await list(fixture, filter), expected);
      deepStrictEqual(await list(fixture, filter, true), expected.toReversed());
    }
    for (const after of badCursors.filter((cursor) => cursor !== '1_2'))
      deepStrictEqual(await fixture.storage.requests.transactions.list(owner, { after }), {
        items: [],
        invalidCursor: true,
      });
  },
  'transactions: with children, lists and sums have those of each account, in one order': async (fixture) => {
    const children = [...otherAccounts, { id: 'acc_empty', environment: owner.environment }];
    const accounts = [owner, ...children, { id: 'acc_stranger', environment: owner.environment }];
    const stored = Array.from({ length: 40 }, (_, nth) => {
      const { id: accountId, environment } = accounts[nth % accounts.length] ?? owner;
      // Several are of one moment.
      return charge({ accountId, environment, settledAt: begin + Math.floor((nth * 7) / 20) * 1_000, amount: nth + 1 });
    });
    for (const each of stored) strictEqual(await insert(fixture, each), true);
    const isOf = ({ accountId, environment }: StoredTransaction): boolean =>
      [owner, ...children].some((each) => each.id === accountId && each.environment === environment);
    const sorted = stored.filter(isOf).sort((a, b) => a.settledAt - b.settledAt || (a.id < b.id ? -1 : 1));
    const [from, to] = [begin + 2_000, begin + 9_000];
    const of = { object: 'RequestPayment', objectId: 'pay_1' } as const;
    for (const filter of [{}, { settledFrom: from }, { settledTo: to }, { settledFrom: from, settledTo: to, of }]) {
      const { settledFrom = 0, settledTo = to * 2 }: TransactionFilter = filter;
      const expected = sorted.filter(({ settledAt }) => settledAt >= settledFrom && settledAt < settledTo);
      deepStrictEqual(await list(fixture, { ...filter, children }), expected);
      deepStrictEqual(await list(fixture, { ...filter, children }, true), expected.toReversed());
      const amount = expected.reduce((sum, each) => sum + each.amount, 0);
      deepStrictEqual(await fixture.storage.requests.transactions.sum(owner, { ...filter, children }), [
        { kind: 'charge', currency: 'EUR', count: expected.length, amount, fee: 0 },
      ]);
    }
  },
  'transactions: sums are those of a period and an object, by kind and currency, of what succeeded': async (
    fixture,
  ) => {
    const large = 999_999_999_999;
    const given: readonly Partial<StoredTransaction>[] = [
      { amount: large, fee: 5 },
      { amount: large, fee: 7, settledAt: begin + 1 },
      { amount: 3, objectId: 'pay_2' },
      { amount: 50, status: 'failed' },
      { amount: 60, status: 'cancelled' },
      { amount: 7, currency: 'JPY' },
      { amount: 11, kind: 'refund', settledAt: begin + 9 },
    ];
    for (const each of given) await insert(fixture, charge(each));
    const { transactions } = fixture.storage.requests;
    const total = (kind: string, currency: string, count: number, amount: number, fee = 0) => ({
      kind,
      currency,
      count,
      amount,
      fee,
    });
    deepStrictEqual(await transactions.sum(owner), [
      total('charge', 'EUR', 3, 2 * large + 3, 12),
      total('charge', 'JPY', 1, 7),
      total('refund', 'EUR', 1, 11),
    ]);
    deepStrictEqual(await transactions.sum(owner, { settledFrom: begin + 1, settledTo: begin + 9 }), [
      total('charge', 'EUR', 1, large, 7),
    ]);
    const of = { object: 'RequestPayment', objectId: 'pay_2' } as const;
    deepStrictEqual(await transactions.sum(owner, { of }), [total('charge', 'EUR', 1, 3)]);
  },
};
