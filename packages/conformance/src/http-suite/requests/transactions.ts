import { deepStrictEqual, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { deposit, payment } from './client.ts';
import { inTest } from './made.ts';

const seconds = Date.UTC(2024, 0, 1) / 1_000;

/** Cases of transactions, which partners play in a test environment. */
export const transactionCases: RequestsCases = {
  'transactions are listed by account and by object, with the sums of a period': async ({ must }) => {
    const make = async (path: string, body: object) =>
      `${path}/${(await must(201, 'POST', path, { ...inTest, body })).json.id}`;
    const simulate = async (path: string, transaction: object, more: object = {}) =>
      (await must(200, 'POST', path, { ...inTest, body: { transaction, ...more } })).json;
    const paid = await make('payment-requests', payment);
    const held = await make('security-deposits', deposit);
    const charge = { fee: 0.5, processorReference: 'ch_1', settledAt: seconds, method: 'card' };
    const first = await simulate(`${paid}/simulate/succeed`, charge);
    deepStrictEqual([first.sums, first.transactionCount], [{ charged: payment.amount }, 1]);
    await simulate(`${held}/simulate/succeed-deposit`, { settledAt: seconds + 60 });
    const cashOut = await make(`${held}/cash-outs`, { amount: 100 });
    await must(200, 'POST', `${cashOut}/simulate/accept`, { ...inTest, body: { amount: 100 } });
    const done = await simulate(`${cashOut}/simulate/complete`, { settledAt: seconds + 120 }, { amount: 40 });
    strictEqual(done.collectedAmount, 40);
    await simulate(`${cashOut}/simulate/refund`, { settledAt: seconds + 180 }, { amount: 15 });

    const listed = async (query: string, path = 'transactions') =>
      (await must(200, 'GET', `${path}${query}`, inTest)).json;
    const kindsOf = ({ items }: { readonly items: readonly { readonly kind: string }[] }) =>
      items.map(({ kind }) => kind);
    deepStrictEqual(kindsOf(await listed('')), ['charge', 'authorisation', 'capture', 'refund']);
    deepStrictEqual(kindsOf(await listed('?order=newest&limit=1')), ['refund']);
    const page = await listed('?limit=3');
    deepStrictEqual(kindsOf(await listed(`?limit=3&after=${page.next}`)), ['refund']);
    deepStrictEqual(kindsOf(await listed('', `${held}/transactions`)), ['authorisation', 'capture', 'refund']);
    deepStrictEqual(kindsOf(await listed(`?settledFrom=${seconds + 61}`, `${held}/transactions`)), [
      'capture',
      'refund',
    ]);
    const [item] = (await listed('', `${paid}/transactions`)).items;
    const { id, ...shown } = item;
    strictEqual(typeof id, 'string');
    deepStrictEqual(shown, {
      kind: 'charge',
      status: 'succeeded',
      amount: payment.amount,
      currency: 'EUR',
      method: 'card',
      fee: 0.5,
      settledAt: seconds,
      processorReference: 'ch_1',
      organisationId: inTest.account,
      objectName: 'RequestPayment',
      objectId: paid.split('/')[1],
    });
    const period = `?settledFrom=${seconds}&settledTo=${seconds + 121}`;
    deepStrictEqual((await listed(period, 'transactions/sums')).items, [
      { kind: 'authorisation', currency: 'EUR', count: 1, amount: deposit.depositAmount, fee: 0 },
      { kind: 'capture', currency: 'EUR', count: 1, amount: 40, fee: 0 },
      { kind: 'charge', currency: 'EUR', count: 1, amount: payment.amount, fee: 0.5 },
    ]);
    // Another account has none, and its objects are not found.
    deepStrictEqual((await must(200, 'GET', 'transactions')).json.items, []);
    await must(404, 'GET', `${paid}/transactions`);
  },
};
