import { describe, expect, test } from 'vitest';
import { day, hour, minute, second } from '../../src/base/runtime/time.ts';
import { CommandRejection } from '../../src/requests/record/command-rejection.ts';
import type { RequestPolicies } from '../../src/requests/record/policies.ts';
import { settled, start } from '../support/clock.ts';
import { inDays, killable, platform, sum } from './due-platform.ts';
import { alone, done, own } from './world.ts';

const ending: RequestPolicies = { guarantee: { warnBefore: day, atEnd: 'fail' } };

test.each([1, 2, 8])(
  'one of %i workers is killed while it gives commands: each is committed once, none early, and a late one says by how much',
  async (workers) => {
    const { clock, until, process, deposit, byRule, signals, first } = platform(ending);
    const { kill, over } = killable();
    // Alone, it gives eight at once, and then is killed in the middle of the next.
    let left = workers === 1 ? 11 : 3;
    const doomed = process(over, () => {
      if (--left === 0) kill();
    }).worker;
    const others = Array.from({ length: workers - 1 }, () => process().worker);
    const ids: string[] = [];
    for (let index = 0; index < 20; index++) ids.push(await deposit(inDays(3)));
    for (const worker of [doomed, ...others]) worker.start();
    // They have looked once, in this order.
    await settled();
    clock.set(start + 2 * day - 5 * second);
    await clock.advance(5 * second - 1);
    expect(byRule()).toEqual([]);
    // One second is the poll interval; the places of one worker take a few turns.
    await clock.advance(10 * second);
    expect(left).toBeLessThanOrEqual(0);
    const given = () => signals.filter(({ outcome }) => outcome === 'given');
    // What the killed one had claimed waits for its lease; whatever else was due is given.
    expect(given().length).toBeGreaterThanOrEqual(workers === 1 ? 8 : 20 - 8);
    expect(given().length).toBeLessThan(20);
    if (workers === 1) others.push(process().worker);
    others.at(-1)?.start();
    await clock.advance(minute);
    expect(new Set(given().map(({ objectId }) => objectId))).toEqual(new Set(ids));
    await until(3 * day);
    expect(given()).toHaveLength(40);
    expect(given().some(({ attempts, lateMs }) => attempts === 2 && lateMs >= minute)).toBe(true);
    // The one that replaces the only one starts ten seconds later.
    const soon = (workers === 1 ? 15 : 5) * second;
    for (const id of ids) {
      const { items } = await done(first.requests.deposits.history(own.id, id, {}));
      expect(items.map(({ command }) => command)).toEqual(['create', 'succeedDeposit', 'warnOfEnd', 'fail']);
      const dueAt = [start + 2 * day, start + 3 * day];
      const late = given().filter(({ objectId }) => objectId === id);
      expect(late.map((each) => each.dueAt)).toEqual(dueAt);
      const at = items.slice(2).map((entry) => entry.at);
      expect(late.map(({ lateMs }, nth) => (dueAt[nth] ?? 0) + lateMs)).toEqual(at);
      for (const { lateMs, attempts } of late) {
        expect(lateMs).toBeGreaterThanOrEqual(0);
        expect(lateMs).toBeLessThanOrEqual(attempts === 1 ? soon : 75 * second);
      }
    }
    await Promise.all(others.map((worker) => worker.stop()));
    const ended = await done(first.requests.deposits.find(own.id, ids[0] as string));
    expect([ended.status, ended.reason, ended.updatedBy]).toEqual([
      'error',
      { code: 'guarantee_expired' },
      { type: 'rule', command: 'guaranteeExpired' },
    ]);
  },
);

test('a request expires by rule, unless money was booked meanwhile', async () => {
  const { clock, byRule, signals, first } = platform({ expire: { afterDueDate: 0 } });
  const { payments } = first.requests;
  const dueDate = new Date(start + 2 * day).toISOString().slice(0, 10);
  const made = async () => (await done(payments.create(own.id, { ...sum, amount: 80, dueDate }, alone))).id;
  const [open, partly] = [await made(), await made()];
  const input = { transaction: { kind: 'charge', amount: 30 } } as const;
  await done(payments.perform(own.id, partly, 'succeedTransaction', { ...alone, input }));
  clock.set(Date.parse(dueDate) + day - 1);
  await first.worker.drain();
  expect(byRule()).toEqual([]);
  clock.set(Date.parse(dueDate) + day);
  await first.worker.drain();
  expect(byRule().map(({ command, id }) => [command, id])).toEqual([['cancel', open]]);
  const { status, reason, updatedBy } = await done(payments.find(own.id, open));
  expect([status, reason, updatedBy]).toEqual([
    'cancelled',
    { code: 'expired' },
    { type: 'rule', command: 'dueDateExpired' },
  ]);
  expect((await done(payments.find(own.id, partly))).status).toBe('pending');
  expect(signals.map(({ rule, outcome }) => [rule, outcome])).toEqual([['dueDateExpired', 'given']]);
  const { items } = (await first.kit.events.list(own.id, {}))._unsafeUnwrap();
  expect(items.filter(({ objectId }) => objectId === open).map(({ type }) => type)).toContain('cancel');
});

test('a guarantee that ends during a dispute is told at that moment, once, and finishes after the dispute', async () => {
  const { clock, deposit, byRule, first } = platform({ guarantee: { warnBefore: day, atEnd: 'finish' } });
  const id = await deposit(inDays(3));
  const { cashOuts, deposits } = first.requests;
  const cashOut = (await done(cashOuts.create(own.id, { depositId: id, amount: 5 }, alone))).id;
  for (const command of ['claim', 'deny'] as const) await done(cashOuts.perform(own.id, cashOut, command, alone));
  for (const hours of [2 * 24, 23, 1, 1, 24]) {
    clock.set(clock.now() + hours * hour);
    await first.worker.drain();
  }
  const warnings = [
    ['warnOfEnd', 2 * day],
    ['warnOfEnd', 3 * day],
  ];
  expect(byRule().map(({ command, at }) => [command, at])).toEqual(warnings);
  const { status, reason } = await done(deposits.find(own.id, id));
  expect([status, reason]).toEqual(['litigation', { code: 'guarantee_expired' }]);
  await done(cashOuts.perform(own.id, cashOut, 'cancel', alone));
  await first.worker.drain();
  expect((await done(deposits.find(own.id, id))).status).toBe('finished');
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

test('a command that its rule now gives half a minute later is not given before', async () => {
  const { clock, until, process, deposit, byRule } = platform(ending);
  await deposit(inDays(2));
  const { worker } = process(undefined, undefined, { guarantee: { warnBefore: day - 30 * second, atEnd: 'fail' } });
  worker.start();
  await until(day);
  // Claimed 5 seconds ago.
  expect(byRule()).toEqual([]);
  clock.set(start + day + 29 * second);
  await clock.advance(second - 1);
  expect(byRule()).toEqual([]);
  await clock.advance(2 * second);
  expect(byRule().map(({ command, at }) => [command, at >= day + 30 * second])).toEqual([['warnOfEnd', true]]);
  await worker.stop();
});

test.each(['a command', 'planning anew'])(
  'what %s finds overdue is late from then on, not from its own time',
  async (by) => {
    const { clock, process, deposit, signals } = platform(by === 'a command' ? ending : {});
    const id = await deposit(inDays(5));
    clock.set(start + 4 * day - hour);
    const { requests, worker } = process(undefined, undefined, ending);
    const input = { guaranteedUntil: inDays(4.5) };
    if (by === 'a command') await done(requests.deposits.perform(own.id, id, 'setTerm', { ...alone, input }));
    else {
      clock.set(start + 4 * day + hour);
      await done(requests.reschedule(own.id));
    }
    const plannedAt = clock.now();
    clock.set(plannedAt + minute);
    await worker.drain();
    expect(signals.map(({ rule, dueAt, lateMs }) => [rule, dueAt, lateMs])).toEqual([
      ['guaranteeEnding', plannedAt, minute],
    ]);
  },
);

test.each([
  [1.5, 'in half a day', 12 * hour],
  [0.5, 'at once', 0],
])('a host whose clock is a day ahead plans an end after %f days: its warning is given %s', async (end, _when, due) => {
  const { clock, process, deposit, byRule } = platform(ending);
  const id = await deposit(inDays(500));
  const ahead = { ...clock, now: () => clock.now() + day };
  const { requests } = process(undefined, undefined, ending, ahead);
  const input = { guaranteedUntil: inDays(end) };
  await done(requests.deposits.perform(own.id, id, 'setTerm', { ...alone, input }));
  // Of another process, with a true clock.
  const { worker } = process();
  worker.start();
  if (due > 0) {
    clock.set(start + due - 2 * second);
    await clock.advance(second);
    expect(byRule()).toEqual([]);
  }
  await clock.advance(3 * second);
  expect(byRule().map(({ command }) => command)).toEqual(['warnOfEnd']);
  await worker.stop();
});

test('a quiet account waits for few commands of a loud one, and its deadline for no reminder', async () => {
  const { clock, until, process, signals, first } = platform({ ...ending, reminders: [day] });
  const { payments, deposits } = first.requests;
  for (let nth = 0; nth < 100; nth++) await done(payments.create(own.id, { ...sum, amount: 5 }, alone));
  const deadlineOf = async (accountId: string) => {
    const { id } = await done(deposits.create(accountId, { ...sum, depositAmount: 300 }, alone));
    const input = { guaranteedUntil: inDays(2) + 60 };
    await done(deposits.perform(accountId, id, 'succeedDeposit', { ...alone, input }));
    return id;
  };
  const [loud, quiet] = [await deadlineOf(own.id), await deadlineOf('acc_b')];
  const { worker } = process();
  await until(day + 2 * minute - 10 * second);
  expect(signals).toEqual([]);
  worker.start();
  await clock.advance(30 * second);
  expect(signals).toHaveLength(102);
  const placeOf = (id: string) => signals.findIndex(({ objectId }) => objectId === id);
  // All that are in flight at once, twice.
  expect(placeOf(quiet)).toBeLessThan(16);
  expect(placeOf(loud)).toBeLessThan(16);
  await worker.stop();
});

test('places that end one by one are given in turns, too', async () => {
  const { clock, process, signals, first } = platform({});
  const create = (accountId: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        done(first.requests.payments.create(accountId, { ...sum, amount: 5, sendAt: inDays(1) }, alone)),
      ),
    );
  await create(own.id, 60);
  await create('acc_b', 10);
  let nth = 0;
  const { worker } = process(undefined, () => clock.sleep(50 + nth++, new AbortController().signal));
  clock.set(start + day);
  worker.start();
  await clock.advance(10 * second);
  const accounts = signals.map(({ accountId }) => accountId);
  expect(accounts).toHaveLength(70);
  // Of two accounts, each has every second place; eight are in flight at once.
  expect(accounts.lastIndexOf('acc_b')).toBeLessThan(2 * 10 + 8);
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

describe('a worker that stops', () => {
  const later = async (made: ReturnType<typeof platform>, ids: ReadonlySet<string>) => {
    const { clock, process, byRule } = made;
    const other = process().worker;
    other.start();
    // Nothing waits for a lease.
    await clock.advance(2 * second);
    expect(new Set(byRule().map(({ id }) => id))).toEqual(ids);
    expect(byRule()).toHaveLength(ids.size);
    await other.stop();
  };

  test('gives none of the commands that it claims at that moment: another worker gives them at once', async () => {
    const made = platform(ending);
    const { clock, process, deposit, byRule } = made;
    const ids = new Set<string>();
    for (let nth = 0; nth < 20; nth++) ids.add(await deposit(inDays(1)));
    const claimed = Promise.withResolvers<void>();
    let claims = 0;
    const { worker } = process((stored) => ({
      ...stored,
      requests: {
        ...stored.requests,
        due: {
          ...stored.requests.due,
          claim: async (...given) => {
            const found = await stored.requests.due.claim(...given);
            claims += found.claimed.length;
            await claimed.promise;
            return found;
          },
        },
      },
    }));
    worker.start();
    await clock.advance(second);
    expect(claims).toBe(8);
    const stopping = worker.stop();
    claimed.resolve();
    await stopping;
    expect([claims, byRule()]).toEqual([8, []]);
    await later(made, ids);
  });

  test('ends those that it has begun, and begins no other one', async () => {
    const made = platform(ending);
    const { clock, process, deposit, byRule, signals } = made;
    const ids = new Set<string>();
    for (let nth = 0; nth < 20; nth++) ids.add(await deposit(inDays(1)));
    const hooks: (() => void)[] = [];
    const { worker } = process(undefined, () => new Promise((resolve) => hooks.push(resolve)));
    worker.start();
    await clock.advance(2 * second);
    expect(hooks).toHaveLength(8);
    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    // One after the other: each leaves a place.
    for (const end of hooks) {
      await settled();
      expect(isStopped).toBe(false);
      end();
    }
    await stopping;
    expect([hooks.length, byRule().length]).toEqual([8, 8]);
    await later(made, ids);
    // Nor did it claim one.
    expect(signals.map(({ attempts }) => attempts)).toEqual(Array(20).fill(1));
  });

  test('leaves what it cannot release to the next one after the lease', async () => {
    const { clock, process, deposit, byRule, errors } = platform(ending);
    await deposit(inDays(1));
    const claimed = Promise.withResolvers<void>();
    const { worker } = process((stored) => ({
      ...stored,
      requests: {
        ...stored.requests,
        due: {
          ...stored.requests.due,
          claim: async (...given) => {
            const found = await stored.requests.due.claim(...given);
            await claimed.promise;
            return found;
          },
          release: () => Promise.reject(new Error('no connection')),
        },
      },
    }));
    worker.start();
    await clock.advance(second);
    const stopping = worker.stop();
    claimed.resolve();
    await stopping;
    expect(byRule()).toEqual([]);
    expect(errors).toMatchObject([{ message: 'no connection' }]);
    const other = process().worker;
    other.start();
    await clock.advance(minute - 5 * second);
    expect(byRule()).toEqual([]);
    await clock.advance(10 * second);
    expect(byRule()).toHaveLength(1);
    await other.stop();
  });
});
