import type { SeenKeys } from '@partnerkit/core/receiver';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createReceiver, dedupKey, memorySeenKeys } from '../src/index.ts';
import { verdict } from './support/ask.ts';
import { minute, testClock } from './support/clock.ts';
import { confidential, delivery, type Sent, secret } from './support/platform.ts';
import { busy, failed, gated, settled, setUp } from './support/receiver.ts';
import { historyRuns, runs } from './support/runs.ts';

/** A store whose every answer comes when the scheduler wants it. */
const scheduled = (seen: SeenKeys, scheduler: fc.Scheduler): SeenKeys => {
  const later = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
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
    expect((await racing).toSorted()).toEqual(['204', ...Array(99).fill(busy)]);
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
      for (const answer of answers) expect(['204', busy]).toContain(answer);
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
  /** An event, how often it is sent before anything is answered, and what fails before it succeeds. */
  const history = fc.record({
    event,
    copies: fc.integer({ min: 1, max: 3 }),
    handlerFails: fc.nat(3),
    claimFails: fc.nat(2),
    releaseFails: fc.nat(2),
  });
  const histories = fc.uniqueArray(history, { selector: (each) => dedupKey(each.event), maxLength: 8 });
  /** Rejects `times` times for each key, then lets through. */
  const failing = (counts: ReadonlyMap<string, number>) => {
    const left = new Map(counts);
    return (key: string): void => {
      const times = left.get(key) ?? 0;
      left.set(key, times - 1);
      if (times > 0) throw new Error(confidential);
    };
  };

  test('any events, in any order, with any duplicates and failures, sent until 204', async () => {
    const order = fc.infiniteStream(fc.nat());
    const property = fc.asyncProperty(histories, order, fc.boolean(), async (all, draws, atOnce) => {
      const clock = testClock();
      const memory = memorySeenKeys({ clock });
      const by = (field: 'handlerFails' | 'claimFails' | 'releaseFails') =>
        failing(new Map(all.map((each) => [dedupKey(each.event), each[field]])));
      const [handlerFails, claimFails, releaseFails] = [by('handlerFails'), by('claimFails'), by('releaseFails')];
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
        tried.push(dedupKey(one));
        await Promise.resolve();
        handlerFails(dedupKey(one));
        done.push(dedupKey(one));
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
        for (const answer of answers) expect(['204', busy, failed]).toContain(answer);
        waiting = sent.filter((_, index) => answers[index] !== '204');
        // What could not be released lapses.
        clock.advance(minute);
      }

      expect(waiting).toEqual([]);
      expect(done.toSorted()).toEqual(all.map((each) => dedupKey(each.event)).toSorted());
      expect(tried).toHaveLength(all.reduce((sum, each) => sum + each.handlerFails + 1, 0));
    });
    await fc.assert(property, historyRuns);
  });
});
