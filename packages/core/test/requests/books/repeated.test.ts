import { expect, test } from 'vitest';
import { day, second } from '../../../src/base/runtime/time.ts';
import { alone, done, own, recipient, requestWorld } from '../world.ts';

const stay = { name: 'Car', currency: 'EUR', recipient };
/** A payment request of 100 and a deposit of 800. */
const world = async () => {
  const made = requestWorld(undefined, { guarantee: { warnBefore: day, atEnd: 'finish' } });
  const { payments, deposits } = made.requests;
  const { id } = await done(payments.create(own.id, { ...stay, amount: 100 }, alone));
  const { id: depositId } = await done(deposits.create(own.id, { ...stay, depositAmount: 800 }, alone));
  return {
    ...made,
    pay: (command: string, input: object) =>
      done(payments.perform(own.id, id, command as 'succeed', { input: input as never, ...alone })),
    hold: (command: string, input: object) =>
      done(deposits.perform(own.id, depositId, command as 'extend', { input: input as never, ...alone })),
    last: async () => (await made.events()).at(-1),
    count: async () => (await done(made.requests.transactions.list(own.id))).items.length,
  };
};
const moved = (kind: string, amount: number, more: object = {}) => ({
  transaction: { kind, amount, processorReference: 'pi_1', ...more },
});

test('a payment whose charge was reported is payed by its command, without a second charge', async () => {
  const { pay, last, count } = await world();
  await pay('succeedTransaction', moved('charge', 100));
  const paid = await pay('succeed', moved('charge', 100));
  expect([paid.status, paid.sums, await count()]).toEqual(['payed', { charged: 10_000 }, 1]);
  expect(await last()).toMatchObject({ type: 'payed', data: { transaction: { id: paid.transactions?.[0]?.id } } });
  expect((await pay('succeed', moved('charge', 100))).version).toBe(paid.version);
  // A debit that came back is not paid by the report of it that comes again.
  await pay('returnTransaction', moved('return', 100));
  expect((await pay('succeed', moved('charge', 100))).status).toBe('pending');
});

test('captures that come before their authorisation are reported, and pay once the command is given again', async () => {
  const { pay } = await world();
  await pay('succeedTransaction', moved('capture', 100));
  const paid = await pay('succeed', moved('capture', 100));
  expect([paid.status, paid.transactions?.map(({ breaks }) => breaks)]).toEqual(['payed', [['taken_within_secured']]]);
});

test('a debit whose return came first is not payed', async () => {
  const { pay, last } = await world();
  await pay('returnTransaction', moved('return', 100));
  const after = await pay('succeed', moved('charge', 100));
  expect([after.status, after.reason, (await last())?.type]).toEqual([
    'pending',
    { code: 'transaction_returned' },
    'update',
  ]);
  const paid = await pay('succeed', moved('charge', 100, { processorReference: 'pi_2' }));
  expect([paid.status, paid.sums]).toEqual(['payed', { charged: 20_000, returned: 10_000 }]);
});

test('a refund of all that was reported leads to refunded by its command', async () => {
  const { pay } = await world();
  await pay('succeed', moved('charge', 100));
  await pay('succeedTransaction', moved('refund', 100));
  const refunded = await pay('refund', { transaction: moved('refund', 100).transaction });
  expect([refunded.status, refunded.sums]).toEqual(['refunded', { charged: 10_000, refunded: 10_000 }]);
});

test('a deposit whose money was reported begins, and is extended, by its commands; nothing is booked twice', async () => {
  const { hold, count } = await world();
  await hold('succeedTransaction', moved('authorisation', 800));
  const term = { guaranteedUntil: 1_800_000_000 };
  const held = await hold('succeedDeposit', { ...moved('authorisation', 800), ...term });
  expect([held.status, held.guaranteedUntil]).toEqual(['in_progress', 1_800_000_000 * second]);
  await hold('succeedTransaction', moved('authorisation', 200));
  const more = { depositAmount: 1_000, ...moved('authorisation', 200) };
  const extended = await hold('extend', more);
  expect([extended.amount, extended.sums, await count()]).toEqual([
    100_000,
    { authorised: 100_000, secured: 100_000 },
    2,
  ]);
  expect((await hold('extend', more)).version).toBe(extended.version);
});

test('an authorisation that is made longer reserves nothing more; an end that comes late stays earlier', async () => {
  const { hold, clock, count, last, requests } = await world();
  const [first, later] = [10, 20].map((days) => Math.floor((clock.now() + days * day) / second));
  const ends = ({ transactions = [] }: Awaited<ReturnType<typeof hold>>) =>
    transactions.map(({ capturableUntil: at }) => at && at / second);
  const held = await hold('succeedDeposit', moved('authorisation', 800, { capturableUntil: first }));
  const longer = await hold('succeedTransaction', moved('authorisation', 800, { capturableUntil: later }));
  expect([ends(longer), longer.authorisationEnds]).toEqual([[later], [(later as number) * second]]);
  expect([longer.sums, longer.reason, await count()]).toEqual([held.sums, { code: 'authorisation_extended' }, 1]);
  const event = await last();
  expect([event?.type, event?.data['transaction']]).toMatchObject([
    'update',
    { id: held.transactions?.[0]?.id, capturableUntil: later },
  ]);
  for (const end of [first, later]) {
    const again = await hold('succeedTransaction', moved('authorisation', 800, { capturableUntil: end }));
    expect(again.version).toBe(longer.version);
  }
  // The row keeps the first end.
  const [row] = (await done(requests.transactions.list(own.id))).items;
  expect(row?.capturableUntil).toBe((first as number) * second);
});

test('a guarantee that the same authorisation makes longer counts, and an earlier one does not', async () => {
  const { hold } = await world();
  const until = (guaranteedUntil: number) => ({ ...moved('authorisation', 800), guaranteedUntil });
  await hold('succeedDeposit', until(1_800_000_000));
  for (const command of ['succeedDeposit', 'extend'])
    for (const [named, expected] of [
      [1_700_000_000, 1_800_000_000],
      [1_900_000_000, 1_900_000_000],
    ]) {
      const { guaranteedUntil, sums } = await hold(command, until(named as number));
      expect(sums).toEqual({ authorised: 80_000, secured: 80_000 });
      if (command === 'succeedDeposit') expect(guaranteedUntil).toBe((expected as number) * second);
    }
  const { guaranteedUntil } = await hold('extend', until(1_950_000_000));
  expect(guaranteedUntil).toBe(1_950_000_000 * second);
});
