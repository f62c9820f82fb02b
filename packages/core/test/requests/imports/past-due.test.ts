import { expect, test } from 'vitest';
import { day, hour, minute } from '../../../src/base/runtime/time.ts';
import type { RequestImportOptions } from '../../../src/requests/imports/import-requests.ts';
import type { RequestRow } from '../../../src/requests/imports/request-row.ts';
import type { RequestPolicies } from '../../../src/requests/record/policies.ts';
import { start } from '../../support/clock.ts';
import { platform } from '../due-platform.ts';
import { alone, done, own, recipient } from '../world.ts';

const policies: RequestPolicies = {
  guarantee: { warnBefore: 2 * day, atEnd: 'finish' },
  disputes: {
    recipient: { answerWithin: 7 * day, warnBefore: day, bySilence: 'accept' },
    partner: { answerWithin: 7 * day, warnBefore: day, bySilence: 'deny' },
  },
  reminders: [3 * day, 10 * day, 20 * day],
  expire: { afterDueDate: day, afterPaymentUrl: hour },
};
const ago = (time: number): number => start - time;
const date = (at: number): string => new Date(at).toISOString().slice(0, 10);

const stay = { accountId: own.id, name: 'Stay', amount: 30_000, currency: 'EUR', recipient, createdAt: ago(30 * day) };
const payment = (id: string, more: object = {}): RequestRow => ({
  kind: 'request',
  object: 'RequestPayment',
  request: { ...stay, id, status: 'pending', ...more },
});
const deposit = (id: string, more: object = {}): RequestRow => ({
  kind: 'request',
  object: 'RequestSecurityDeposit',
  request: { ...stay, id, status: 'in_progress', ...more },
});
const cashOut = (
  id: string,
  status: 'requested' | 'claimed',
  more: object,
  claimed: { readonly claimedAt?: number } = {},
): readonly RequestRow[] => [
  deposit(`of-${id}`, { cashOuts: [{ id, status, amount: 100, ...claimed }] }),
  {
    kind: 'request',
    object: 'CashOut',
    request: {
      ...{ id, accountId: own.id, depositId: `of-${id}`, status, amount: 100, currency: 'EUR', recipient },
      createdAt: stay.createdAt,
      ...more,
      ...claimed,
    },
  },
];

/** Everything of which the time has passed. */
const passed: readonly RequestRow[] = [
  payment('sent', { sendAt: ago(day) }),
  payment('reminded', { createdAt: ago(60 * day) }),
  payment('due', { createdAt: ago(60 * day), dueDate: date(ago(9 * day)) }),
  payment('unpaid', { createdAt: ago(60 * day), paymentUrl: 'https://pay.example/1', paymentUrlExpiresAt: ago(day) }),
  deposit('ended', { guaranteedUntil: ago(day) }),
  deposit('disputed', { status: 'litigation', guaranteedUntil: ago(day) }),
  deposit('authorised', { sums: { authorised: 30_000, secured: 30_000 }, authorisationEnds: [ago(day)] }),
  ...cashOut('silent', 'requested', { answerBy: ago(day) }),
  ...cashOut('announced', 'requested', { answerBy: ago(day), version: 2, announced: 2 }),
  ...cashOut('claimed', 'claimed', { answerBy: ago(minute) }, { claimedAt: ago(8 * day) }),
];

const imported = async (rows: readonly RequestRow[], options: RequestImportOptions = {}) => {
  const made = platform(policies);
  const report = await done(made.first.requests.import(rows, options));
  const { worker, kit, requests } = made.first;
  worker.start();
  const events = async () => (await done(kit.events.list(own.id, { page: { limit: 100 } }))).items.length;
  return { ...made, worker, requests, report, events, stop: () => worker.stop() };
};

test('what was due before the import is not given: no command and no event in the first hour', async () => {
  const world = await imported(passed);
  expect(world.report.counts).toEqual({ created: passed.length, unchanged: 0, differs: 0, refused: 0 });
  for (let passed = 1; passed <= 60; passed++) await world.until(passed * minute);
  expect(world.byRule()).toEqual([]);
  expect(world.signals).toEqual([]);
  expect(await world.events()).toBe(0);
  // Nor later, nor when all is planned anew.
  await done(world.requests.reschedule(own.id));
  await world.until(40 * day);
  expect(world.byRule()).toEqual([]);
  await world.stop();
});

test('asked for, it is given at once', async () => {
  const world = await imported(passed, { pastDue: 'give' });
  await world.clock.advance(minute);
  const given = world.byRule().map(({ command, id }) => `${id} ${command}`);
  expect(given).toEqual(
    expect.arrayContaining([
      ...['sent send', 'reminded remind', 'due cancel', 'unpaid cancel', 'ended finish', 'disputed warnOfEnd'],
      ...['authorised warnOfEnd', 'silent warnOfSilence', 'announced accept', 'claimed warnOfSilence'],
    ]),
  );
  await world.stop();
});

test('what falls due after the import is given as usual', async () => {
  const world = await imported([
    payment('sent', { sendAt: start + day }),
    // Its first reminder was due two days ago.
    payment('second', { createdAt: ago(5 * day) }),
    deposit('ending', { guaranteedUntil: start + 3 * day }),
    // Its warning was due yesterday, its end is not.
    deposit('warned', { guaranteedUntil: start + day }),
    deposit('twice', {
      sums: { authorised: 30_000, secured: 30_000 },
      authorisationEnds: [ago(day), start + 4 * day],
    }),
    // Silence was to be announced an hour ago: the end is as long after the announcement as it was to be.
    ...cashOut('late', 'requested', { answerBy: start + 23 * hour }),
  ]);
  // Before each of these hours, and when it has come.
  for (const passed of [22, 23, 24, 46, 47, 48, 71, 72, 95, 96, 119, 120, 144]) await world.until(passed * hour);
  const given = world.byRule().map(({ command, id, at }) => `${id} ${command} ${Math.floor(at / hour)}`);
  expect(given.toSorted()).toEqual(
    [
      ...['sent send 24', 'sent remind 96', 'second remind 120', 'ending warnOfEnd 24', 'ending finish 72'],
      ...['warned finish 24', 'twice warnOfEnd 48', 'late warnOfSilence 23', 'late accept 47'],
    ].toSorted(),
  );
  await world.stop();
});

test('a changed object waits for its new times alone', async () => {
  const world = await imported([
    payment('sent', { sendAt: ago(day) }),
    deposit('ended', { guaranteedUntil: ago(day) }),
  ]);
  const { payments, deposits } = world.requests;
  await done(payments.perform(own.id, 'sent', 'change', { ...alone, input: { description: 'Room 7' } }));
  const input = { guaranteedUntil: Math.floor((start + 5 * day) / 1_000) };
  await done(deposits.perform(own.id, 'ended', 'setTerm', { ...alone, input }));
  await world.until(6 * day);
  expect(world.byRule().map(({ command, id }) => `${id} ${command}`)).toEqual(['ended warnOfEnd', 'ended finish']);
  await world.stop();
});
