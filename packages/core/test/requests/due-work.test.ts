import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPartnerkit } from '../../src/kit/create-partnerkit.ts';
import { memoryAccessTokens } from '../../src/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/memory/accounts.ts';
import { memorySender } from '../../src/memory/sender.ts';
import { memoryStorage } from '../../src/memory/storage.ts';
import { CommandRejection } from '../../src/requests/command-rejection.ts';
import { due } from '../../src/requests/due.ts';
import { kinds } from '../../src/requests/kinds/all.ts';
import { requestObjects } from '../../src/requests/objects.ts';
import type { GivenCommand } from '../../src/requests/on-command.ts';
import type { RequestPolicies } from '../../src/requests/policies.ts';
import { createRequests } from '../../src/requests/requests.ts';
import { day, hour, minute, second, toSeconds } from '../../src/runtime/time.ts';
import type { Signal } from '../../src/signals/signal.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { settled, start, testClock } from '../support/clock.ts';
import { accounts, sealingKeys } from '../support/kit.ts';
import { seededRandom } from '../support/random.ts';
import { alone, done, own, recipient } from './world.ts';

const sum = { name: 'Stay', currency: 'EUR', recipient };
const inDays = (days: number): number => toSeconds(start + days * day);
type DueSignal = Extract<Signal, { readonly kind: 'due_command' }>;

interface Given {
  readonly command: string;
  readonly id: string;
  /** In milliseconds from the start. */
  readonly at: number;
  readonly by: string;
}

/** Processes of one platform, over one storage on a virtual clock. */
const platform = (policies: RequestPolicies) => {
  const clock = testClock();
  const storage = memoryStorage({ clock }) as Storage<object>;
  const given: Given[] = [];
  const signals: DueSignal[] = [];
  const errors: unknown[] = [];
  const process = (
    change: (storage: Storage<object>) => Storage<object> = (same) => same,
    hook: (command: GivenCommand<object>) => Promise<void> | void = () => undefined,
    own: RequestPolicies = policies,
  ) => {
    const random = seededRandom();
    const kit = createPartnerkit({
      accounts: memoryAccounts(accounts),
      tokens: memoryAccessTokens({ random }),
      sender: memorySender(),
      sealingKeys,
      objects: requestObjects,
      storage: change(storage),
      observe: (signal) => {
        if (signal.kind === 'due_command') signals.push(signal);
      },
      onError: (cause) => errors.push(cause),
      clock,
      random,
    });
    const onCommand = async (command: GivenCommand<object>) => {
      await hook(command);
      const { type } = command.caller;
      given.push({ command: command.command, id: command.after.id, at: clock.now() - start, by: type });
    };
    const requests = createRequests({ kit, onCommand, ...own });
    return { kit, requests, worker: kit.worker() };
  };
  const first = process();
  return {
    clock,
    storage,
    signals,
    errors,
    process,
    first,
    /** Lets the time until this one pass at once, then a few seconds: workers wake several times a second. */
    until: async (time: number) => {
      clock.set(start + time - second);
      await clock.advance(6 * second);
    },
    /** The commands that rules gave. */
    byRule: () => given.filter(({ by }) => by === 'rule').map(({ command, id, at }) => ({ command, id, at })),
    deposit: async (guaranteedUntil: number) => {
      const { id } = await done(first.requests.deposits.create(own.id, { ...sum, depositAmount: 300 }, alone));
      const input = { guaranteedUntil };
      await done(first.requests.deposits.perform(own.id, id, 'succeedDeposit', { ...alone, input }));
      return id;
    },
  };
};
const ending: RequestPolicies = { guarantee: { warnBefore: day, atEnd: 'fail' } };

test.each([1, 2, 8])('%i workers give each command once, none early, and say how late it was', async (workers) => {
  const { clock, until, process, deposit, byRule, signals, first } = platform(ending);
  const started = Array.from({ length: workers }, () => process().worker);
  const ids: string[] = [];
  for (let index = 0; index < 20; index++) ids.push(await deposit(inDays(3)));
  for (const worker of started) worker.start();
  clock.set(start + 2 * day - 5 * second);
  await clock.advance(5 * second - 1);
  expect(byRule()).toEqual([]);
  // One second is the poll interval; the places of one worker take a few turns.
  await clock.advance(10 * second);
  expect(new Set(byRule().map(({ id }) => id))).toEqual(new Set(ids));
  expect(byRule().map(({ command }) => command)).toEqual(ids.map(() => 'warnOfEnd'));
  await until(3 * day);
  expect(byRule().filter(({ command }) => command === 'fail')).toHaveLength(20);
  expect(byRule()).toHaveLength(40);
  for (const { dueAt, lateMs, outcome, attempts } of signals) {
    expect([outcome, attempts]).toEqual(['given', 1]);
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThanOrEqual(5 * second);
    expect([start + 2 * day, start + 3 * day]).toContain(dueAt);
  }
  await Promise.all(started.map((worker) => worker.stop()));
  const ended = await done(first.requests.deposits.find(own.id, ids[0] as string));
  expect([ended.status, ended.reason, ended.updatedBy]).toEqual([
    'error',
    { code: 'guarantee_expired' },
    { type: 'rule', command: 'guaranteeExpired' },
  ]);
});

test('drain gives what is due, with the events, and a late one says by how much', async () => {
  const { clock, deposit, byRule, signals, first } = platform(ending);
  const id = await deposit(inDays(3));
  clock.set(start + 10 * day);
  await first.worker.drain();
  // Both were due: the warning is the older one, and the end leaves nothing to warn of.
  expect(byRule().map(({ command }) => command)).toContain('fail');
  expect(signals.map(({ rule, lateMs }) => [rule, lateMs / day])).toContainEqual(['guaranteeExpired', 7]);
  const { items } = (await first.kit.events.list(own.id, {}))._unsafeUnwrap();
  expect(items.filter(({ objectId }) => objectId === id).map(({ type }) => type)).toContain('global_error');
  const before = byRule().length;
  await first.worker.drain();
  expect(byRule()).toHaveLength(before);
});

/** A storage whose process is killed: nothing that it calls then is carried out, or answers. */
const killable = () => {
  let isDead = false;
  const hang = (): Promise<never> => new Promise(() => undefined);
  return {
    kill: () => {
      isDead = true;
    },
    /** Dies at the commit: the hook was called, and the transaction is rolled back. */
    over: (storage: Storage<object>): Storage<object> => ({
      ...storage,
      requests: {
        ...storage.requests,
        due: {
          plan: (...given) => (isDead ? hang() : storage.requests.due.plan(...given)),
          claim: (...given) => (isDead ? hang() : storage.requests.due.claim(...given)),
          release: (...given) => (isDead ? hang() : storage.requests.due.release(...given)),
        },
      },
      transaction: async (work, options) => {
        if (isDead) return hang();
        const killed = new Error('killed');
        try {
          return await storage.transaction(async (tx) => {
            const value = await work(tx);
            if (isDead) throw killed;
            return value;
          }, options);
        } catch (cause) {
          return cause === killed ? hang() : Promise.reject(cause);
        }
      },
    }),
  };
};

test('a worker that is killed between the hook and the commit gives nothing; another gives it, once', async () => {
  const { clock, until, process, deposit, byRule, signals, first } = platform(ending);
  const id = await deposit(inDays(1));
  const { kill, over } = killable();
  let hooks = 0;
  const doomed = process(over, () => {
    hooks++;
    kill();
  });
  doomed.worker.start();
  await clock.advance(2 * second);
  expect(hooks).toBe(1);
  expect((await done(first.requests.deposits.find(own.id, id))).version).toBe(2);
  const other = process().worker;
  other.start();
  await clock.advance(2 * minute);
  expect((await done(first.requests.deposits.find(own.id, id))).version).toBe(3);
  // A killed process signals nothing; this one learns that nothing answers.
  const [late] = signals.filter(({ outcome }) => outcome === 'given');
  expect([late?.rule, late?.attempts]).toEqual(['guaranteeEnding', 2]);
  // The lease, and a turn.
  expect(late?.lateMs).toBeGreaterThanOrEqual(minute);
  expect(late?.lateMs).toBeLessThanOrEqual(minute + 5 * second);
  await until(2 * hour);
  // The doomed hook was called too, in a transaction that was rolled back.
  expect(byRule().filter(({ command }) => command === 'warnOfEnd')).toHaveLength(2);
  expect((await done(first.requests.deposits.find(own.id, id))).version).toBe(3);
  await other.stop();
});

test('a failing hook is tried again with growing pauses, and blocks no other command', async () => {
  const { clock, until, process, deposit, byRule, signals, errors } = platform(ending);
  const ids: string[] = [];
  for (let index = 0; index < 24; index++) ids.push(await deposit(inDays(2)));
  const failing = new Set(ids.slice(0, 12));
  const { worker } = process(undefined, ({ after }) => {
    if (failing.has(after.id)) throw new Error('mail server');
  });
  worker.start();
  await until(day);
  expect(new Set(byRule().map(({ id }) => id))).toEqual(new Set(ids.slice(12)));
  const ofOne = () => signals.filter(({ objectId, rule }) => objectId === ids[0] && rule === 'guaranteeEnding');
  const pauses = [0, 5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour, 6 * hour, day, day, day];
  for (let times = 0; times < 7; times++) {
    const { attempts = 0, dueAt = 0, lateMs = 0, outcome } = ofOne().at(-1) ?? {};
    expect(outcome).toBe('failed');
    const next = dueAt + lateMs + (pauses[attempts] ?? 0);
    if (clock.now() < next - 1) clock.set(next - 2);
    await clock.advance(1);
    if (clock.now() < next) expect(ofOne().at(-1)?.attempts).toBe(attempts);
    await clock.advance(6 * second);
    expect(ofOne().at(-1)?.attempts).toBe(attempts + 1);
  }
  expect(errors.length).toBeGreaterThan(0);
  await worker.stop();
});

test('a hook that hangs delays no more than its place, and is tried again', async () => {
  const { clock, until, process, deposit, byRule } = platform(ending);
  const hanging = await deposit(inDays(2));
  const others = [await deposit(inDays(2)), await deposit(inDays(2))];
  let isHanging = true;
  const { worker } = process(undefined, ({ after }) => {
    if (isHanging && after.id === hanging) return new Promise<void>(() => undefined);
    return undefined;
  });
  worker.start();
  await until(day - 3 * second);
  await clock.advance(2 * second);
  expect(new Set(byRule().map(({ id }) => id))).toEqual(new Set(others));
  isHanging = false;
  // The time-out of the hook, and its first pause.
  await clock.advance(15 * second);
  expect(byRule()).toHaveLength(3);
  await worker.stop();
});

test('a rejection of the hook is refused and tried again', async () => {
  const { clock, until, process, deposit, byRule, signals } = platform(ending);
  await deposit(inDays(2));
  let rejects = true;
  const { worker } = process(undefined, () => {
    if (rejects) throw new CommandRejection({ code: 'not_now', detail: 'Later.' });
  });
  worker.start();
  await until(day - 5 * second);
  await clock.advance(2 * second);
  expect(signals.map(({ outcome, code }) => [outcome, code])).toEqual([['refused', 'rejected']]);
  rejects = false;
  await clock.advance(10 * second);
  expect(byRule().map(({ command }) => command)).toEqual(['warnOfEnd']);
  await worker.stop();
});

test('an extension that is committed while the command is given wins', async () => {
  const { storage, until, process, deposit, byRule, first } = platform(ending);
  const id = await deposit(inDays(1));
  let isExtended = false;
  const { worker } = process((stored) => ({
    ...stored,
    transaction: async (work, options) => {
      if (!isExtended) {
        isExtended = true;
        const input = { guaranteedUntil: inDays(30) };
        await done(first.requests.deposits.perform(own.id, id, 'setTerm', { ...alone, input }));
      }
      return storage.transaction(work, options);
    },
  }));
  worker.start();
  await until(28 * day);
  expect(byRule()).toEqual([]);
  await until(29 * day);
  expect(byRule().map(({ command }) => command)).toEqual(['warnOfEnd']);
  await worker.stop();
});

test('what the end of the object has overtaken is forgotten, without a command', async () => {
  const { storage, until, process, byRule, first, signals } = platform({
    disputes: { recipient: { answerWithin: 2 * day, warnBefore: day, bySilence: 'accept' } },
  });
  const { deposits, cashOuts } = first.requests;
  const { id: depositId } = await done(deposits.create(own.id, { ...sum, depositAmount: 300 }, alone));
  await done(deposits.perform(own.id, depositId, 'succeedDeposit', alone));
  await done(cashOuts.create(own.id, { depositId, amount: 5 }, alone));
  // It freezes its cash-outs.
  await done(deposits.perform(own.id, depositId, 'fail', alone));
  const { worker } = process();
  worker.start();
  for (let days = 0; days < 5; days++) await until(days * day + minute);
  expect(byRule()).toEqual([]);
  expect(signals.map(({ outcome, code }) => [outcome, code])).toEqual([['refused', 'wrong_state']]);
  expect((await storage.requests.due.claim(10, minute)).claimed).toEqual([]);
  await worker.stop();
});

test('a worker without the policy leaves a command to those that have it', async () => {
  const { until, process, deposit, byRule } = platform(ending);
  const id = await deposit(inDays(1));
  const older = process(undefined, undefined, {}).worker;
  older.start();
  for (const time of [minute, 10 * minute, hour]) await until(time);
  expect(byRule()).toEqual([]);
  await older.stop();
  const { worker } = process();
  worker.start();
  await until(4 * hour);
  expect(byRule().map(({ command, id: of }) => [command, of])).toEqual([['warnOfEnd', id]]);
  await worker.stop();
});

test('a policy that warns later moves a planned warning', async () => {
  const { until, process, deposit, byRule } = platform({ guarantee: { warnBefore: 5 * day, atEnd: 'fail' } });
  await deposit(inDays(9));
  const { worker } = process(undefined, undefined, { guarantee: { warnBefore: 2 * day, atEnd: 'fail' } });
  worker.start();
  await until(4 * day);
  await until(7 * day - minute);
  expect(byRule()).toEqual([]);
  await until(7 * day);
  expect(byRule().map(({ command }) => command)).toEqual(['warnOfEnd']);
  await worker.stop();
});

test('a storage that fails is asked again', async () => {
  const { clock, process, deposit, byRule, errors } = platform(ending);
  await deposit(inDays(1));
  let fails = true;
  const { worker } = process((stored) => ({
    ...stored,
    requests: {
      ...stored.requests,
      due: {
        ...stored.requests.due,
        claim: (...given) => (fails ? Promise.reject(new Error('no connection')) : stored.requests.due.claim(...given)),
      },
    },
  }));
  worker.start();
  await clock.advance(5 * second);
  expect([byRule().length, errors.length > 0]).toEqual([0, true]);
  fails = false;
  await clock.advance(2 * second);
  expect(byRule()).toHaveLength(1);
  await worker.stop();
});

const policies: RequestPolicies = {
  guarantee: { warnBefore: day, atEnd: 'finish' },
  disputes: {
    recipient: { answerWithin: 3 * day, warnBefore: day, bySilence: 'accept' },
    partner: { answerWithin: 2 * day, warnBefore: day, bySilence: 'deny' },
  },
  reminders: [day, 2 * day],
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
      const input = { ...sum, sendAt: inDays(1) };
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
