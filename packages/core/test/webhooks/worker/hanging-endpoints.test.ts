import { afterEach, describe, expect, test } from 'vitest';
import { sized } from '../../../../../tools/tests/effort.ts';
import { type DurationMs, minute, second } from '../../../src/base/runtime/time.ts';
import { memoryAccounts } from '../../../src/stores/memory/accounts.ts';
import type { Sender } from '../../../src/webhooks/deliveries/sender.ts';
import { engine } from '../../../src/webhooks/worker/engine.ts';
import { settled, type TestClock, testClock } from '../../support/clock.ts';
import { hostOf, idOf, publish, runningWorkers, subscribe } from '../../support/deliveries.ts';
import { platform } from '../../support/kit.ts';

const workers = runningWorkers();
afterEach(workers.stop);

const deadline = 15 * second;
const pollEvery = 250;

/** Hosts that begin with `hang` never answer; the others answer at once. */
const partlyHanging = (clock: TestClock) => {
  const receivedAt = new Map<string, number>();
  const timedOut = new Set<string>();
  const open = new Map<string, number>();
  const sender: Sender = {
    send: async (post) => {
      const host = hostOf(post);
      if (!host.startsWith('hang')) {
        receivedAt.set(idOf(post), clock.now());
        return { kind: 'answered', status: 200, body: '', durationMs: 0 };
      }
      open.set(host, (open.get(host) ?? 0) + 1);
      await clock.sleep(post.deadline, new AbortController().signal);
      open.set(host, (open.get(host) ?? 0) - 1);
      timedOut.add(host);
      return { kind: 'failed', reason: 'timeout', durationMs: post.deadline };
    },
  };
  return { sender, receivedAt, timedOut, open };
};

const world = async (accounts: number, endpointsEach: number) => {
  const clock = testClock();
  const receivers = partlyHanging(clock);
  const hanging = Array.from({ length: accounts }, (_, index) => `acc_hanging_${index}`);
  const made = platform({
    clock,
    engine,
    sender: receivers.sender,
    accounts: memoryAccounts(
      ['acc_healthy', ...hanging].map((id) => ({ id, name: id, status: 'active', environment: 'prod' })),
    ),
  });
  await subscribe(made, 'healthy.example', 'acc_healthy');
  for (const accountId of hanging)
    for (let index = 0; index < endpointsEach; index++)
      await subscribe(made, `hang-${index}.${accountId.replaceAll('_', '-')}.example`, accountId);
  let published = 0;
  /** Publishes one event of the healthy account; returns its latency, after at most `within` milliseconds. */
  const latency = async (within: DurationMs): Promise<DurationMs | undefined> => {
    const number = published++;
    const at = clock.now();
    await publish(made, 1, 'acc_healthy', number);
    await settled();
    const received = (): number | undefined => receivers.receivedAt.get(`acc_healthy/${number}`);
    for (let passed = 0; passed < within && received() === undefined; passed += pollEvery)
      await clock.advance(Math.min(pollEvery, within - passed));
    const when = received();
    return when === undefined ? undefined : when - at;
  };
  const publishToAll = async (count: number, from: number): Promise<void> => {
    for (const accountId of hanging) await publish(made, count, accountId, from);
  };
  return { ...made, ...receivers, hosts: accounts * endpointsEach, latency, publishToAll };
};

describe('a healthy account beside hanging endpoints', () => {
  test.each([[20, 1], [4, 4], [6, 20], ...sized([], [[20, 20]])])(
    'of %i accounts with %i each that begin together waits for none of them',
    async (accounts, each) => {
      const { clock, timedOut, open, hosts, latency, publishToAll, ...made } = await world(accounts, each);
      await publishToAll(30, 0);
      workers.run({ ...made, clock });
      await clock.advance(second);
      expect(await latency(pollEvery)).toBeLessThanOrEqual(pollEvery);
      expect(Math.max(...open.values()), 'attempts in flight to one that was not tried').toBe(1);
      for (let rounds = 0; timedOut.size < hosts; rounds++) {
        if (rounds > Math.ceil(hosts / 32)) throw new Error(`Only ${timedOut.size} of ${hosts} endpoints were tried.`);
        await clock.advance(deadline);
      }
      const triedAt = clock.now();
      for (let sample = 0; sample < 10; sample++) {
        await publishToAll(5, 100 + 5 * sample);
        await clock.advance(3_700);
        // In a quiet worker it takes no virtual time.
        expect(await latency(pollEvery)).toBeLessThanOrEqual(pollEvery);
        // Until then, attempts that started before the first time-out of their endpoint are in flight.
        if (clock.now() < triedAt + deadline) continue;
        const held = [...open.values()];
        expect(Math.max(...held), 'attempts in flight to one of them').toBeLessThanOrEqual(1);
        expect(
          held.reduce((sum, count) => sum + count, 0),
          'attempts in flight to them, of 64',
        ).toBeLessThanOrEqual(32);
      }
    },
  );

  /** The waits of an event a second, while accounts begin one after the other: the first ones take all they may. */
  const waitsBeside = async (accounts: number, each: number, seconds: number): Promise<readonly DurationMs[]> => {
    const { clock, latency, publishToAll, ...made } = await world(accounts, each);
    workers.run({ ...made, clock });
    await clock.advance(second);
    await publishToAll(30, 0);
    await clock.advance(second / 2);
    const waits: DurationMs[] = [];
    for (const ends = clock.now() + seconds * second; clock.now() < ends; ) {
      waits.push((await latency(minute)) ?? Number.POSITIVE_INFINITY);
      await clock.advance(second);
    }
    return waits;
  };

  test('of fewer accounts than a quarter of concurrency waits for none of them, in whatever order they begin', async () => {
    expect(Math.max(...(await waitsBeside(15, 20, 20)))).toBeLessThanOrEqual(pollEvery);
  });

  test('of as many accounts as concurrency waits until their first attempts have timed out, and then no more', async () => {
    const [first = 0, ...later] = await waitsBeside(64, 1, 35);
    expect(first).toBeGreaterThan(pollEvery);
    expect(first).toBeLessThanOrEqual(deadline + pollEvery);
    expect(Math.max(...later)).toBeLessThanOrEqual(pollEvery);
  });
});
