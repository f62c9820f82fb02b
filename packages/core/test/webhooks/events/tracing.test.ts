import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { Sender } from '../../../src/webhooks/deliveries/sender.ts';
import { start, testClock } from '../../support/clock.ts';
import { eventsOf, platform } from '../../support/kit.ts';

const event = (id = 'p', status = 'done') =>
  ({ accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id, status } }) as const;
const published = (change: object = {}) => ({
  kind: 'published',
  accountId: 'acc_a',
  objectName: 'RequestPayment',
  type: 'payed',
  outcome: 'stored',
  startedAt: start,
  durationMs: 0,
  ...change,
});

describe('the trace context', () => {
  test('is called once for each event, within the call, and is stored with it', async () => {
    let asked = 0;
    const { kit, storage, signals } = platform({ traceContext: () => `trace ${++asked}` });
    const publishing = kit.events.publishMany([event('a'), event('b')], { tx: 'new' });
    expect(asked).toBe(2);
    const [a, b] = await publishing;
    expect((await eventsOf(storage, 'acc_a')).map(({ traceContext }) => traceContext)).toEqual(['trace 1', 'trace 2']);
    expect(signals).toEqual([
      published({ eventId: a?.eventId, traceContext: 'trace 1' }),
      published({ eventId: b?.eventId, traceContext: 'trace 2' }),
    ]);
  });

  test('is not called when an event is refused, so that every span has an ending signal', async () => {
    let asked = 0;
    const { kit, signals } = platform({ traceContext: () => `trace ${++asked}` });
    const refused = await kit.events.tryPublish(event(''), { tx: 'new' });
    expect(refused._unsafeUnwrapErr().code).toBe('invalid_event');
    expect([asked, signals]).toEqual([0, []]);
  });

  test.each<[name: string, traceContext: () => string | undefined]>([
    ['there is none', () => undefined],
    ['it throws', () => expect.unreachable('its own affair')],
    ['it is empty', () => ''],
    ['it is too long', () => 'x'.repeat(513)],
    ['it has control characters', () => 'a\nb'],
    ['it is no ASCII', () => 'é'],
    ['it is no text', () => ({}) as string],
    ['it comes later', () => Promise.resolve('late') as unknown as string],
  ])('%s: the event is published without', async (_name, traceContext) => {
    const { kit, storage, signals } = platform({ traceContext });
    const { eventId } = await kit.events.publish(event(), { tx: 'new' });
    expect((await eventsOf(storage, 'acc_a')).map((stored) => 'traceContext' in stored)).toEqual([false]);
    expect(signals).toEqual([published({ eventId })]);
  });

  test('of 512 characters is stored, and is neither sent nor signed', async () => {
    const long = ' ~'.repeat(256);
    const bodies = [];
    for (const traceContext of [() => long, () => undefined]) {
      const { kit, storage, sender } = platform({ traceContext });
      (await kit.endpoints.create('acc_a', { url: 'https://x.example', events: ['payed'] }))._unsafeUnwrap();
      await kit.events.publish(event(), { tx: 'new' });
      await kit.worker().drain();
      expect((await eventsOf(storage, 'acc_a'))[0]?.traceContext).toBe(traceContext());
      bodies.push(sender.posts);
    }
    expect(bodies[0]).toEqual(bodies[1]);
    expect(JSON.stringify(bodies)).not.toContain(long);
  });
});

describe('the signal published', () => {
  test('names the event with the key for a replay; for a conflict, reports that no event was stored', async () => {
    const { kit, signals } = platform({ traceContext: () => 'trace' });
    const keyed = { tx: 'new', idempotencyKey: 'key' } as const;
    const { eventId } = await kit.events.publish(event(), keyed);
    await kit.events.publish(event(), keyed);
    const other = { ...event('p', 'other'), idempotencyKey: 'key' };
    await expect(kit.events.publishMany([event('q'), other], { tx: 'new' })).rejects.toThrow();
    expect(signals).toEqual([
      published({ eventId, traceContext: 'trace' }),
      published({ eventId, traceContext: 'trace', outcome: 'replayed' }),
      published({ eventId: expect.any(String), traceContext: 'trace', outcome: 'idempotency_conflict' }),
      published({ eventId: expect.any(String), traceContext: 'trace', outcome: 'idempotency_conflict' }),
    ]);
  });

  test('reports a failing storage, with the duration', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const failing = {
      ...storage,
      events: {
        ...storage.events,
        appendAlone: async () => {
          clock.set(start + 40);
          throw new Error('the server is gone');
        },
      },
    };
    const { kit, signals } = platform({ clock, storage: failing });
    await expect(kit.events.publish(event(), { tx: 'new' })).rejects.toThrow('unavailable');
    expect(signals).toEqual([published({ eventId: expect.any(String), outcome: 'unavailable', durationMs: 40 })]);
  });

  test('an observer that throws changes nothing', async () => {
    const { kit, storage } = platform({ observe: () => expect.unreachable('its own affair') });
    await kit.events.publish(event(), { tx: 'new' });
    expect(await eventsOf(storage, 'acc_a')).toHaveLength(1);
  });
});

test('the signal attempt has its start and its trace context, in another process too', async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const slow: Sender = {
    send: async () => {
      clock.set(clock.now() + 70);
      return { kind: 'answered', status: clock.now() > start + 3_000 ? 200 : 500, body: '', durationMs: 60 };
    },
  };
  const first = platform({ clock, storage, sender: slow, traceContext: () => 'trace' });
  (await first.kit.endpoints.create('acc_a', { url: 'https://x.example', events: ['payed'] }))._unsafeUnwrap();
  const { eventId } = await first.kit.events.publish(event(), { tx: 'new' });
  await first.kit.worker().drain();
  const second = platform({ clock, storage, sender: slow });
  clock.set(start + 10_000);
  await second.kit.worker().drain();
  const attempt = { kind: 'attempt', eventId, durationMs: 60, traceContext: 'trace' };
  expect(first.signals.at(-1)).toMatchObject({ ...attempt, attempt: 1, startedAt: start, next: 'retry' });
  expect(second.signals.at(-1)).toMatchObject({
    ...attempt,
    attempt: 2,
    startedAt: start + 10_000,
    next: 'delivered',
  });
});
