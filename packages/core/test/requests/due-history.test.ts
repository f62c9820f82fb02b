import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day, hour, minute, toSeconds } from '../../src/base/runtime/time.ts';
import { due } from '../../src/requests/commands/due.ts';
import { kinds } from '../../src/requests/kinds/all.ts';
import type { RequestPolicies } from '../../src/requests/record/policies.ts';
import { settled } from '../support/clock.ts';
import { inDays, platform, sum } from './due-platform.ts';
import { alone, done, own } from './world.ts';

const policies: RequestPolicies = {
  guarantee: { warnBefore: day, atEnd: 'finish' },
  disputes: {
    recipient: { answerWithin: 3 * day, warnBefore: day, bySilence: 'accept' },
    partner: { answerWithin: 2 * day, warnBefore: day, bySilence: 'deny' },
  },
  reminders: [day, 2 * day],
  expire: { afterDueDate: day, afterPaymentUrl: 0 },
};
/** Commands of the host and of partners in any order, each with an input that fits. */
const acts = fc.constantFrom(
  ...(['succeedDeposit', 'setTerm', 'fail', 'finish', 'warnOfEnd', 'send', 'remind'] as const),
  ...(['claim', 'offer', 'deny', 'change', 'pauseDeadline', 'resumeDeadline', 'warnOfSilence', 'cancel'] as const),
  ...(['create', 'create'] as const),
);

test('whatever is given, what waits is what is stored, and what was given by rule does not wait any more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(acts, fc.nat({ max: 60 })), { maxLength: 20 }), async (history) => {
      const { clock, storage, first, signals } = platform(policies);
      const { deposits, cashOuts, payments } = first.requests;
      const input = { ...sum, sendAt: inDays(1), dueDate: new Date(clock.now() + 3 * day).toISOString().slice(0, 10) };
      const deposit = await done(deposits.create(own.id, { ...input, depositAmount: 300 }, alone));
      await done(payments.create(own.id, { ...input, amount: 5 }, alone));
      const inputs: Readonly<Record<string, () => object>> = {
        succeedDeposit: () => ({ guaranteedUntil: toSeconds(clock.now() + 4 * day) }),
        setTerm: () => ({ guaranteedUntil: toSeconds(clock.now() + 2 * day) }),
        offer: () => ({ amount: 3 }),
        change: () => ({ reference: `R-${clock.now()}` }),
      };
      let last: string | undefined;
      for (const [command, hours] of history) {
        const options = { ...alone, input: inputs[command]?.() ?? {} };
        if (command === 'create')
          last = (await cashOuts.create(own.id, { depositId: deposit.id, amount: 2 }, alone)).match(
            ({ id }) => id,
            () => last,
          );
        // A random command may be refused.
        else if (command in kinds.deposits.commands && !['change', 'cancel', 'fail'].includes(command))
          await deposits.perform(own.id, deposit.id, command as 'finish', options as never).unwrapOr(undefined);
        else if (last !== undefined)
          await cashOuts.perform(own.id, last, command as 'deny', options as never).unwrapOr(undefined);
        clock.set(clock.now() + hours * hour);
        const before = signals.length;
        await first.worker.drain();
        await settled();
        for (const { lateMs, outcome } of signals.slice(before)) {
          expect(outcome).toBe('given');
          expect(lateMs).toBeGreaterThanOrEqual(0);
          expect(lateMs).toBeLessThanOrEqual(hours * hour);
        }
        for (const name of ['deposits', 'cashOuts', 'payments'] as const)
          for (const record of (await storage.requests[name].list({ id: own.id, environment: own.environment }, {}))
            .items)
            for (const { at } of due(kinds[name], record, policies)) expect(at).toBeGreaterThan(clock.now());
      }
      // All that waits comes to an end by itself.
      for (let days = 0; days < 40; days++) {
        clock.set(clock.now() + day);
        await first.worker.drain();
      }
      clock.set(clock.now() + 1000 * day);
      expect((await storage.requests.due.claim(10, minute)).claimed).toEqual([]);
    }),
    { numRuns: 8, seed: 1 },
  );
});
