import { deepStrictEqual, strictEqual } from 'node:assert';
import type { RequestsCases } from './case.ts';
import { deposit, payment } from './client.ts';
import { inTest } from './made.ts';

const seconds = Date.UTC(2024, 0, 1) / 1_000;

/** Cases of transactions, which partners play in a test environment. */
export const transactionCases: RequestsCases = {
  'what money is booked for is not cancelled, keeps its currency, and has at least that amount': async ({
    must,
    send,
  }) => {
    const refused = async (method: string, path: string, body: object, code = 'money_booked') => {
      const { status, json } = await send(method, path, { ...inTest, body });
      deepStrictEqual([status, json.code], [409, code]);
    };
    for (const [path, body, field, missing] of [
      ['payment-requests', payment, 'amount', 60.5],
      ['security-deposits', deposit, 'depositAmount', 240],
    ] as const) {
      const at = `${path}/${(await must(201, 'POST', path, { ...inTest, body })).json.id}`;
      const report = (transaction: object) =>
        must(200, 'POST', `${at}/simulate/succeed-transaction`, { ...inTest, body: { transaction } });
      await report({ kind: 'charge', amount: 60 });
      const other = await report({ kind: 'charge', amount: 1_000, currency: 'JPY' });
      deepStrictEqual(other.json.sums, { charged: 60, missing });
      const { amount, currency, breaks } = other.json.transactions.at(-1);
      deepStrictEqual([amount, currency, breaks], [1_000, 'JPY', ['other_currency']]);
      await refused('POST', `${at}/cancel`, {});
      await refused('PATCH', at, { [field]: 60, currency: 'CHF' });
      await refused('PATCH', at, { [field]: 59.99 });
      await must(200, 'PATCH', at, { ...inTest, body: { [field]: 60 } });
    }
    const paid = `payment-requests/${(await must(201, 'POST', 'payment-requests', { ...inTest, body: payment })).json.id}`;
    await must(200, 'POST', `${paid}/simulate/succeed`, { ...inTest, body: { transaction: {} } });
    const back = { kind: 'chargeback', amount: payment.amount };
    await must(200, 'POST', `${paid}/simulate/succeed-transaction`, { ...inTest, body: { transaction: back } });
    await refused('POST', `${paid}/simulate/refund`, {}, 'already_done');
  },
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
  'a transaction that is reported twice is answered like the first, and another success of its name is flagged':
    async ({ must, stored }) => {
      const { id } = (await must(201, 'POST', 'payment-requests', { ...inTest, body: payment })).json;
      const at = `payment-requests/${id}/simulate`;
      const report = { kind: 'charge', amount: 5, processorReference: 'ch_1' };
      const give = (status: number, command: string, transaction: object) =>
        must(status, 'POST', `${at}/${command}`, { ...inTest, body: { transaction } });
      const first = await give(200, 'succeed-transaction', report);
      const before = await stored();
      strictEqual((await give(200, 'succeed-transaction', report)).body, first.body);
      strictEqual((await give(409, 'succeed', { kind: 'capture' })).json.code, 'exceeds_secured');
      strictEqual(await stored(), before);
      const { transactions } = (await give(200, 'succeed-transaction', { ...report, amount: 6 })).json;
      deepStrictEqual(transactions.at(-1).breaks, ['reference_twice']);
    },
};
