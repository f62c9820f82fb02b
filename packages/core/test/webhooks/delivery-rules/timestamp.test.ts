import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { MemoryTransaction } from '../../../src/stores/rows/memory/memory-rows.ts';
import { aheadByMs, nextTimestamp } from '../../../src/webhooks/delivery-rules/timestamp.ts';
import { dedupKey } from '../../../src/webhooks/events/dedup-key.ts';
import type { DispatchedEvent } from '../../../src/webhooks/events/event.ts';
import { start, testClock } from '../../support/clock.ts';
import { eventsOf, platform } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';
import { historyRuns, runs } from '../../support/runs.ts';
import { beginTransaction, type HeldTransaction } from '../../support/transaction.ts';

describe('nextTimestamp', () => {
  test.each([
    ['the second in which it happened', 1_500, 9_000, undefined, 1],
    ['never in the future', 12_000, 9_999, undefined, 9],
    ['after the last of its object', 1_500, 9_000, 1, 2],
    ['after the last, even past the clock', 9_000, 9_000, 9, 10],
    ['after the last, which another clock dispatched', 9_000, 9_000, 40, 41],
    ['zero', 0, 9_000, undefined, 0],
    ['after zero', 0, 9_000, 0, 1],
  ])('%s', (_name, occurredAt, now, last, expected) => {
    expect(nextTimestamp(occurredAt, now, last)).toBe(expected);
  });

  test('for any sequence, dispatches of an object strictly increase and never exceed max(now, last + 1)', () => {
    const times = fc.integer({ min: 0, max: 20_000 });
    const event = fc.record({ objectId: fc.constantFrom('x', 'y'), occurredAt: times, now: times });
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 40 }), (events) => {
        const last = new Map<string, number>();
        for (const { objectId, occurredAt, now } of events) {
          const before = last.get(objectId);
          const dispatch = nextTimestamp(occurredAt, now, before);
          expect(Number.isSafeInteger(dispatch)).toBe(true);
          if (before !== undefined) expect(dispatch).toBeGreaterThan(before);
          expect(dispatch).toBeLessThanOrEqual(
            Math.max(Math.floor(now / second), before === undefined ? 0 : before + 1),
          );
          last.set(objectId, dispatch);
        }
      }),
      runs,
    );
  });

  test('a single event gets its own second', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (occurredAt, later) => {
        expect(nextTimestamp(occurredAt, occurredAt + later, undefined)).toBe(Math.floor(occurredAt / second));
      }),
      runs,
    );
  });
});

describe('aheadByMs', () => {
  test.each([
    ['the present', 10, 10_000, 0],
    ['the past', 10, 60_000, 0],
    ['a minute ahead', 70, 10_000, 0],
    ['a millisecond more', 70, 9_999, 1],
    ['two minutes ahead', 130, 10_000, 60_000],
  ])('%s', (_name, timestamp, now, expected) => {
    expect(aheadByMs(timestamp, now)).toBe(expected);
  });
});

describe('end to end, on memoryStorage', () => {
  const accountIds = ['acc_a', 'acc_b'] as const;
  const pairs = [
    ['RequestPayment', 'payed'],
    ['RequestPayment', 'update'],
    ['RequestSecurityDeposit', 'update'],
    ['ModelRequestPayment', 'deletion'],
  ] as const;

  const publishStep = fc.record({
    act: fc.constant('publish' as const),
    account: fc.nat({ max: 1 }),
    object: fc.nat({ max: 2 }),
    pair: fc.nat({ max: 3 }),
    // Absent, long past, or in the future.
    occurredAt: fc.option(fc.integer({ min: -20, max: 20 }), { nil: undefined }),
    /** Which of three transactions holds it, if one is open. */
    inside: fc.nat({ max: 3 }),
  });
  const otherStep = fc.oneof(
    fc.record({ act: fc.constant('dispatch' as const), kit: fc.nat({ max: 1 }) }),
    fc.record({ act: fc.constant('clock' as const), by: fc.integer({ min: -3_000, max: 4_000 }) }),
    fc.record({
      act: fc.constantFrom('begin' as const, 'commit' as const, 'rollback' as const),
      slot: fc.nat({ max: 2 }),
    }),
  );
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: publishStep }, { weight: 2, arbitrary: otherStep }), {
    minLength: 5,
    maxLength: 40,
  });

  const assertTimestampsNeverRepeat = (
    events: readonly { readonly objectId: string; readonly timestamp: number }[],
  ): void => {
    const last = new Map<string, number>();
    for (const { objectId, timestamp } of events) {
      expect(timestamp, 'strictly increases').toBeGreaterThan(last.get(objectId) ?? -1);
      last.set(objectId, timestamp);
    }
    expect(new Set(events.map(({ objectId, timestamp }) => `${objectId} ${timestamp}`)).size).toBe(events.length);
  };

  test('with any publishers and any order of commits, the timestamps of one data.id strictly increase', async () => {
    let most = 0;
    await fc.assert(
      fc.asyncProperty(steps, fc.integer(), async (script, seed) => {
        const clock = testClock(start);
        const storage = memoryStorage({ clock });
        const sender = memorySender();
        const kits = [1, 2].map((each) => platform({ clock, storage, sender, random: seededRandom(seed + each) }).kit);
        const workers = kits.map((kit) => kit.worker());
        for (const accountId of accountIds) {
          (
            await kits[0]?.endpoints.create(accountId, {
              url: 'https://x.example',
              events: ['payed', 'update', 'deletion'],
            })
          )?._unsafeUnwrap();
        }
        const open = new Map<number, HeldTransaction<MemoryTransaction>>();
        const committed = { acc_a: 0, acc_b: 0 };
        const waiting = new Map<number, { acc_a: number; acc_b: number }>();
        /** The steps that published what is committed and not dispatched, and all others in the order of dispatch. */
        let undispatched: number[] = [];
        const dispatchedSteps: number[] = [];
        const inside = new Map<number, number[]>();
        const dispatchAll = async (worker: (typeof workers)[number] | undefined) => {
          await worker?.drain();
          dispatchedSteps.push(...undispatched.sort((a, b) => a - b));
          undispatched = [];
        };

        for (const [index, step] of script.entries()) {
          if (step.act === 'publish') {
            const accountId = accountIds[step.account] as 'acc_a' | 'acc_b';
            const [objectName, type] = pairs[step.pair] ?? pairs[0];
            const event = {
              accountId,
              objectName,
              type,
              data: { id: `${accountId}/${step.object}`, status: String(index) },
              ...(step.occurredAt === undefined ? {} : { occurredAt: clock.now() + step.occurredAt * second }),
            } as const;
            const transaction = open.get(step.inside);
            await kits[index % 2]?.events.publish(event as never, { tx: transaction?.tx ?? 'new' });
            const counts = transaction ? (waiting.get(step.inside) ?? committed) : committed;
            counts[accountId]++;
            ((transaction && inside.get(step.inside)) ?? undispatched).push(index);
          } else if (step.act === 'dispatch') {
            await dispatchAll(workers[step.kit]);
          } else if (step.act === 'clock') {
            clock.set(clock.now() + step.by);
          } else if (step.act === 'begin') {
            if (open.has(step.slot)) continue;
            open.set(step.slot, await beginTransaction(storage));
            waiting.set(step.slot, { acc_a: 0, acc_b: 0 });
            inside.set(step.slot, []);
          } else {
            await open.get(step.slot)?.[step.act]();
            if (step.act === 'commit') {
              for (const id of accountIds) committed[id] += waiting.get(step.slot)?.[id] ?? 0;
              undispatched.push(...(inside.get(step.slot) ?? []));
            }
            open.delete(step.slot);
            waiting.delete(step.slot);
            inside.delete(step.slot);
          }
        }
        for (const transaction of open.values()) await transaction.rollback();
        await dispatchAll(workers[0]);

        const all: DispatchedEvent[] = [];
        for (const accountId of accountIds) {
          const dispatched = (await eventsOf(storage, accountId)).map((event) => {
            expect(event).toHaveProperty('timestamp');
            return event as DispatchedEvent;
          });
          for (const { body, timestamp, bodyTail } of dispatched)
            expect(body).toBe(`{"timestamp":${timestamp}${bodyTail}`);
          expect(dispatched).toHaveLength(committed[accountId]);
          const placeOf = ({ bodyTail }: DispatchedEvent) =>
            dispatchedSteps.indexOf(Number(JSON.parse(`{${bodyTail.slice(1)}`).data.status));
          assertTimestampsNeverRepeat(dispatched.sort((a, b) => placeOf(a) - placeOf(b)));
          all.push(...dispatched);
        }
        const pairsOfIdAndTime = all.map(({ objectId, timestamp }) => `${objectId} ${timestamp}`);
        expect(new Set(pairsOfIdAndTime).size).toBe(all.length);
        const keys = all.map(({ objectName, objectId, type, timestamp }) =>
          dedupKey({ objectName, data: { id: objectId }, type, timestamp }),
        );
        expect(new Set(keys).size).toBe(all.length);
        most = Math.max(most, all.length);
      }),
      historyRuns,
    );
    expect(most).toBeGreaterThan(10);
  });

  test('the accounts of two tenants do not dispatch each other’s objects', async () => {
    const { kit, storage } = platform();
    const event = { objectName: 'RequestPayment', type: 'payed', data: { id: 'shared' } } as const;
    await kit.events.publish({ accountId: 'acc_a', ...event }, { tx: 'new' });
    await kit.events.publish({ accountId: 'acc_b', ...event }, { tx: 'new' });
    await kit.worker().drain();
    const dispatches = [...(await eventsOf(storage, 'acc_a')), ...(await eventsOf(storage, 'acc_b'))];
    expect(dispatches.map((dispatched) => 'timestamp' in dispatched && dispatched.timestamp)).toEqual([
      start / second,
      start / second,
    ]);
  });
});
