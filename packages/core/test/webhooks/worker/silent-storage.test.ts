import { afterEach, describe, expect, test } from 'vitest';
import { minute, second } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { MemoryTransaction } from '../../../src/stores/rows/memory/memory-rows.ts';
import type { Storage } from '../../../src/stores/storage/storage.ts';
import { type Engine, engine } from '../../../src/webhooks/worker/engine.ts';
import { testClock } from '../../support/clock.ts';
import {
  deliveriesOf,
  idOf,
  outcomesOf,
  publish,
  runningWorkers,
  statesOf,
  stopWorker,
  subscribe,
} from '../../support/deliveries.ts';
import { platform, provenEngine } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
afterEach(workers.stop);

const ports = ['shards', 'deliveries', 'parents', 'log'] as const;
type Method = { [P in (typeof ports)[number]]: keyof Storage<object>[P] }[(typeof ports)[number]];

const lease = 20 * second;

/**
 * A platform whose connections freeze where the test says so: calls stay open and silent. After `thaw`, the calls of a
 * method take effect, in order, although the worker has given most of them up.
 */
const freezing = (ofTest: Engine = engine) => {
  const clock = testClock();
  const frozen = new Set<Method>();
  const waiting = new Map<Method, (() => void)[]>();
  const thaw = (...methods: readonly Method[]): void => {
    for (const method of methods.length > 0 ? methods : [...frozen]) {
      frozen.delete(method);
      for (const go of waiting.get(method) ?? []) go();
      waiting.delete(method);
    }
  };
  const wrap = <P extends object>(port: P): P =>
    Object.fromEntries(
      Object.entries(port).map(([name, call]) => {
        const method = name as Method;
        return [
          name,
          async (...args: readonly unknown[]) => {
            if (frozen.has(method))
              await new Promise<void>((go) => waiting.set(method, [...(waiting.get(method) ?? []), go]));
            return call(...args);
          },
        ];
      }),
    ) as P;
  const storage = memoryStorage({ clock });
  const frozenStorage = Object.fromEntries(ports.map((port) => [port, wrap(storage[port])]));
  const sender = heldSender();
  const made = platform({
    engine: ofTest,
    clock,
    storage: { ...storage, ...frozenStorage } as Storage<MemoryTransaction>,
    sender,
  });
  /** Freezes every call of workers. */
  const freezeAll = (): void => {
    for (const port of ports) for (const name of Object.keys(storage[port])) frozen.add(name as Method);
  };
  const errors = () => made.signals.filter((signal) => signal.kind === 'worker_error');
  /** Another process, whose storage answers. */
  const other = () => platform({ clock, storage, random: seededRandom(2) });
  return { ...made, frozen, thaw, freezeAll, errors, other };
};

/** Time passes, and each attempt is answered with this status. */
const answerFor = async (made: ReturnType<typeof freezing>, seconds: number, status = 200): Promise<void> => {
  for (let passed = 0; passed < seconds; passed++) {
    await made.clock.advance(second);
    made.sender.answerAll(status);
  }
};

const noAnswer = (during: string) => ({
  kind: 'worker_error',
  during,
  error: { name: 'PortTimeout', code: 'no_answer' },
  count: 1,
});

describe('a call of the storage that does not answer', () => {
  test.each([
    ['join', 'heartbeat'],
    ['heartbeat', 'heartbeat'],
    ['acquire', 'acquire'],
    ['recover', 'acquire'],
    ['readOutbox', 'dispatch'],
    ['dispatch', 'dispatch'],
    ['readEndpoints', 'read'],
    ['readDue', 'read'],
    ['settle', 'settle'],
    ['watch', 'watch'],
    ['prune', 'prune'],
    ['readPropagated', 'propagate'],
  ] as const)('%s: signalled as %s within the lease, tried again; everything is delivered', async (method, during) => {
    const made = freezing();
    await subscribe(made, 'one.example');
    await publish(made, 1);
    made.frozen.add(method);
    workers.run(made, { pruneEvery: second });
    await answerFor(made, lease / second);
    expect(made.errors().length).toBeGreaterThan(0);
    // It must not spin.
    expect(made.errors().length).toBeLessThanOrEqual(8);
    expect(made.errors()).toEqual(made.errors().map(() => noAnswer(during)));
    made.thaw();
    await publish(made, 1, 'acc_a', 1);
    await answerFor(made, 2 * (lease / second));
    expect(await statesOf(made)).toEqual(['delivered', 'delivered']);
    for (const index of [0, 1]) expect((await outcomesOf(made, index)).at(-1)).toBe(200);
  });

  test.each(['release', 'leave'] as const)(
    '%s: another worker serves the shards once the lease ends',
    async (method) => {
      const made = freezing();
      await subscribe(made, 'one.example');
      const worker = workers.run(made);
      await made.clock.advance(second);
      await publish(made, 1);
      await made.clock.advance(second);
      made.frozen.add(method);
      const stopping = stopWorker(worker, made.clock);
      made.sender.answerAll();
      await stopping;
      const other = made.other();
      workers.run(other);
      await publish(made, 1, 'acc_a', 1);
      await made.clock.advance(2 * lease);
      expect(other.sender.posts.map(idOf)).toEqual(['acc_a/1']);
    },
  );
});

test('no attempt starts without a renewed lease, and all committed events are sent once the storage answers', async () => {
  const made = freezing();
  await subscribe(made, 'one.example');
  workers.run(made);
  await made.clock.advance(second);
  made.freezeAll();
  await publish({ kit: made.other().kit }, 20);
  await made.clock.advance(2 * minute);
  expect(made.sender.counts.sent).toBe(0);
  expect(new Set(made.errors().map(({ error }) => error.code))).toEqual(new Set(['no_answer']));
  made.thaw();
  await answerFor(made, 60);
  expect(await statesOf(made)).toEqual(Array(20).fill('delivered'));
});

test('a settlement that was given up, and takes effect much later, changes nothing that was stored since', async () => {
  const made = freezing();
  await subscribe(made, 'one.example');
  workers.run(made);
  await made.clock.advance(second);
  await publish(made, 1);
  await made.clock.advance(second);
  made.frozen.add('settle');
  made.sender.answerAll(500);
  // Given up after 15 seconds. The second call answers.
  await made.clock.advance(14 * second);
  made.frozen.delete('settle');
  await answerFor(made, 60);
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  made.frozen.add('settle');
  made.thaw('settle');
  await answerFor(made, 60);
  expect(await deliveriesOf(made)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  expect(await outcomesOf(made)).toEqual([500, 200]);
  expect(made.sender.counts.sent).toBe(2);
});

test('a watch that was given up, and begins later, is ended', async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const late = Promise.withResolvers<void>();
  let watches = 0;
  let ended = 0;
  const shards: typeof storage.shards = {
    ...storage.shards,
    watch: async () => {
      if (watches++ === 0) await late.promise;
      return () => {
        ended++;
      };
    },
  };
  const made = platform({ clock, storage: { ...storage, shards } });
  workers.run(made);
  await clock.advance(lease);
  expect([watches, ended]).toEqual([1, 0]);
  late.resolve();
  await clock.advance(second);
  expect([watches, ended]).toEqual([1, 1]);
});

test('a join that was given up, and takes effect later, takes no share from the worker for longer than a lease', async () => {
  const made = freezing();
  await subscribe(made, 'one.example');
  await publish(made, 1);
  made.frozen.add('join');
  workers.run(made);
  await made.clock.advance(8 * second);
  made.thaw();
  await answerFor(made, 2 * (lease / second));
  expect(await statesOf(made)).toEqual(['delivered']);
});

describe('stop() while the storage does not answer', () => {
  test('resolves within a minute', async () => {
    const made = freezing(provenEngine);
    await subscribe(made, 'one.example');
    const worker = workers.run(made, { pruneEvery: second });
    await made.clock.advance(second);
    await publish(made, 5);
    await made.clock.advance(second);
    expect(made.sender.open).toHaveLength(5);
    made.freezeAll();
    await made.clock.advance(second);
    let isStopped = false;
    void worker.stop().then(() => {
      isStopped = true;
    });
    await made.clock.advance(minute);
    expect(isStopped).toBe(true);
  });

  test('counts no outcome as stored: another worker repeats the attempts', async () => {
    const made = freezing();
    await subscribe(made, 'one.example');
    const worker = workers.run(made);
    await made.clock.advance(second);
    await publish(made, 3);
    await made.clock.advance(second);
    made.frozen.add('settle');
    const stopping = stopWorker(worker, made.clock);
    made.sender.answerAll();
    await stopping;
    const other = made.other();
    workers.run(other);
    await made.clock.advance(2 * lease);
    expect(other.sender.posts.map(idOf).toSorted()).toEqual(['acc_a/0', 'acc_a/1', 'acc_a/2']);
    made.thaw();
    await made.clock.advance(2 * lease);
    expect(await deliveriesOf(made)).toMatchObject(Array(3).fill({ state: 'delivered', attempts: 1 }));
    for (const index of [0, 1, 2]) expect(await outcomesOf(made, index)).toEqual(['abandoned', 200]);
  });
});
