import type { SeenKeys } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createReceiver, memorySeenKeys } from '../src/index.ts';
import { verdict } from './support/ask.ts';
import { minute, testClock } from './support/clock.ts';
import { confidential, delivery, type Sent, secret } from './support/platform.ts';
import { failed, gated, inProgress, settled, setUp } from './support/receiver.ts';
import { historyRuns, runs } from './support/runs.ts';

/** A store whose every answer comes when the scheduler wants it. */
const scheduled = (seen: SeenKeys, scheduler: fc.Scheduler): SeenKeys => {
  const later = async <T>(name: string, call: () => T | Promise<T>): Promise<T> => {
    await scheduler.schedule(Promise.resolve(), `${name} asked`);
    const answer = await call();
    await scheduler.schedule(Promise.resolve(), `${name} answered`);
    return answer;
  };
  return {
    claim: (...asked) => later('claim', () => seen.claim(...asked)),
    confirm: (...asked) => later('confirm', () => seen.confirm(...asked)),
    release: (...asked) => later('release', () => seen.release(...asked)),
  };
};

describe('assertOneOfManyRacersRuns', () => {
  test('at once: one runs, all others get 409, and 204 afterwards', async () => {
    const { gates, handler } = gated();
    const { receiver } = setUp({ otherwise: handler });
    const racing = Promise.all(Array.from({ length: 100 }, () => verdict(receiver, delivery())));
    await settled();
    expect(gates).toHaveLength(1);
    gates[0]?.open();
    expect((await racing).toSorted()).toEqual(['204', ...Array(99).fill(inProgress)]);
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(gates).toHaveLength(1);
  });

  test('in any order of store and handlers', async () => {
    const racers = fc.integer({ min: 1, max: 6 });
    const property = fc.asyncProperty(fc.scheduler(), racers, async (scheduler, count) => {
      const otherwise = vi.fn(async () => {
        await scheduler.schedule(Promise.resolve(), 'handled');
      });
      const { receiver } = setUp({ seen: scheduled(memorySeenKeys({ clock: testClock() }), scheduler), otherwise });
      const racing = Promise.all(Array.from({ length: count }, () => verdict(receiver, delivery())));
      await scheduler.waitFor(racing);
      expect(otherwise).toHaveBeenCalledTimes(1);
      const answers = await racing;
      expect(answers).toContain('204');
      for (const answer of answers) expect(['204', inProgress]).toContain(answer);
    });
    await fc.assert(property, runs);
  });
});

describe('assertEachEventIsProcessedOnce', () => {
  const text = fc.constantFrom('a', 'b', 'constructor', '');
  const event = fc.record({
    timestamp: fc.nat(2),
    data: fc.record({ id: text }),
    objectName: fc.constantFrom('RequestPayment', 'RequestSecurityDeposit', 'Invoice'),
    type: fc.constantFrom('creation', 'update', 'cancel', 'archived'),
  });
  /**
   * Which event it is (specification §6.5), in words of this test: the key under test must not select its own cases.
   */
  const identity = ({ objectName, data, type, timestamp }: Sent): string =>
    `${timestamp} ${type} of ${objectName} ${data.id}`;
  /** An event, how often it is sent before anything is answered, and how often its handler fails before it succeeds. */
  const history = fc.record({ event, copies: fc.integer({ min: 1, max: 3 }), handlerFails: fc.nat(3) });
  const histories = fc.uniqueArray(history, { selector: (each) => identity(each.event), maxLength: 8 });
  /** For each key of a store, in the order in which they come, how often a call is rejected before it passes. */
  const storeFailures = fc.array(fc.nat(2), { minLength: 8, maxLength: 8 });
  /** Rejects as often as `times` says of a key, then lets it through. */
  const failing = (times: (key: string) => number) => {
    const left = new Map<string, number>();
    return (key: string): void => {
      const rest = left.get(key) ?? times(key);
      left.set(key, rest - 1);
      if (rest > 0) throw new Error(confidential);
    };
  };

  test('any events, in any order, with any duplicates and failures, sent until 204', async () => {
    const order = fc.infiniteStream(fc.nat());
    const failures = fc.record({ claim: storeFailures, release: storeFailures });
    const property = fc.asyncProperty(histories, failures, order, fc.boolean(), async (all, fails, draws, atOnce) => {
      const clock = testClock();
      const memory = memorySeenKeys({ clock });
      const [claimOrder, releaseOrder] = [fails.claim.values(), fails.release.values()];
      const claimFails = failing(() => claimOrder.next().value ?? 0);
      const releaseFails = failing(() => releaseOrder.next().value ?? 0);
      const handlerFails = failing((name) => all.find((each) => identity(each.event) === name)?.handlerFails ?? 0);
      const seen: SeenKeys = {
        ...memory,
        claim: async (key, lease) => {
          claimFails(key);
          return memory.claim(key, lease);
        },
        release: async (key, lease) => {
          releaseFails(key);
          return memory.release(key, lease);
        },
      };
      const tried: string[] = [];
      const done: string[] = [];
      const handle = async (one: Sent): Promise<void> => {
        tried.push(identity(one));
        await Promise.resolve();
        handlerFails(identity(one));
        done.push(identity(one));
      };
      const receiver = createReceiver({
        secrets: [secret],
        seen,
        on: { RequestPayment: { creation: handle, cancel: handle } },
        otherwise: (one) => handle(one as Sent),
        clock,
      });

      const shuffled = <T>(list: readonly T[]): T[] =>
        list
          .map((each) => ({ each, place: draws.next().value }))
          .sort((a, b) => a.place - b.place)
          .map(({ each }) => each);
      let waiting = all.flatMap((each) => Array<Sent>(each.copies).fill(each.event));
      for (let round = 0; waiting.length > 0 && round < 10; round++) {
        const sent = shuffled(waiting);
        const answers: string[] = [];
        if (atOnce) answers.push(...(await Promise.all(sent.map((each) => verdict(receiver, delivery(each))))));
        else for (const each of sent) answers.push(await verdict(receiver, delivery(each)));
        for (const answer of answers) expect(['204', inProgress, failed]).toContain(answer);
        waiting = sent.filter((_, index) => answers[index] !== '204');
        // What could not be released lapses.
        clock.advance(minute);
      }

      expect(waiting).toEqual([]);
      expect(done.toSorted()).toEqual(all.map((each) => identity(each.event)).toSorted());
      expect(tried).toHaveLength(all.reduce((sum, each) => sum + each.handlerFails + 1, 0));
    });
    await fc.assert(property, historyRuns);
  });
});
