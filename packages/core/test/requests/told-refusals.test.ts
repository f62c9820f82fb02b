import { expect, test } from 'vitest';
import { day, minute } from '../../src/base/runtime/time.ts';
import { CommandRejection } from '../../src/requests/record/command-rejection.ts';
import type { RequestPolicies } from '../../src/requests/record/policies.ts';
import { start } from '../support/clock.ts';
import { inDays, platform, sum } from './due-platform.ts';
import { alone, done, own } from './world.ts';

const ending: RequestPolicies = { guarantee: { warnBefore: day, atEnd: 'fail' } };
const reject = (): never => {
  throw new CommandRejection({ code: 'not_now', detail: 'Secret of the host.' });
};
type Platform = ReturnType<typeof platform>;
const refusalsOf = async ({ first }: Platform) =>
  (await first.kit.audit.list(own.id))._unsafeUnwrap().items.filter(({ type }) => type === 'due_command.refused');

test('a due command that is refused is told once, however often and by whomever it is given again', async () => {
  const made = platform(ending);
  const id = await made.deposit(inDays(2));
  const told: unknown[] = [];
  const handlers = {
    alerts: {
      events: ['Operations.due_command.refused'] as const,
      handle: async ({ data }: { data: unknown }) => told.push(data),
    },
  };
  const workers = [made.process(undefined, reject).worker, made.process(undefined, reject).kit.worker({ handlers })];
  for (const worker of workers) worker.start();
  await made.until(day);
  await made.clock.advance(2 * minute);
  const refused = made.signals.filter(({ outcome }) => outcome === 'refused');
  expect(refused.length).toBeGreaterThan(2);
  const by = { type: 'rule', command: 'warnOfEnd' };
  const [{ rule = '' } = {}] = refused;
  const data = { object: 'RequestSecurityDeposit', command: 'warnOfEnd', reason: 'rejected', dueAt: start + day };
  const entries = await refusalsOf(made);
  expect(entries).toMatchObject([{ subjectId: id, by: { ...by, command: rule }, data }]);
  expect(told).toEqual([{ id, by: { ...by, command: rule }, ...data }]);
  expect(JSON.stringify(entries)).not.toContain('Secret');
  for (const worker of workers) await worker.stop();
});

test('each rule of an object, and each object, is told for itself', async () => {
  const made = platform(ending);
  const ids = [await made.deposit(inDays(2)), await made.deposit(inDays(2))];
  const { worker } = made.process(undefined, reject);
  worker.start();
  await made.until(2 * day);
  await made.clock.advance(minute);
  const told = (await refusalsOf(made)).map(({ subjectId, data }) => [subjectId, data['command']]);
  for (const id of ids) for (const command of ['warnOfEnd', 'fail']) expect(told).toContainEqual([id, command]);
  expect(told).toHaveLength(4);
  await worker.stop();
});

test('one whose entry could not be stored is given again, and told then', async () => {
  const made = platform(ending);
  const id = await made.deposit(inDays(2));
  let fails = true;
  const { worker } = made.process(
    (storage) => ({
      ...storage,
      audit: {
        ...storage.audit,
        tell: async (entries) => (fails ? Promise.reject(new Error('down')) : storage.audit.tell(entries)),
      },
    }),
    reject,
  );
  worker.start();
  await made.until(day);
  expect(await refusalsOf(made)).toEqual([]);
  fails = false;
  await made.clock.advance(minute);
  expect(await refusalsOf(made)).toMatchObject([{ subjectId: id }]);
  await worker.stop();
});

test('one that was overtaken, or whose object has ended, is not told', async () => {
  const made = platform({ disputes: { recipient: { answerWithin: 2 * day, warnBefore: day, bySilence: 'accept' } } });
  const { deposits, cashOuts } = made.first.requests;
  const { id: depositId } = await done(deposits.create(own.id, { ...sum, depositAmount: 300 }, alone));
  await done(deposits.perform(own.id, depositId, 'succeedDeposit', alone));
  await done(cashOuts.create(own.id, { depositId, amount: 5 }, alone));
  await done(deposits.perform(own.id, depositId, 'fail', alone));
  made.first.worker.start();
  for (let days = 0; days < 5; days++) await made.until(days * day + minute);
  expect(made.signals.map(({ outcome }) => outcome)).toEqual(['refused']);
  expect(await refusalsOf(made)).toEqual([]);
  await made.first.worker.stop();
});
