import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hour, second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { EventType } from '../../../src/webhooks/catalogue/specification.ts';
import { specifiedCatalogue as catalogue } from '../../../src/webhooks/catalogue/specified-catalogue.ts';
import { skippingClock, start, testClock } from '../../support/clock.ts';
import {
  answered,
  attemptsOf,
  deliveriesOf,
  hostOf,
  idOf,
  publish,
  statesOf,
  subscribe,
} from '../../support/deliveries.ts';
import { platform } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';
import { historyRuns } from '../../support/runs.ts';

test('each event is sent once to each subscribed endpoint, and to no other account', async () => {
  const made = platform();
  await subscribe(made, 'one.example');
  await subscribe(made, 'two.example');
  await subscribe(made, 'stranger.example', 'acc_b');
  await subscribe(made, 'child.example', 'acc_child');
  await publish(made, 3);
  const worker = made.kit.worker();
  expect(await worker.drain()).toBe(6);
  expect(await worker.drain()).toBe(0);
  const sent = made.sender.posts.map((post) => `${hostOf(post)} ${idOf(post)}`);
  const expected = ['one.example', 'two.example'].flatMap((host) => [0, 1, 2].map((index) => `${host} acc_a/${index}`));
  expect(sent.toSorted()).toEqual(expected);
  expect(await statesOf(made)).toEqual(Array(6).fill('delivered'));
});

test('for any endpoints and events, exactly the subscribed events arrive', async () => {
  const endpoint = fc.record({
    account: fc.constantFrom('acc_a', 'acc_b'),
    events: fc.subarray([...catalogue.eventTypes], { minLength: 1 }),
    disabled: fc.boolean(),
  });
  const names = ['RequestPayment', 'RequestSecurityDeposit', 'ModelRequestPayment'] as const;
  const event = fc.record({
    account: fc.constantFrom('acc_a', 'acc_b'),
    name: fc.constantFrom(...names),
    type: fc.constantFrom(...catalogue.eventTypes),
  });
  let arrived = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(endpoint, { minLength: 1, maxLength: 4 }),
      fc.array(event, { minLength: 2, maxLength: 8 }),
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
        const possible = events.filter(({ name, type }) => catalogue.has(name, type));
        for (const [index, { account, name, type }] of possible.entries()) {
          const input = { accountId: account, objectName: name, type, data: { id: `o${index}` } };
          await made.kit.events.publish(input as never, { tx: 'new' });
        }
        await made.kit.worker().drain();
        const sent = made.sender.posts.map((post) => `${hostOf(post)} ${idOf(post)}`);
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
    { kind: 'dispatched', events: 1, startedAt: start, durationMs: 0, traced: [traced] },
    {
      kind: 'attempt',
      ...traced,
      deliveryId: delivery?.id,
      endpointId: endpoint.id,
      attempt: 1,
      startedAt: start,
      durationMs: 0,
      outcome: 200,
      next: 'delivered',
    },
  ]);
  expect(await attemptsOf(made)).toEqual([{ kind: 'answered', status: 200, body: '', durationMs: 0, at: start }]);
});

test('more events than one read of the outbox takes', async () => {
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

describe('seconds that run more than a minute ahead of the clock', () => {
  test('wait, and are signalled', async () => {
    const made = platform();
    const { clock } = made;
    await subscribe(made, 'one.example');
    const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'same' } } as const;
    for (let times = 0; times < 63; times++) await made.kit.events.publish(event, { tx: 'new' });
    const worker = made.kit.worker();
    made.signals.length = 0;
    expect(await worker.drain()).toBe(61);
    const ahead = made.signals.filter((signal) => signal.kind === 'timestamp_ahead');
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
    expect(seconds).toEqual(Array.from({ length: 63 }, (_, index) => index));
  });
});

test('with a clock whose sleep takes no time, every delivery reaches its final state', async () => {
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

test('deliveries of a deleted endpoint expire once no attempt of them can be in flight', async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const ages: number[] = [];
  const log: typeof storage.log = {
    ...storage.log,
    prune: (shards, limits) => {
      ages.push(limits.deleted);
      return storage.log.prune(shards, limits);
    },
  };
  await platform({ clock, storage: { ...storage, log } })
    .kit.worker()
    .drain();
  // A worker reads the deletion within its lease of 20 seconds and a deadline of 15; its last attempt takes 15 more.
  expect(ages).toEqual([50_000]);
});
