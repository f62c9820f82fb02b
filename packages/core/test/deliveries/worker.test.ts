import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type EventType, eventTypes, isEventPair } from '../../src/catalogue/catalogue.ts';
import { failuresToOpen } from '../../src/deliveries/breaker.ts';
import type { ClaimRequest, DeliveryQueue } from '../../src/deliveries/delivery-queue.ts';
import { retrySchedule } from '../../src/deliveries/retry-schedule.ts';
import type { Post, SendOutcome } from '../../src/deliveries/sender.ts';
import type { Worker } from '../../src/deliveries/worker.ts';
import type { WorkerOptions } from '../../src/deliveries/worker-options.ts';
import { memorySender } from '../../src/memory/sender.ts';
import { memoryStorage } from '../../src/memory/storage.ts';
import { day, hour, minute, second } from '../../src/runtime/time.ts';
import { settled, skippingClock, start, testClock } from '../support/clock.ts';
import { platform } from '../support/kit.ts';
import { seededRandom, withoutJitter } from '../support/random.ts';
import { historyRuns } from '../support/runs.ts';
import { heldSender } from '../support/sender.ts';

type Platform = ReturnType<typeof platform>;
const answered = (status: number, more: object = {}): SendOutcome => ({
  kind: 'answered',
  status,
  body: '',
  took: 1,
  ...more,
});
const published = (id: string, accountId = 'acc_a') =>
  ({ accountId, objectName: 'RequestPayment', type: 'payed', data: { id } }) as const;
const subscribe = async ({ kit }: Pick<Platform, 'kit'>, host: string, accountId = 'acc_a') =>
  (await kit.endpoints.create(accountId, { url: `https://${host}/`, events: ['payed'] }))._unsafeUnwrap().endpoint;
const publish = async ({ kit }: Pick<Platform, 'kit'>, count: number, accountId = 'acc_a', from = 0) => {
  const batch = Array.from({ length: count }, (_, index) => published(`${accountId}/${from + index}`, accountId));
  await kit.events.publishMany(batch, { tx: 'new' });
};
const deliveriesOf = async ({ kit }: Pick<Platform, 'kit'>, accountId = 'acc_a') =>
  (await kit.deliveries.list(accountId, {}, { limit: 100 }))._unsafeUnwrap().items;
const statesOf = async (made: Pick<Platform, 'kit'>, accountId = 'acc_a') =>
  (await deliveriesOf(made, accountId)).map(({ state }) => state);
const attemptsOf = async (made: Pick<Platform, 'kit'>, index = 0, accountId = 'acc_a') => {
  const delivery = (await deliveriesOf(made, accountId))[index];
  return (await made.kit.deliveries.listAttempts(accountId, delivery?.id as string))._unsafeUnwrap();
};
const idOf = (post: Post): string => JSON.parse(post.body).data.id;

/** Workers that a test started, stopped after it. */
const started: Worker[] = [];
const run = (made: Pick<Platform, 'kit'>, options: Parameters<Platform['kit']['worker']>[0] = {}): Worker => {
  const worker = made.kit.worker(options);
  started.push(worker);
  worker.start();
  return worker;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.stop()));
});

describe('delivery', () => {
  test('each event once to each endpoint that wants it, and to no other account’s', async () => {
    const made = platform();
    await subscribe(made, 'one.example');
    await subscribe(made, 'two.example');
    await subscribe(made, 'stranger.example', 'acc_b');
    await subscribe(made, 'child.example', 'acc_child');
    await publish(made, 3);
    const worker = made.kit.worker();
    expect(await worker.drain()).toBe(6);
    expect(await worker.drain()).toBe(0);
    const sent = made.sender.posts.map((post) => `${new URL(post.url).host} ${idOf(post)}`);
    const expected = ['one.example', 'two.example'].flatMap((host) =>
      [0, 1, 2].map((index) => `${host} acc_a/${index}`),
    );
    expect(sent.toSorted()).toEqual(expected);
    expect(await statesOf(made)).toEqual(Array(6).fill('delivered'));
  });

  test('exactly what is subscribed arrives, whatever endpoints and events there are', async () => {
    const endpoint = fc.record({
      account: fc.constantFrom('acc_a', 'acc_b'),
      events: fc.subarray([...eventTypes], { minLength: 1 }),
      disabled: fc.boolean(),
    });
    const names = ['RequestPayment', 'RequestSecurityDeposit', 'ModelRequestPayment'] as const;
    const event = fc.record({
      account: fc.constantFrom('acc_a', 'acc_b'),
      name: fc.constantFrom(...names),
      type: fc.constantFrom(...eventTypes),
    });
    let arrived = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(endpoint, { maxLength: 4 }),
        fc.array(event, { maxLength: 8 }),
        async (endpoints, events) => {
          const made = platform();
          for (const [index, { account, events: wanted, disabled }] of endpoints.entries()) {
            const created = await made.kit.endpoints.create(account, {
              url: `https://e${index}.example/`,
              events: wanted,
            });
            if (disabled)
              (await made.kit.endpoints.disable(account, created._unsafeUnwrap().endpoint.id))._unsafeUnwrap();
          }
          const possible = events.filter(({ name, type }) => isEventPair(name, type));
          for (const [index, { account, name, type }] of possible.entries()) {
            const input = { accountId: account, objectName: name, type, data: { id: `o${index}` } };
            await made.kit.events.publish(input as never, { tx: 'new' });
          }
          await made.kit.worker().drain();
          const sent = made.sender.posts.map((post) => `${new URL(post.url).host} ${idOf(post)}`);
          const expected = endpoints.flatMap(({ account, events: wanted, disabled }, at) =>
            possible.flatMap(({ account: owner, type }, index) =>
              !disabled && owner === account && (wanted as readonly EventType[]).includes(type)
                ? [`e${at}.example o${index}`]
                : [],
            ),
          );
          expect(sent.toSorted()).toEqual(expected.toSorted());
          arrived += sent.length;
        },
      ),
      historyRuns,
    );
    expect(arrived).toBeGreaterThan(0.3 * historyRuns.numRuns);
  });

  test('golden: the signals of a dispatch and an attempt', async () => {
    const made = platform({ traceContext: () => 'the trace' });
    const endpoint = await subscribe(made, 'one.example');
    await publish(made, 1);
    made.signals.length = 0;
    await made.kit.worker().drain();
    const [delivery] = await deliveriesOf(made);
    const traced = { accountId: 'acc_a', eventId: delivery?.eventId, traceContext: 'the trace' };
    expect(made.signals).toEqual([
      { kind: 'dispatched', events: 1, startedAt: start, took: 0, traced: [traced] },
      {
        kind: 'attempt',
        ...traced,
        deliveryId: delivery?.id,
        endpointId: endpoint.id,
        attempt: 1,
        startedAt: start,
        took: 0,
        outcome: 200,
        next: 'delivered',
      },
    ]);
    expect(await attemptsOf(made)).toEqual([{ kind: 'answered', status: 200, body: '', took: 0, at: start }]);
  });

  test('more events than one dispatch takes', async () => {
    const made = platform();
    await subscribe(made, 'one.example');
    await publish(made, 1_200);
    expect(await made.kit.worker().drain()).toBe(1_200);
    expect(new Set(made.sender.posts.map(idOf)).size).toBe(1_200);
  });

  test('two workers over one storage send nothing twice', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const sender = memorySender();
    const one = platform({ clock, storage, sender });
    const two = platform({ clock, storage, sender, random: seededRandom(2) });
    await subscribe(one, 'one.example');
    await publish(one, 300);
    const counts = await Promise.all([one.kit.worker().drain(), two.kit.worker().drain()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300);
    expect(sender.posts).toHaveLength(300);
  });

  test('an observer that throws or rejects is ignored', async () => {
    for (const observe of [
      () => {
        throw new Error('observer');
      },
      (): never => Promise.reject(new Error('observer')) as never,
    ]) {
      const made = platform({ observe });
      await subscribe(made, 'one.example');
      await publish(made, 2);
      expect(await made.kit.worker().drain()).toBe(2);
      expect(await statesOf(made)).toEqual(['delivered', 'delivered']);
    }
  });
});

describe('retries', () => {
  test('a failing endpoint is tried again on schedule, to exhaustion', async () => {
    const clock = testClock();
    const made = platform({ clock, random: withoutJitter(), sender: memorySender(() => answered(500)) });
    await subscribe(made, 'one.example');
    await publish(made, 1);
    const worker = made.kit.worker();
    expect(await worker.drain()).toBe(1);
    for (const wait of retrySchedule) {
      clock.set(clock.now() + wait - 1);
      expect(await worker.drain(), 'never early').toBe(0);
      expect(await statesOf(made)).toEqual(['waiting']);
      clock.set(clock.now() + 1);
      expect(await worker.drain(), 'then at once').toBe(1);
    }
    expect(await deliveriesOf(made)).toMatchObject([{ state: 'exhausted', attempts: 10 }]);
    expect(await attemptsOf(made)).toHaveLength(10);
    const signals = made.signals
      .filter((signal) => signal.kind === 'attempt')
      .map(({ attempt, next }) => [attempt, next]);
    expect(signals).toEqual(Array.from({ length: 10 }, (_, index) => [index + 1, index === 9 ? 'exhausted' : 'retry']));
    clock.set(clock.now() + 30 * day);
    expect(await worker.drain()).toBe(0);
  });

  test('ends with the first 2xx; a redirect is none', async () => {
    const clock = testClock();
    const answers = [
      answered(500),
      answered(302),
      { kind: 'failed', reason: 'timeout', took: 15_000 } as const,
      answered(204),
    ];
    const made = platform({
      clock,
      random: withoutJitter(),
      sender: memorySender(() => answers.shift() ?? answered(500)),
    });
    await subscribe(made, 'one.example');
    await publish(made, 1);
    const worker = made.kit.worker();
    for (const wait of [0, ...retrySchedule]) {
      clock.set(clock.now() + wait);
      await worker.drain();
    }
    expect(
      (await attemptsOf(made)).map((attempt) => (attempt.kind === 'answered' ? attempt.status : attempt.reason)),
    ).toEqual([500, 302, 'timeout', 204]);
    expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', attempts: 4 }]);
  });

  test('Retry-After lengthens the wait', async () => {
    const clock = testClock();
    const made = platform({
      clock,
      random: withoutJitter(),
      sender: memorySender(() => answered(503, { retryAfter: '3600' })),
    });
    await subscribe(made, 'one.example');
    await publish(made, 1);
    const worker = made.kit.worker();
    await worker.drain();
    clock.set(start + hour - 1);
    expect(await worker.drain()).toBe(0);
    clock.set(start + hour);
    expect(await worker.drain()).toBe(1);
  });

  test('whatever receivers answer and however time passes: never early, and at most ten times', async () => {
    const status = fc.constantFrom(200, 302, 404, 500, 500, 503);
    const step = fc.oneof(
      fc.integer({ min: 0, max: 10 * second }),
      fc.integer({ min: minute, max: hour }),
      fc.constant(25 * hour),
    );
    let attempts = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(status, { minLength: 1, maxLength: 30 }),
        fc.array(step, { minLength: 3, maxLength: 14 }),
        fc.integer(),
        async (statuses, steps, seed) => {
          const clock = testClock();
          let place = 0;
          /** Failures in a row, as they were sent: with three in flight, two more or less than as they were settled. */
          let failures = 0;
          const sender = memorySender(() => {
            const next = statuses[place++ % statuses.length] as number;
            failures = next === 200 ? 0 : failures + 1;
            return answered(next);
          });
          const made = platform({ clock, sender, random: seededRandom(seed) });
          await subscribe(made, 'one.example');
          await publish(made, 3);
          const worker = made.kit.worker();
          const due = new Map<string, number>();
          for (const wait of [0, ...steps]) {
            clock.set(clock.now() + wait);
            await worker.drain();
            // Nothing that is surely due is left behind, while the endpoint is surely not paused.
            if (failures + 2 >= failuresToOpen) continue;
            for (const [index, { id, state }] of (await deliveriesOf(made)).entries()) {
              const log = await attemptsOf(made, index);
              const last = log.at(-1)?.at ?? start;
              if (state === 'waiting') due.set(id, last + Math.ceil((retrySchedule[log.length - 1] as number) * 1.1));
              if (state === 'waiting') expect(due.get(id), 'due, and not attempted').toBeGreaterThan(clock.now());
            }
          }
          for (const [index, { state, attempts: counted }] of (await deliveriesOf(made)).entries()) {
            const log = await attemptsOf(made, index);
            attempts += log.length;
            expect(log).toHaveLength(counted);
            expect(counted).toBeLessThanOrEqual(10);
            for (const [at, attempt] of log.entries()) {
              const before = log[at - 1];
              if (before)
                expect(attempt.at - before.at, 'early').toBeGreaterThanOrEqual(retrySchedule[at - 1] as number);
              const delivered = attempt.kind === 'answered' && attempt.status === 200;
              expect(delivered).toBe(state === 'delivered' && at === log.length - 1);
            }
          }
        },
      ),
      historyRuns,
    );
    expect(attempts).toBeGreaterThan(5 * historyRuns.numRuns);
  });
});

describe('endpoints that are not enabled', () => {
  test('disabled by the partner: what waits is held, what is new is not kept; enabling releases it', async () => {
    const clock = testClock();
    const made = platform({ clock, random: withoutJitter() });
    const { id } = await subscribe(made, 'one.example');
    const worker = made.kit.worker();
    await publish(made, 2);
    await made.storage.queue.dispatch({
      worker: 'w',
      limit: 0,
      perEndpoint: 1,
      perAccount: 1,
      lease: minute,
      schedule: retrySchedule,
    });
    (await made.kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
    await publish(made, 1, 'acc_a', 2);
    expect(await worker.drain()).toBe(0);
    expect(await statesOf(made)).toEqual(['held', 'held']);
    clock.set(start + day);
    expect(await worker.drain()).toBe(0);
    (await made.kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
    expect(await statesOf(made)).toEqual(['waiting', 'waiting']);
    expect(await worker.drain()).toBe(2);
    expect(made.sender.posts.map(idOf)).toEqual(['acc_a/0', 'acc_a/1']);
  });

  test('what was to be retried later is, after enabling, not earlier than it was due', async () => {
    const clock = testClock();
    const made = platform({ clock, random: withoutJitter(), sender: memorySender(() => answered(500)) });
    const { id } = await subscribe(made, 'one.example');
    const worker = made.kit.worker();
    await publish(made, 1);
    await worker.drain();
    clock.set(start + 5 * second);
    await worker.drain();
    (await made.kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
    (await made.kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
    clock.set(start + 5 * second + 5 * minute - 1);
    expect(await worker.drain()).toBe(0);
    clock.set(start + 5 * second + 5 * minute);
    expect(await worker.drain()).toBe(1);
  });

  test('disabled while an attempt is under way: it counts, and its retry is held', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    const { id } = await subscribe(made, 'one.example');
    await publish(made, 1);
    const draining = made.kit.worker().drain();
    await settled();
    (await made.kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
    sender.open[0]?.answer(500);
    expect(await draining).toBe(1);
    expect(await deliveriesOf(made)).toMatchObject([{ state: 'held', attempts: 1 }]);
  });

  test('disabled by the breaker: what is new is kept and held', async () => {
    const made = platform();
    const { id } = await subscribe(made, 'one.example');
    const stored = await made.storage.endpoints.findEndpoint('acc_a', id);
    expect(await made.storage.endpoints.replaceEndpoint({ ...stored, state: 'disabled_by_breaker' } as never)).toBe(
      true,
    );
    await publish(made, 2);
    const worker = made.kit.worker();
    expect(await worker.drain()).toBe(0);
    expect(await statesOf(made)).toEqual(['held', 'held']);
    (await made.kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
    expect(await worker.drain()).toBe(2);
  });

  test('deleted: what is unfinished expires', async () => {
    const made = platform();
    const { id } = await subscribe(made, 'one.example');
    await publish(made, 2);
    const worker = made.kit.worker();
    await made.storage.queue.dispatch({
      worker: 'w',
      limit: 0,
      perEndpoint: 1,
      perAccount: 1,
      lease: minute,
      schedule: retrySchedule,
    });
    (await made.kit.endpoints.delete('acc_a', id))._unsafeUnwrap();
    expect(await worker.drain()).toBe(0);
    expect(await statesOf(made)).toEqual(['expired', 'expired']);
  });

  test('deleted while held, and while an attempt is under way', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    const held = await subscribe(made, 'held.example');
    await publish(made, 1);
    await made.storage.queue.dispatch({
      worker: 'w',
      limit: 0,
      perEndpoint: 1,
      perAccount: 1,
      lease: minute,
      schedule: retrySchedule,
    });
    (await made.kit.endpoints.disable('acc_a', held.id))._unsafeUnwrap();
    (await made.kit.endpoints.delete('acc_a', held.id))._unsafeUnwrap();
    const busy = await subscribe(made, 'busy.example');
    await publish(made, 2, 'acc_a', 1);
    const draining = made.kit.worker().drain();
    await settled();
    (await made.kit.endpoints.delete('acc_a', busy.id))._unsafeUnwrap();
    sender.open[0]?.answer(500);
    sender.open[0]?.answer(200);
    expect(await draining).toBe(2);
    expect(await statesOf(made)).toEqual(['expired', 'expired', 'delivered']);
  });
});

describe('caps and fairness', () => {
  test('at most eight in flight to one endpoint, over all workers', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const sender = heldSender();
    const one = platform({ clock, storage, sender });
    const two = platform({ clock, storage, sender, random: seededRandom(2) });
    await subscribe(one, 'one.example');
    await publish(one, 50);
    run(one);
    run(two);
    for (let times = 0; times < 50; times++) {
      await clock.advance(250);
      expect(sender.open.length).toBeLessThanOrEqual(8);
      sender.open[0]?.answer();
    }
    await clock.advance(250);
    expect(sender.counts).toEqual({ sent: 50, most: 8 });
  });

  test('a quarter of a worker’s slots for one account', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    for (let index = 0; index < 5; index++) await subscribe(made, `e${index}.example`);
    await publish(made, 20);
    run(made);
    await settled();
    expect(sender.open).toHaveLength(16);
    while (sender.counts.sent < 100) {
      sender.open[0]?.answer();
      await settled();
    }
    for (const post of [...sender.open]) post.answer();
    expect(sender.counts).toEqual({ sent: 100, most: 16 });
  });

  test('no more at once than there are slots', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    for (let index = 0; index < 3; index++) await subscribe(made, `e${index}.example`);
    await publish(made, 30);
    run(made, { concurrency: 5, perAccount: 100, perEndpoint: 100 });
    await settled();
    while (sender.counts.sent < 90) {
      expect(sender.open).toHaveLength(5);
      sender.open[0]?.answer();
      await settled();
    }
    for (const post of [...sender.open]) post.answer();
    expect(sender.counts.most).toBe(5);
  });

  test('two drains of one worker at once share its slots', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const asked: number[] = [];
    const noted =
      <A extends ClaimRequest, R>(call: (want: A) => Promise<R>) =>
      (want: A): Promise<R> => {
        asked.push(want.limit);
        return call(want);
      };
    const queue = { ...storage.queue, dispatch: noted(storage.queue.dispatch), claim: noted(storage.queue.claim) };
    const sender = heldSender();
    const made = platform({ clock, sender, storage: { ...storage, queue } });
    for (let index = 0; index < 3; index++) await subscribe(made, `e${index}.example`);
    await publish(made, 10);
    const worker = made.kit.worker({ concurrency: 4, perAccount: 100, perEndpoint: 100 });
    const draining = Promise.allSettled([worker.drain(), worker.drain()]);
    while (sender.counts.sent < 30) {
      await settled();
      sender.open[0]?.answer();
    }
    for (const post of [...sender.open]) post.answer();
    await draining;
    expect(await statesOf(made)).toEqual(Array(30).fill('delivered'));
    expect(sender.counts.most).toBeLessThanOrEqual(4);
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(0);
  });

  test('half of the free slots for what is new while something else is due, and all where nothing is', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const asked: (readonly [string, number])[] = [];
    const noted =
      <R>(name: string, call: (want: ClaimRequest) => Promise<R>) =>
      (want: ClaimRequest): Promise<R> => {
        asked.push([name, want.limit]);
        return call(want);
      };
    const { dispatch, claim } = storage.queue;
    const queue = { ...storage.queue, dispatch: noted('dispatch', dispatch), claim: noted('claim', claim) };
    const sender = heldSender();
    const made = platform({ clock, sender, storage: { ...storage, queue } });
    await subscribe(made, 'one.example');
    await subscribe(made, 'one.example', 'acc_b');
    await publish(made, 5);
    run(made, { concurrency: 9, perAccount: 2 });
    await settled();
    // Two may be sent for one account. The claim finds nothing more, so all seven slots are for what is new.
    expect(asked).toEqual([
      ['dispatch', 5],
      ['claim', 7],
      ['dispatch', 7],
      ['dispatch', 7],
      ['claim', 7],
      ['dispatch', 7],
      ['claim', 7],
    ]);
    // A moment later something may be due again.
    asked.length = 0;
    clock.set(clock.now() + 25);
    for (const post of [...sender.open]) post.answer();
    await settled();
    expect(asked.slice(0, 2)).toEqual([
      ['dispatch', 5],
      ['claim', 9],
    ]);
    for (const post of [...sender.open]) post.answer();
  });

  test('one slot is enough', async () => {
    const made = platform();
    await subscribe(made, 'one.example');
    await publish(made, 5);
    expect(await made.kit.worker({ concurrency: 1 }).drain()).toBe(5);
  });

  test('a busy account, with dead endpoints, does not hold up another', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    for (let index = 0; index < 20; index++) await subscribe(made, `dead${index}.example`);
    await publish(made, 100);
    run(made);
    await settled();
    expect(sender.open).toHaveLength(16);
    await subscribe(made, 'living.example', 'acc_b');
    await publish(made, 1, 'acc_b');
    await settled();
    expect(sender.open.map(({ post }) => post.url)).toContain('https://living.example/');
    for (const post of [...sender.open]) post.answer();
  });

  test('turns are taken: no endpoint is served twice while another waits', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    for (const host of ['a', 'b', 'c']) await subscribe(made, `${host}.example`);
    await publish(made, 4);
    run(made, { concurrency: 1 });
    const order: string[] = [];
    for (let times = 0; times < 12; times++) {
      await settled();
      order.push(new URL(sender.open[0]?.post.url as string).host[0] as string);
      sender.open[0]?.answer();
    }
    for (let turn = 0; turn < 4; turn++)
      expect(order.slice(3 * turn, 3 * turn + 3).toSorted()).toEqual(['a', 'b', 'c']);
  });
});

describe('what a busy worker keeps ready', () => {
  /** A worker of eight slots whose receivers answered eight at a time, so that it holds more than it can send. */
  const busy = async (options: WorkerOptions = {}) => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const sender = heldSender();
    const released: number[] = [];
    const asked: number[] = [];
    const hung: { until?: Promise<void> } = {};
    const queue: DeliveryQueue = {
      ...storage.queue,
      dispatch: async (want) => {
        asked.push(want.limit);
        await hung.until;
        return storage.queue.dispatch(want);
      },
      claim: async (want) => {
        asked.push(want.limit);
        await hung.until;
        return storage.queue.claim(want);
      },
      release: async (claims) => {
        released.push(claims.length);
        await storage.queue.release(claims);
      },
    };
    const made = platform({ clock, sender, storage: { ...storage, queue } });
    for (const host of ['a', 'b', 'c']) await subscribe(made, `${host}.example`);
    await publish(made, 40);
    const worker = run(made, { concurrency: 8, perAccount: 100, perEndpoint: 100, ...options });
    await settled();
    for (let times = 0; times < 4; times++) {
      for (const post of [...sender.open]) post.answer();
      await settled();
    }
    return { ...made, clock, sender, released, asked, hung, worker };
  };
  const answerAll = async ({ sender }: { readonly sender: ReturnType<typeof heldSender> }): Promise<void> => {
    while (sender.open.length > 0) {
      for (const post of [...sender.open]) post.answer();
      await settled();
    }
  };

  test('it asks for more than it has slots, never for more than twice as many, and sends no more at once than it has', async () => {
    const made = await busy();
    expect(Math.max(...made.asked)).toBeGreaterThan(8);
    await answerAll(made);
    expect(Math.max(...made.asked)).toBeLessThanOrEqual(16);
    expect(made.sender.counts).toEqual({ sent: 120, most: 8 });
    expect(made.released).toEqual([]);
    expect(await statesOf(made)).toEqual(Array(100).fill('delivered'));
  });

  test('goes back when no slot is free within a poll: others may send it', async () => {
    const made = await busy();
    const sent = made.sender.counts.sent;
    await made.clock.advance(249);
    expect(made.released).toEqual([]);
    await made.clock.advance(251);
    expect(made.released).toHaveLength(1);
    expect(made.released[0]).toBeGreaterThan(0);
    expect(made.sender.counts.sent).toBe(sent);
    // Nothing of it is taken again while the slots are full.
    await made.clock.advance(10 * second);
    expect(made.released).toHaveLength(1);
    await answerAll(made);
    expect(made.sender.counts).toEqual({ sent: 120, most: 8 });
  });

  test('goes back as soon where polls are rare, and what became of the attempts is stored then', async () => {
    const made = await busy({ pollEvery: 6 * hour });
    made.sender.open[0]?.answer();
    await settled();
    const delivered = async () => (await statesOf(made)).filter((state) => state === 'delivered').length;
    const before = await delivered();
    expect(before).toBeLessThan(made.sender.counts.sent - 7);
    await made.clock.advance(500);
    expect(made.released).toHaveLength(1);
    expect(await delivered()).toBe(made.sender.counts.sent - 8);
    await answerAll(made);
  });

  test('what became of an attempt is stored within a quarter of a second, while the storage answers nothing else', async () => {
    const made = await busy();
    const { promise, resolve } = Promise.withResolvers<void>();
    made.hung.until = promise;
    const before = made.asked.length;
    for (const post of made.sender.open.slice(0, 6)) post.answer();
    await settled();
    for (const post of made.sender.open.slice(0, 6)) post.answer();
    await settled();
    expect(made.asked.length).toBe(before + 1);
    await made.clock.advance(250);
    const delivered = (await statesOf(made)).filter((state) => state === 'delivered');
    expect(delivered).toHaveLength(made.sender.counts.sent - made.sender.open.length);
    resolve();
    await answerAll(made);
  });

  test('goes back when the worker is stopped, and is not sent', async () => {
    const made = await busy();
    const sent = made.sender.counts.sent;
    const stopping = made.worker.stop();
    await answerAll(made);
    await stopping;
    expect(made.sender.counts.sent).toBe(sent);
    expect(made.released[0]).toBeGreaterThan(0);
    expect(
      await made.storage.queue.claim({
        worker: 'x',
        limit: 999,
        perEndpoint: 999,
        perAccount: 999,
        lease: minute,
        schedule: [],
      }),
    ).toMatchObject({ claimed: Array(120 - sent).fill({ attempt: 1 }), abandoned: [] });
  });
});

describe('leases', () => {
  const want: ClaimRequest = {
    worker: 'dead',
    limit: 10,
    perEndpoint: 10,
    perAccount: 10,
    lease: minute,
    schedule: retrySchedule,
  };
  const world = async () => {
    const clock = testClock();
    const made = { ...platform({ clock, random: withoutJitter() }), clock };
    await subscribe(made, 'one.example');
    await publish(made, 1);
    return made;
  };

  test('a lapsed one is taken over: the attempt of the one that died counts as abandoned', async () => {
    const made = await world();
    const { claimed } = await made.storage.queue.dispatch(want);
    expect(claimed).toHaveLength(1);
    const worker = made.kit.worker();
    made.clock.set(start + minute - 1);
    expect(await worker.drain()).toBe(0);
    made.clock.set(start + minute);
    expect(await worker.drain()).toBe(0);
    expect(made.signals.at(-1)).toMatchObject({ kind: 'attempt', attempt: 1, outcome: 'abandoned', next: 'retry' });
    // From then on as after any failure.
    made.clock.set(start + minute + 5 * second - 1);
    expect(await worker.drain()).toBe(0);
    made.clock.set(start + minute + 5 * second);
    expect(await worker.drain()).toBe(1);
    expect(await attemptsOf(made)).toEqual([
      { kind: 'failed', reason: 'abandoned', took: 0, at: start + minute },
      { kind: 'answered', status: 200, body: '', took: 0, at: start + minute + 5 * second },
    ]);
    expect(made.signals.at(-1)).toMatchObject({ kind: 'attempt', attempt: 2, next: 'delivered' });
  });

  test('one that died ten times is exhausted', async () => {
    const made = await world();
    await made.storage.queue.dispatch(want);
    for (const [index, wait] of retrySchedule.entries()) {
      made.clock.set(made.clock.now() + minute);
      const { claimed, abandoned } = await made.storage.queue.claim(want);
      expect([claimed, abandoned]).toMatchObject([[], [{ accountId: 'acc_a', attempt: index + 1, exhausted: false }]]);
      made.clock.set(made.clock.now() + wait);
      const again = await made.storage.queue.claim(want);
      expect(again.claimed.map(({ attempt }) => attempt)).toEqual([index + 2]);
    }
    // Three days of workers that crash, not ten minutes.
    expect(made.clock.now() - start).toBeGreaterThan(3 * day);
    made.clock.set(made.clock.now() + minute);
    expect(await made.kit.worker().drain()).toBe(0);
    expect(made.signals.at(-1)).toMatchObject({ attempt: 10, outcome: 'abandoned', next: 'exhausted' });
    expect(await deliveriesOf(made)).toMatchObject([{ state: 'exhausted', attempts: 10 }]);
    expect(made.sender.posts).toEqual([]);
  });

  test('who comes back late only adds to the log', async () => {
    const made = await world();
    const { claimed } = await made.storage.queue.dispatch(want);
    const [late] = claimed;
    made.clock.set(start + minute);
    expect((await made.storage.queue.claim({ ...want, worker: 'other' })).abandoned).toHaveLength(1);
    made.clock.set(start + minute + 5 * second);
    const [taken] = (await made.storage.queue.claim({ ...want, worker: 'other' })).claimed;
    expect(taken?.lease).not.toBe(late?.lease);
    const outcome = answered(200, { body: 'late' });
    await made.storage.queue.settle([
      { deliveryId: late?.deliveryId as string, lease: late?.lease as string, outcome, next: 'delivered' },
    ]);
    await made.storage.queue.settle([
      { deliveryId: late?.deliveryId as string, lease: late?.lease as string, outcome, next: 'delivered' },
    ]);
    await made.storage.queue.release([late as NonNullable<typeof late>]);
    expect(await deliveriesOf(made)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    expect(
      (await attemptsOf(made)).map((attempt) => (attempt.kind === 'answered' ? attempt.body : attempt.reason)),
    ).toEqual(['abandoned', 'late']);
    // The one that took it over still holds it.
    expect(await made.kit.worker().drain()).toBe(0);
    await made.storage.queue.settle([
      { deliveryId: taken?.deliveryId as string, lease: taken?.lease as string, outcome, next: 'exhausted' },
    ]);
    expect(await deliveriesOf(made)).toMatchObject([{ state: 'exhausted', attempts: 2 }]);
  });

  test('a lapsed one that nobody took over still settles', async () => {
    const made = await world();
    const [claimed] = (await made.storage.queue.dispatch(want)).claimed;
    made.clock.set(start + 10 * minute);
    await made.storage.queue.settle([
      {
        deliveryId: claimed?.deliveryId as string,
        lease: claimed?.lease as string,
        outcome: answered(200),
        next: 'delivered',
      },
    ]);
    expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  test.each([
    [40 * second, 1],
    [40 * second + 1, 0],
  ])('a claim that took %i ms leaves time for %i attempts; the rest is given back, not sent', async (took, sent) => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    let slow = true;
    const dispatch: DeliveryQueue['dispatch'] = async (request) => {
      const dispatched = await storage.queue.dispatch(request);
      if (slow) clock.set(clock.now() + took);
      slow = false;
      return dispatched;
    };
    // What was given back waits for the next poll.
    const claim: DeliveryQueue['claim'] = async () => ({ claimed: [], abandoned: [] });
    const made = platform({ clock, storage: { ...storage, queue: { ...storage.queue, dispatch, claim } } });
    await subscribe(made, 'one.example');
    await publish(made, 1);
    run(made);
    await settled();
    expect(made.sender.posts).toHaveLength(sent);
    expect(await deliveriesOf(made)).toMatchObject([
      sent === 1 ? { state: 'delivered', attempts: 1 } : { state: 'waiting', attempts: 0 },
    ]);
    expect(await platform({ clock, storage }).kit.worker().drain()).toBe(1 - sent);
  });

  test('what a drain gives back is none of its attempts', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    let slow = true;
    const dispatch: DeliveryQueue['dispatch'] = async (request) => {
      const dispatched = await storage.queue.dispatch(request);
      if (slow) clock.set(clock.now() + minute);
      slow = false;
      return dispatched;
    };
    const made = platform({ clock, storage: { ...storage, queue: { ...storage.queue, dispatch } } });
    await subscribe(made, 'one.example');
    await publish(made, 3);
    expect(await made.kit.worker().drain()).toBe(3);
    expect(made.sender.posts).toHaveLength(3);
    expect(await deliveriesOf(made)).toMatchObject(Array(3).fill({ state: 'delivered', attempts: 1 }));
  });
});

describe('start and stop', () => {
  test('stop waits for the attempts in flight and stores what became of them', async () => {
    const sender = heldSender();
    const made = platform({ sender });
    await subscribe(made, 'one.example');
    await publish(made, 2);
    const worker = run(made);
    await settled();
    expect(sender.open).toHaveLength(2);
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    sender.open[0]?.answer();
    await settled();
    expect(stopped).toBe(false);
    sender.open[0]?.answer(500);
    await stopping;
    expect(await statesOf(made)).toEqual(['delivered', 'waiting']);
  });

  test('claims nothing more', async () => {
    const clock = testClock();
    const made = platform({ clock });
    await subscribe(made, 'one.example');
    const worker = run(made);
    await settled();
    await worker.stop();
    await publish(made, 1);
    made.kit.nudge();
    await clock.advance(hour);
    expect(made.sender.posts).toEqual([]);
    expect(clock.sleepers()).toBe(0);
  });

  test('what a claim brings that was under way is given back at once, unattempted', async () => {
    const storage = memoryStorage({ clock: testClock() });
    const gate = Promise.withResolvers<void>();
    const dispatch: DeliveryQueue['dispatch'] = async (want) => {
      const dispatched = await storage.queue.dispatch(want);
      await gate.promise;
      return dispatched;
    };
    const made = platform({ storage: { ...storage, queue: { ...storage.queue, dispatch } } });
    await subscribe(made, 'one.example');
    await publish(made, 3);
    const worker = run(made);
    await settled();
    const stopping = worker.stop();
    gate.resolve();
    await stopping;
    expect(made.sender.posts).toEqual([]);
    expect(await deliveriesOf(made)).toMatchObject(Array(3).fill({ state: 'waiting', attempts: 0 }));
    const other = platform({ storage });
    expect(await other.kit.worker().drain()).toBe(3);
  });

  test('may be started again, and twice is once', async () => {
    const clock = testClock();
    const made = platform({ clock });
    await subscribe(made, 'one.example');
    const worker = run(made);
    worker.start();
    await settled();
    // One looks for deliveries, one prunes, one refers.
    expect(clock.sleepers()).toBe(3);
    await worker.stop();
    expect(clock.sleepers()).toBe(0);
    worker.start();
    worker.start();
    await settled();
    expect(clock.sleepers()).toBe(3);
    await publish(made, 1);
    await settled();
    expect(made.sender.posts).toHaveLength(1);
  });

  test('stop of one that never ran, or twice, ends', async () => {
    const worker = platform().kit.worker();
    await worker.stop();
    await Promise.all([worker.stop(), worker.stop()]);
    expect(await worker.drain()).toBe(0);
  });

  test('drain is for a worker that was not started', async () => {
    const worker = run(platform());
    await expect(worker.drain()).rejects.toThrow(TypeError);
    await worker.stop();
    expect(await worker.drain()).toBe(0);
  });

  test.each([
    ['concurrency', 0],
    ['concurrency', 1.5],
    ['perEndpoint', 0],
    ['perAccount', Number.NaN],
    ['pollEvery', 0],
  ])('%s of %s is a TypeError that names it', (name, value) => {
    const { kit } = platform();
    expect(() => kit.worker({ [name]: value })).toThrow(TypeError);
    expect(() => kit.worker({ [name]: value })).toThrow(`worker: ${name} must be a whole number from 1.`);
  });
});

describe('waking', () => {
  test('a publish of this process is sent without waiting for the clock', async () => {
    const clock = testClock();
    const made = platform({ clock });
    await subscribe(made, 'one.example');
    run(made);
    await settled();
    expect(clock.sleepers()).toBe(3);
    for (let times = 1; times <= 3; times++) {
      await publish(made, 1, 'acc_a', times);
      await settled();
      expect(made.sender.posts).toHaveLength(times);
    }
    expect(clock.now()).toBe(start);
  });

  test('what was published just before it fell asleep is found', async () => {
    const storage = memoryStorage({ clock: testClock() });
    let late = true;
    const watch: DeliveryQueue['watch'] = async (onDue) => {
      // Between the empty poll and the watch.
      if (late) await publish(made, 1);
      late = false;
      return storage.queue.watch(onDue);
    };
    const sender = memorySender();
    const made: Platform = platform({ sender, storage: { ...storage, queue: { ...storage.queue, watch } } });
    await subscribe(made, 'one.example');
    run(made);
    await settled();
    expect(sender.posts).toHaveLength(1);
  });

  /** A storage that tells nobody of a commit. */
  const silent = (clock: ReturnType<typeof testClock>) => {
    const storage = memoryStorage({ clock });
    return { ...storage, queue: { ...storage.queue, watch: async () => () => undefined } };
  };

  test('a nudge wakes it at once, where the storage tells nothing', async () => {
    const clock = testClock();
    const made = platform({ clock, storage: silent(clock) });
    await subscribe(made, 'one.example');
    run(made);
    await settled();
    await publish(made, 1);
    await settled();
    expect(made.sender.posts).toEqual([]);
    made.kit.nudge();
    await settled();
    expect(made.sender.posts).toHaveLength(1);
  });

  test('without a nudge it looks by itself, every 250 ms or as it was told', async () => {
    for (const pollEvery of [250, 5_000]) {
      const clock = testClock();
      const made = platform({ clock, storage: silent(clock) });
      await subscribe(made, 'one.example');
      run(made, pollEvery === 250 ? {} : { pollEvery });
      await settled();
      await publish(made, 1);
      await clock.advance(pollEvery - 1);
      expect(made.sender.posts).toEqual([]);
      await clock.advance(1);
      expect(made.sender.posts).toHaveLength(1);
    }
  });

  test('enabling an endpoint wakes it', async () => {
    const clock = testClock();
    const made = platform({ clock, storage: silent(clock) });
    const { id } = await subscribe(made, 'one.example');
    await publish(made, 1);
    await made.storage.queue.dispatch({
      worker: 'w',
      limit: 0,
      perEndpoint: 1,
      perAccount: 1,
      lease: minute,
      schedule: retrySchedule,
    });
    (await made.kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
    run(made);
    await settled();
    (await made.kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
    await settled();
    expect(made.sender.posts).toHaveLength(1);
    expect(clock.now()).toBe(start);
  });

  test('a retry that falls due is found by looking', async () => {
    const clock = testClock();
    const answers = [500, 200];
    const made = platform({
      clock,
      random: withoutJitter(),
      sender: memorySender(() => answered(answers.shift() ?? 500)),
    });
    await subscribe(made, 'one.example');
    run(made);
    await publish(made, 1);
    await clock.advance(4 * second);
    expect(made.sender.posts).toHaveLength(1);
    await clock.advance(second + 250);
    expect(await statesOf(made)).toEqual(['delivered']);
  });

  test('many endpoints of one full account: a free place is filled at once', async () => {
    const clock = testClock();
    const sender = heldSender();
    const made = platform({ clock, sender });
    await subscribe(made, 'one.example');
    await publish(made, 30);
    run(made);
    await settled();
    expect(sender.open).toHaveLength(8);
    while (sender.counts.sent < 30) {
      sender.open[0]?.answer();
      await settled();
      expect(sender.open).toHaveLength(8);
    }
    for (const post of [...sender.open]) post.answer();
    expect(clock.now()).toBe(start);
  });
});

test('a worker refuses an option that it does not have', () => {
  expect(() => platform().kit.worker({ perEndpont: 2 } as never)).toThrow(
    new TypeError("worker: there is no option 'perEndpont'; did you mean 'perEndpoint'?"),
  );
});

describe('a storage that fails for a while', () => {
  const cause = Object.assign(new Error('SECRET'), { code: 'ECONNREFUSED' });
  type Step = 'dispatch' | 'claim' | 'watch' | 'settle' | 'release';
  const failing = (clock: ReturnType<typeof testClock>) => {
    const storage = memoryStorage({ clock });
    const down = new Set<Step>();
    const guard =
      <A extends readonly unknown[], R>(step: Step, call: (...args: A) => Promise<R>) =>
      (...args: A): Promise<R> =>
        down.has(step) ? Promise.reject(cause) : call(...args);
    const queue: DeliveryQueue = {
      dispatch: guard('dispatch', storage.queue.dispatch),
      claim: guard('claim', storage.queue.claim),
      watch: guard('watch', storage.queue.watch),
      settle: guard('settle', storage.queue.settle),
      release: guard('release', storage.queue.release),
      prune: storage.queue.prune,
    };
    return { down, storage: { ...storage, queue } };
  };

  test.each(['dispatch', 'claim', 'watch'] as const)('%s: signalled, tried again, survived', async (step) => {
    const clock = testClock();
    const { down, storage } = failing(clock);
    const made = platform({ clock, storage });
    await subscribe(made, 'one.example');
    down.add(step);
    run(made);
    await clock.advance(10 * second);
    const signals = made.signals.filter(({ kind }) => kind === 'worker_trouble');
    expect(signals.length).toBeGreaterThan(0);
    // Each poll may fail: it must not spin.
    expect(signals.length).toBeLessThanOrEqual(50);
    for (const signal of signals) {
      expect(signal).toEqual({ kind: 'worker_trouble', during: step, error: { name: 'Error', code: 'ECONNREFUSED' } });
    }
    down.clear();
    await publish(made, 1);
    await clock.advance(250);
    expect(await statesOf(made)).toEqual(['delivered']);
  });

  test.each(['dispatch', 'claim', 'watch', 'settle', 'release'] as const)(
    '%s: onError gets each error behind a signal, as it is',
    async (step) => {
      const clock = testClock();
      const { down, storage } = failing(clock);
      const told: unknown[][] = [];
      const made = platform({ clock, storage, onError: (...each) => told.push(each) });
      await subscribe(made, 'one.example');
      await publish(made, 1);
      down.add(step);
      const worker = made.kit.worker();
      worker.start();
      if (step === 'release') {
        // What is claimed while it stops is released.
        const stopping = worker.stop();
        await settled();
        await stopping;
      } else await clock.advance(3 * second);
      const signals = made.signals.filter(({ kind }) => kind === 'worker_trouble');
      expect(signals.length).toBeGreaterThan(0);
      expect(told).toEqual(signals.map(() => [cause, { during: step }]));
      down.clear();
      const stopped = worker.stop();
      await clock.advance(2 * second);
      await stopped;
    },
  );

  test('settle: tried again every second; what was sent is not sent again', async () => {
    const clock = testClock();
    const { down, storage } = failing(clock);
    const made = platform({ clock, storage });
    await subscribe(made, 'one.example');
    await publish(made, 3);
    down.add('settle');
    run(made);
    await clock.advance(10 * second);
    expect(made.sender.posts).toHaveLength(3);
    expect(await statesOf(made)).toEqual(['waiting', 'waiting', 'waiting']);
    down.clear();
    await clock.advance(second);
    expect(await statesOf(made)).toEqual(['delivered', 'delivered', 'delivered']);
    await clock.advance(5 * minute);
    expect(made.sender.posts).toHaveLength(3);
    expect(made.signals).toContainEqual({
      kind: 'worker_trouble',
      during: 'settle',
      error: { name: 'Error', code: 'ECONNREFUSED' },
    });
  });

  test('settle, for longer than the lease: given up, and taken over as abandoned', async () => {
    const clock = testClock();
    const { down, storage } = failing(clock);
    const made = platform({ clock, storage });
    await subscribe(made, 'one.example');
    await publish(made, 1);
    down.add('settle');
    const worker = made.kit.worker();
    worker.start();
    await clock.advance(59 * second);
    const stopping = worker.stop();
    await clock.advance(2 * second);
    await stopping;
    down.clear();
    expect(await made.kit.worker().drain()).toBe(0);
    clock.set(clock.now() + minute);
    expect(await made.kit.worker().drain()).toBe(1);
    expect(
      (await attemptsOf(made)).map((attempt) => (attempt.kind === 'failed' ? attempt.reason : attempt.status)),
    ).toEqual(['abandoned', 200]);
  });

  test('settle, while many wait: it does not go on sending without end', async () => {
    const clock = testClock();
    const { down, storage } = failing(clock);
    const made = platform({ clock, storage });
    for (let index = 0; index < 10; index++) await subscribe(made, `e${index}.example`);
    await publish(made, 100);
    down.add('settle');
    run(made, { concurrency: 10, perAccount: 1_000, perEndpoint: 1_000 });
    await clock.advance(20 * second);
    expect(made.sender.posts.length).toBeLessThanOrEqual(30);
    down.clear();
    await clock.advance(5 * second);
    expect(made.sender.posts).toHaveLength(1_000);
  });

  test('drain rejects: a cron job must not report success', async () => {
    const clock = testClock();
    const { down, storage } = failing(clock);
    const made = platform({ clock, storage });
    await subscribe(made, 'one.example');
    await publish(made, 1);
    down.add('dispatch').add('claim');
    await expect(made.kit.worker().drain()).rejects.toThrow('worker: the storage failed while draining.');
    expect(made.signals.filter(({ kind }) => kind === 'worker_trouble')).toHaveLength(2);
    down.clear();
    expect(await made.kit.worker().drain()).toBe(1);
  });
});

describe('seconds that run ahead of the clock', () => {
  test('wait, and are signalled', async () => {
    const clock = testClock();
    const made = platform({ clock });
    await subscribe(made, 'one.example');
    for (let times = 0; times < 8; times++) await made.kit.events.publish(published('same'), { tx: 'new' });
    const worker = made.kit.worker();
    made.signals.length = 0;
    expect(await worker.drain()).toBe(6);
    const ahead = made.signals.filter((signal) => signal.kind === 'stamped_ahead');
    expect(ahead.map(({ accountId, by }) => [accountId, by])).toEqual([
      ['acc_a', 1_000],
      ['acc_a', 2_000],
    ]);
    clock.set(start + 999);
    expect(await worker.drain()).toBe(0);
    clock.set(start + 1_000);
    expect(await worker.drain()).toBe(1);
    clock.set(start + 2_000);
    expect(await worker.drain()).toBe(1);
    const seconds = made.sender.posts.map((post) => JSON.parse(post.body).timestamp - start / second);
    expect(seconds).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

test('a clock on which sleeping takes no time: all is attempted to its end', async () => {
  const clock = skippingClock();
  const storage = memoryStorage({ clock });
  const made = platform({ clock, storage, sender: memorySender(() => answered(500)) });
  // One delivery each: none pauses another.
  for (const name of ['one', 'two', 'three', 'four', 'five']) await subscribe(made, `${name}.example`);
  await publish(made, 1);
  const worker = made.kit.worker();
  for (let times = 0; times < 12; times++) {
    await worker.drain();
    clock.set(clock.now() + 27 * hour);
  }
  expect(await statesOf(made)).toEqual(Array(5).fill('exhausted'));
  expect(made.sender.posts).toHaveLength(50);
});
