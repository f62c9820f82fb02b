import { expect, test } from 'vitest';
import type { ResultAsync } from '#result';
import { day, hour, toSeconds } from '../../../src/base/runtime/time.ts';
import { due } from '../../../src/requests/commands/due.ts';
import { kinds } from '../../../src/requests/kinds/all.ts';
import type { RequestKindName } from '../../../src/requests/record/names.ts';
import type { RequestPolicies } from '../../../src/requests/record/policies.ts';
import type { StoredRequest } from '../../../src/requests/record/record.ts';
import { start } from '../../support/clock.ts';
import { alone, codeOf, done, own, recipient, requestWorld } from '../world.ts';

const sum = { name: 'Stay', currency: 'EUR', recipient };
const inDays = (days: number): number => toSeconds(start + days * day);

/** The objects of a kind, whatever it is. */
interface AnyObjects {
  find(accountId: string, id: string): ResultAsync<StoredRequest, unknown>;
  create(accountId: string, input: object, options: typeof alone): ResultAsync<StoredRequest, unknown>;
  perform(accountId: string, id: string, command: string, options: object): ResultAsync<StoredRequest, unknown>;
}

/** What waits, and after how many days: by hand, so that times are days from the start. */
const worldOf = (policies: RequestPolicies) => {
  const world = requestWorld(undefined, policies);
  const { clock, requests } = world;
  const any = (kind: RequestKindName) => requests[kind] as unknown as AnyObjects;
  const waits = async (kind: RequestKindName, id: string) =>
    due(kinds[kind], await done(any(kind).find(own.id, id)), policies).map(
      ({ name, at, command, input, ifVersion }) =>
        `${name}: ${command} on day ${(at - start) / day}, ${JSON.stringify(input)}${ifVersion === undefined ? '' : ` of version ${ifVersion}`}`,
    );
  return {
    ...world,
    any,
    waits,
    wait: (days: number) => clock.set(clock.now() + days * day),
    deposit: async (term: object = {}) => {
      const { id } = await done(requests.deposits.create(own.id, { ...sum, depositAmount: 300 }, alone));
      await done(requests.deposits.perform(own.id, id, 'succeedDeposit', { ...alone, input: term }));
      return id;
    },
    on: (id: string, command: string, input: object = {}, ifVersion?: number) =>
      done(requests.cashOuts.perform(own.id, id, command as 'deny', { ...alone, input, ifVersion } as never)),
    of: (id: string, command: string, input: object = {}) =>
      done(requests.deposits.perform(own.id, id, command as 'finish', { ...alone, input } as never)),
  };
};

const warning = '{"reason":{"code":"guarantee_ending"}}';
const expired = '{"reason":{"code":"guarantee_expired"}}';

test('a guarantee is warned of once before its end, and an extension plans both anew', async () => {
  const { waits, deposit, of, wait } = worldOf({ guarantee: { warnBefore: 2 * day, atEnd: 'fail' } });
  const id = await deposit({ guaranteedUntil: inDays(10) });
  const both = (end: number) => [
    `guaranteeEnding: warnOfEnd on day ${end - 2}, ${warning}`,
    `guaranteeExpired: fail on day ${end}, ${expired}`,
  ];
  expect(await waits('deposits', id)).toEqual(both(10));
  wait(8);
  await of(id, 'warnOfEnd');
  expect(await waits('deposits', id)).toEqual(both(10).slice(1));
  await of(id, 'checkIn');
  expect(await waits('deposits', id)).toEqual(both(10).slice(1));
  await of(id, 'setTerm', { guaranteedUntil: inDays(20) });
  expect(await waits('deposits', id)).toEqual(both(20));
  await of(id, 'setTerm', { claimUntil: inDays(19) });
  expect(await waits('deposits', id)).toEqual(both(20));
  await of(id, 'setTerm', { guaranteedUntil: null });
  expect(await waits('deposits', id)).toEqual([]);
});

test('a deposit that is to finish does so once no cash-out is open and no dispute, and tells an end that passed', async () => {
  const { waits, deposit, on, of, requests } = worldOf({ guarantee: { warnBefore: day, atEnd: 'finish' } });
  const id = await deposit({ guaranteedUntil: inDays(3) });
  await of(id, 'warnOfEnd');
  const end = [`guaranteeExpired: finish on day 3, ${expired}`];
  expect(await waits('deposits', id)).toEqual(end);
  const cashOut = await done(requests.cashOuts.create(own.id, { depositId: id, amount: 5 }, alone));
  const told = [`guaranteeExpired: warnOfEnd on day 3, ${expired}`];
  expect(await waits('deposits', id)).toEqual(told);
  await on(cashOut.id, 'claim');
  await on(cashOut.id, 'deny');
  expect(await waits('deposits', id)).toEqual(told);
  // A process whose clock is behind that of the storage tells it once, too.
  await of(id, 'warnOfEnd', JSON.parse(expired));
  expect(await waits('deposits', id)).toEqual([]);
  await of(id, 'setTerm', { guaranteedUntil: inDays(4) });
  expect(await waits('deposits', id)).toEqual([
    `guaranteeEnding: warnOfEnd on day 3, ${warning}`,
    `guaranteeExpired: warnOfEnd on day 4, ${expired}`,
  ]);
  await of(id, 'setTerm', { guaranteedUntil: inDays(3) });
  await of(id, 'warnOfEnd');
  await on(cashOut.id, 'cancel');
  expect(await waits('deposits', id)).toEqual(end);
});

test('an authorisation has an end of its own, and is warned of while a part of it can be captured', async () => {
  const { waits, of, wait, requests, clock } = worldOf({ guarantee: { warnBefore: 2 * day, atEnd: 'finish' } });
  const { id } = await done(requests.deposits.create(own.id, { ...sum, depositAmount: 300 }, alone));
  const report = (kind: string, amount: number, more: object = {}) =>
    of(id, 'succeedTransaction', { transaction: { kind, amount, ...more } });
  await of(id, 'succeedDeposit', {
    guaranteedUntil: inDays(30),
    transaction: { amount: 200, capturableUntil: inDays(7) },
  });
  await report('authorisation', 100, { capturableUntil: inDays(9) });
  await of(id, 'failTransaction', { transaction: { kind: 'authorisation', amount: 1, capturableUntil: inDays(4) } });
  const rest = [`guaranteeEnding: warnOfEnd on day 28, ${warning}`, `guaranteeExpired: finish on day 30, ${expired}`];
  const reason = '{"reason":{"code":"authorisation_ending"}}';
  const waiting = (onDay: number) => [...rest, `authorisationEnding: warnOfEnd on day ${onDay}, ${reason}`];
  expect(await waits('deposits', id)).toEqual(waiting(5));
  wait(5);
  // The warning of an authorisation is none of the guarantee.
  const warned = await of(id, 'warnOfEnd', JSON.parse(reason));
  expect([warned.guaranteedUntil, clock.now()]).toEqual([start + 30 * day, start + 5 * day]);
  expect(await waits('deposits', id)).toEqual(waiting(7));
  await report('capture', 120);
  await report('release', 180);
  expect(await waits('deposits', id)).toEqual(rest);
  const wrong = { transaction: { kind: 'charge', amount: 5, capturableUntil: inDays(9) } } as const;
  const refused = await requests.deposits.perform(own.id, id, 'succeedTransaction', { ...alone, input: wrong });
  expect(refused.isErr() && refused.error).toMatchObject({
    code: 'invalid_input',
    errors: [{ pointer: '/transaction/capturableUntil' }],
  });
  const view = kinds.deposits.show(await done(requests.deposits.find(own.id, id))) as {
    readonly transactions?: readonly { readonly capturableUntil?: number }[];
  };
  const ends = view.transactions?.map(({ capturableUntil }) => capturableUntil);
  expect(ends).toEqual([inDays(7), inDays(9), inDays(4), undefined, undefined]);
});

test('a pending request expires after its due date or the end of its payment address, the first of both', async () => {
  const expire = { afterDueDate: day, afterPaymentUrl: 2 * day };
  const { waits, any } = worldOf({ expire });
  const dueDate = new Date(start + 9 * day).toISOString().slice(0, 10);
  // The date ends at midnight in UTC.
  const ends = (Date.parse(dueDate) - start) / day + 1;
  const cancel = (rule: string, onDay: number) => `${rule}: cancel on day ${onDay}, {"reason":{"code":"expired"}}`;
  for (const [name, amount] of [
    ['payments', 'amount'],
    ['deposits', 'depositAmount'],
  ] as const) {
    const { id } = await done(any(name).create(own.id, { ...sum, [amount]: 300, dueDate }, alone));
    expect(await waits(name, id)).toEqual([cancel('dueDateExpired', ends + 1)]);
    const address = { paymentUrl: 'https://pay.example/1', paymentUrlExpiresAt: inDays(3) };
    await done(any(name).perform(own.id, id, 'setPaymentUrl', { ...alone, input: address }));
    const both = [cancel('dueDateExpired', ends + 1), cancel('paymentUrlExpired', 5)];
    expect(await waits(name, id)).toEqual(both);
    const report = (kind: string) =>
      done(
        any(name).perform(own.id, id, 'succeedTransaction', { ...alone, input: { transaction: { kind, amount: 1 } } }),
      );
    // Never while money is booked.
    await report('charge');
    expect(await waits(name, id)).toEqual([]);
    await report('refund');
    expect(await waits(name, id)).toEqual(both);
    // A debit that came back reopens a request whose dates may have passed long ago.
    await report('charge');
    const returned = { transaction: { amount: 1 } };
    await done(any(name).perform(own.id, id, 'returnTransaction', { ...alone, input: returned }));
    expect(await waits(name, id)).toEqual([]);
    const plain = await done(any(name).create(own.id, { ...sum, [amount]: 300 }, alone));
    expect(await waits(name, plain.id)).toEqual([]);
    expect(due(kinds[name], await done(any(name).find(own.id, id)), {})).toEqual([]);
  }
});

test('a guarantee that fails at its end is warned of and ends during a dispute, too', async () => {
  const { waits, deposit, on, requests } = worldOf({ guarantee: { warnBefore: day, atEnd: 'fail' } });
  const depositId = await deposit({ guaranteedUntil: inDays(3) });
  const { id } = await done(requests.cashOuts.create(own.id, { depositId, amount: 5 }, alone));
  await on(id, 'claim');
  await on(id, 'deny');
  expect((await done(requests.deposits.find(own.id, depositId))).status).toBe('litigation');
  expect(await waits('deposits', depositId)).toEqual([
    `guaranteeEnding: warnOfEnd on day 2, ${warning}`,
    `guaranteeExpired: fail on day 3, ${expired}`,
  ]);
});

test('nothing waits before a deposit is made, after its end, or without a policy', async () => {
  const policies: RequestPolicies = { guarantee: { warnBefore: day, atEnd: 'fail' } };
  const { waits, deposit, of, requests } = worldOf(policies);
  const pending = await done(requests.deposits.create(own.id, { ...sum, depositAmount: 300 }, alone));
  expect(await waits('deposits', pending.id)).toEqual([]);
  expect(await waits('deposits', await deposit())).toEqual([]);
  const ended = await deposit({ guaranteedUntil: inDays(3) });
  await of(ended, 'finish', { reason: { code: 'guarantee_expired' } });
  expect(await waits('deposits', ended)).toEqual([]);
  expect(due(kinds.deposits, await done(requests.deposits.find(own.id, ended)), {})).toEqual([]);
});

test('cash-outs are created until claimUntil, and not at it or after it', async () => {
  const { deposit, requests, clock, of } = worldOf({});
  const id = await deposit({ claimUntil: inDays(1) });
  const create = () => requests.cashOuts.create(own.id, { depositId: id, amount: 1 }, alone);
  clock.set(start + day - 1);
  await done(create());
  clock.set(start + day);
  expect(await codeOf(create())).toBe('claim_ended');
  await of(id, 'setTerm', { claimUntil: inDays(2) });
  await done(create());
});

const disputes = {
  recipient: { answerWithin: 7 * day, warnBefore: 2 * day, bySilence: 'accept' },
  partner: { answerWithin: 3 * day, warnBefore: day, bySilence: 'deny' },
} as const;
const announcement = '{"reason":{"code":"answer_due"}}';
const silence = '{"reason":{"code":"no_answer"}}';

/** A requested cash-out, and what it waits for. */
const cashOutIn = async (world: ReturnType<typeof worldOf>) => {
  const depositId = await world.deposit();
  const { id } = await done(world.requests.cashOuts.create(own.id, { depositId, amount: 50 }, alone));
  return {
    id,
    depositId,
    waits: () => world.waits('cashOuts', id),
    on: (...given: [string, object?, number?]) => world.on(id, ...given),
  };
};

test('silence is announced, and then accepts the announced version', async () => {
  const world = worldOf({ disputes });
  const { waits, on } = await cashOutIn(world);
  expect(await waits()).toEqual([`answerDue: warnOfSilence on day 5, ${announcement}`]);
  world.wait(5);
  const announced = await on('warnOfSilence');
  expect([announced.version, announced.answerBy]).toEqual([2, start + 7 * day]);
  expect(await waits()).toEqual([`noAnswer: accept on day 7, ${silence} of version 2`]);
  expect((await on('accept', { reason: { code: 'no_answer' } }, 2)).status).toBe('accepted');
  expect(await waits()).toEqual([]);
});

test('a cash-out that was changed after the announcement is announced again, as long before the end', async () => {
  const world = worldOf({ disputes });
  const { waits, on } = await cashOutIn(world);
  world.wait(5);
  await on('warnOfSilence');
  world.wait(1);
  await on('change', { description: 'Another damage' });
  expect(await waits()).toEqual([`answerDue: warnOfSilence on day 5, ${announcement}`]);
  expect((await on('warnOfSilence')).answerBy).toBe(start + 8 * day);
  expect(await waits()).toEqual([`noAnswer: accept on day 8, ${silence} of version 4`]);
});

test('a new offer restarts the time, and a claim gives the partner its own', async () => {
  const world = worldOf({ disputes });
  const { waits, on } = await cashOutIn(world);
  world.wait(6);
  await on('warnOfSilence');
  await on('offer', { amount: 40 });
  expect(await waits()).toEqual([`answerDue: warnOfSilence on day 11, ${announcement}`]);
  await on('claim');
  expect(await waits()).toEqual([`answerDue: warnOfSilence on day 8, ${announcement}`]);
  await on('warnOfSilence');
  expect(await waits()).toEqual([`noAnswer: deny on day 9, ${silence} of version 5`]);
  await on('deny');
  expect(await waits()).toEqual([]);
  await on('offer', { amount: 30 });
  expect(await waits()).toEqual([`answerDue: warnOfSilence on day 11, ${announcement}`]);
});

test('a party without a policy has no deadline, also when the other had one', async () => {
  const world = worldOf({ disputes: { recipient: disputes.recipient } });
  const { waits, on } = await cashOutIn(world);
  const claimed = await on('claim');
  expect([claimed.answerBy, kinds.cashOuts.show(claimed)]).toEqual([
    undefined,
    expect.not.objectContaining({ answerBy: expect.anything() }),
  ]);
  expect(await waits()).toEqual([]);
});

test('nothing follows from silence during a pause, and the rest of the time follows it', async () => {
  const world = worldOf({ disputes });
  const { waits, on } = await cashOutIn(world);
  world.wait(5);
  await on('warnOfSilence');
  world.wait(1);
  const paused = await on('pauseDeadline');
  expect(await waits()).toEqual([]);
  expect(kinds.cashOuts.show(paused)).toMatchObject({ pausedAt: inDays(6) });
  expect(kinds.cashOuts.show(paused)).not.toHaveProperty('answerBy');
  world.wait(30);
  await on('pauseDeadline');
  expect(await waits()).toEqual([]);
  const gone = await on('resumeDeadline');
  expect(kinds.cashOuts.show(gone)).toMatchObject({ answerBy: inDays(37) });
  expect(kinds.cashOuts.show(gone)).not.toHaveProperty('pausedAt');
  expect(await waits()).toEqual([`answerDue: warnOfSilence on day 35, ${announcement}`]);
});

test('an offer during a pause leaves the pause, and all of its own time', async () => {
  const world = worldOf({ disputes });
  const { waits, on } = await cashOutIn(world);
  world.wait(3);
  await on('pauseDeadline');
  world.wait(3);
  await on('offer', { amount: 10 });
  expect(await waits()).toEqual([]);
  world.wait(4);
  await on('resumeDeadline');
  expect(await waits()).toEqual([`answerDue: warnOfSilence on day 15, ${announcement}`]);
});

test.each(['payments', 'deposits'] as const)(
  '%s: sendAt is kept until it is sent, and reminders follow',
  async (kind) => {
    const { any, waits, wait, clock } = worldOf({ reminders: [3 * day, 4 * day] });
    const give = (id: string, command: string, input: object = {}) =>
      done(any(kind).perform(own.id, id, command, { ...alone, input }));
    const amounts = { payments: { amount: 5 }, deposits: { depositAmount: 5 } };
    const input = { ...sum, ...amounts[kind], sendAt: inDays(2) };
    const { id } = await done(any(kind).create(own.id, input, alone));
    const reminder = (at: number) => [`reminder: remind on day ${at}, {"reason":{"code":"reminder"}}`];
    const sending = (at: number) => [`sendAt: send on day ${at}, {"reason":{"code":"send_at"}}`];
    expect(await waits(kind, id)).toEqual(sending(2));
    await give(id, 'change', { sendAt: inDays(1) });
    expect(await waits(kind, id)).toEqual(sending(1));
    wait(1);
    const sent = await give(id, 'send');
    expect(kinds[kind].show(sent as never)).toMatchObject({ sentAt: inDays(1) });
    expect(kinds[kind].show(sent as never)).not.toHaveProperty('sendAt');
    expect(await waits(kind, id)).toEqual(reminder(4));
    // A day late: the next does not follow at once.
    clock.set(start + 5 * day);
    await give(id, 'remind');
    expect(await waits(kind, id)).toEqual(reminder(6));
    await give(id, 'change', { sendAt: inDays(9) });
    expect(await waits(kind, id)).toEqual(sending(9));
    await give(id, 'change', { sendAt: null });
    clock.set(start + 6 * day);
    await give(id, 'remind');
    expect(await waits(kind, id)).toEqual([]);
    await give(id, 'send');
    expect(await waits(kind, id)).toEqual(reminder(9));
    await give(id, 'cancel');
    expect(await waits(kind, id)).toEqual([]);
  },
);

test('reminders of a request that was sent at once count from its creation', async () => {
  const { requests, waits, wait } = worldOf({ reminders: [hour, day] });
  wait(1);
  const { id } = await done(requests.payments.create(own.id, { ...sum, amount: 5 }, alone));
  expect(await waits('payments', id)).toEqual([
    `reminder: remind on day ${1 + 1 / 24}, {"reason":{"code":"reminder"}}`,
  ]);
});

test.each([
  [
    { guarantee: { warnBefore: 0, atEnd: 'finish' } },
    /guarantee\.warnBefore must be a whole number of milliseconds, at least a minute \(60000\): write 14 \* day/,
  ],
  [{ guarantee: { warnBefore: day, atEnd: 'end' } }, /guarantee\.atEnd must be 'finish' or 'fail'\./],
  [{ guarantee: { atEnd: 'fail' } }, /guarantee\.warnBefore must be/],
  [{ guarantee: { warnBefore: day, atEnd: 'fail', warnAfter: 1 } }, /guarantee: .*warnAfter.*warnBefore/],
  [
    { disputes: { recipient: { ...disputes.recipient, bySilence: 'deny' } } },
    /bySilence must be 'accept' or 'cancel'\./,
  ],
  [{ disputes: { partner: { ...disputes.partner, bySilence: 'accept' } } }, /bySilence must be 'deny' or 'cancel'\./],
  [
    { disputes: { partner: { ...disputes.partner, warnBefore: 3 * day } } },
    /warnBefore must be less than answerWithin/,
  ],
  [{ disputes: { answerWithin: day } }, /disputes: .*answerWithin/],
  // Days in the place of milliseconds.
  [{ disputes: { partner: { ...disputes.partner, answerWithin: 14 } } }, /answerWithin must be .* at least a minute/],
  [{ expire: { afterDueDate: -1 } }, /expire.afterDueDate must be a whole number from 0/],
  [{ expire: { afterDate: 1 } }, /expire: .*afterDate/],
  [{ expire: { afterPaymentUrl: 30 } }, /expire.afterPaymentUrl must be .* at least a minute/],
  [{ reminders: [2 * day, day] }, /reminders must be in ascending order/],
  [{ reminders: [day, day] }, /reminders must be in ascending order/],
  [{ reminders: [day + 0.5] }, /reminders\[0\] must be a whole number/],
  [{ reminders: 5 }, /reminders must be a list/],
  [{ reminders: Array.from({ length: 11 }, (_, index) => (index + 1) * day) }, /reminders must have at most 10/],
])('a wrong policy is refused at construction: %j', (policies, message) => {
  expect(() => requestWorld(undefined, policies as never)).toThrow(message);
});
