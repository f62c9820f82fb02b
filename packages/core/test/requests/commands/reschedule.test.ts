import { expect, test } from 'vitest';
import { day, minute, second } from '../../../src/base/runtime/time.ts';
import type { RequestPolicies } from '../../../src/requests/record/policies.ts';
import type { Storage } from '../../../src/stores/storage/storage.ts';
import { inDays, platform, sum } from '../due-platform.ts';
import { alone, child, codeOf, done, own } from '../world.ts';

const warned = (days: number): RequestPolicies => ({ guarantee: { warnBefore: days * day, atEnd: 'fail' } });
const answered = (days: number, warnBefore: number): RequestPolicies => ({
  disputes: { recipient: { answerWithin: days * day, warnBefore: warnBefore * day, bySilence: 'accept' } },
});
type Platform = ReturnType<typeof platform>;
const same = (storage: Storage<object>): Storage<object> => storage;
/** The platform after a deployment: one process, with other policies. */
const deployed = ({ process }: Platform, policies: RequestPolicies, change = same) =>
  process(change, undefined, policies);
const given = ({ byRule }: Platform) => byRule().map(({ command, at }) => `${command} on day ${Math.floor(at / day)}`);

test('a policy that warns earlier moves the warning of an open deposit, and one that warns later moves it back', async () => {
  const world = platform(warned(1));
  await world.deposit(inDays(20));
  const earlier = deployed(world, warned(9));
  expect(await done(earlier.requests.reschedule(own.id))).toEqual({ objects: 1, commands: 2 });
  expect(await done(earlier.requests.reschedule(own.id))).toEqual({ objects: 1, commands: 2 });
  const later = deployed(world, warned(5));
  await done(later.requests.reschedule(own.id));
  later.worker.start();
  await world.until(11 * day);
  await world.until(15 * day - minute);
  expect(given(world)).toEqual([]);
  await world.until(15 * day);
  await world.until(20 * day);
  expect(given(world)).toEqual(['warnOfEnd on day 15', 'fail on day 20']);
  await later.worker.stop();
});

test('a first policy reaches deposits that were open before it, and none that ended', async () => {
  const world = platform({});
  const { deposits } = world.first.requests;
  const [open, ended] = [await world.deposit(inDays(6)), await world.deposit(inDays(6))];
  await done(deposits.perform(own.id, ended, 'finish', alone));
  const next = deployed(world, warned(2));
  next.worker.start();
  await world.until(5 * day);
  expect(given(world)).toEqual([]);
  expect(await done(next.requests.reschedule(own.id))).toEqual({ objects: 1, commands: 2 });
  await world.clock.advance(6 * second);
  await world.until(6 * day);
  // The warning was due on day 4: it is given at once.
  expect(world.byRule().map(({ command, id }) => [command, id])).toEqual([
    ['warnOfEnd', open],
    ['fail', open],
  ]);
  // Lateness counts from the new plan.
  for (const { lateMs } of world.signals) expect(lateMs).toBeLessThanOrEqual(5 * second);
  await next.worker.stop();
});

test('a policy that is gone leaves nothing planned', async () => {
  const world = platform(warned(2));
  await world.deposit(inDays(6));
  const none = deployed(world, {});
  expect(await done(none.requests.reschedule(own.id))).toEqual({ objects: 1, commands: 0 });
  world.clock.set(world.clock.now() + 100 * day);
  expect((await world.storage.requests.due.claim(10, minute)).claimed).toEqual([]);
});

test('a shown deadline stays when answers get another time; its announcement moves', async () => {
  const world = platform(answered(10, 2));
  const { deposits, cashOuts } = world.first.requests;
  const { id: depositId } = await done(deposits.create(own.id, { ...sum, depositAmount: 300 }, alone));
  await done(deposits.perform(own.id, depositId, 'succeedDeposit', alone));
  const { id, answerBy } = await done(cashOuts.create(own.id, { depositId, amount: 5 }, alone));
  const next = deployed(world, answered(30, 6));
  expect(await done(next.requests.reschedule(own.id))).toEqual({ objects: 2, commands: 1 });
  next.worker.start();
  await world.until(4 * day);
  expect(given(world)).toEqual(['warnOfSilence on day 4']);
  expect((await done(cashOuts.find(own.id, id))).answerBy).toBe(answerBy);
  await world.until(10 * day);
  expect(given(world)).toEqual(['warnOfSilence on day 4', 'accept on day 10']);
  await next.worker.stop();
});

test('an object that is changed while it is planned is planned as it is then', async () => {
  const world = platform(warned(1));
  const { deposits } = world.first.requests;
  const id = await world.deposit(inDays(30));
  let isChanged = false;
  const racing = (storage: Storage<object>): Storage<object> => ({
    ...storage,
    transaction: async (work, options) => {
      // After it was read, before it is planned.
      if (!isChanged) {
        isChanged = true;
        await done(deposits.perform(own.id, id, 'setTerm', { ...alone, input: { guaranteedUntil: inDays(8) } }));
      }
      return storage.transaction(work, options);
    },
  });
  const next = deployed(world, warned(3), racing);
  expect(await done(next.requests.reschedule(own.id))).toEqual({ objects: 1, commands: 2 });
  next.worker.start();
  await world.until(5 * day);
  await world.until(8 * day);
  expect(given(world)).toEqual(['warnOfEnd on day 5', 'fail on day 8']);
  await next.worker.stop();
});

test('every page of open objects is planned, of the named account alone', async () => {
  const world = platform({});
  for (let index = 0; index < 130; index++) await world.deposit(inDays(6));
  const next = deployed(world, warned(2));
  expect(await done(next.requests.reschedule(child.id))).toEqual({ objects: 0, commands: 0 });
  expect(await done(next.requests.reschedule(own.id))).toEqual({ objects: 130, commands: 260 });
  world.clock.set(world.clock.now() + 4 * day + second);
  const { claimed } = await world.storage.requests.due.claim(200, minute);
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(130);
  expect(claimed.every(({ name }) => name === 'guaranteeEnding')).toBe(true);
  expect(await codeOf(next.requests.reschedule('acc_unknown'))).toBe('not_found');
  expect(() => next.requests.reschedule(7 as never)).toThrow("requests.reschedule: the account's id is a text.");
});
