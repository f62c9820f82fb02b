import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/access/clients/client.ts';
import { createClientCache } from '../../../src/access/clients/client-cache.ts';
import type { ClientChangeFeed } from '../../../src/access/clients/client-change-feed.ts';
import type { ClientStore } from '../../../src/access/clients/client-store.ts';
import { minute } from '../../../src/base/runtime/time.ts';
import { memoryClientChangeFeed } from '../../../src/stores/memory/client-change-feed.ts';
import { settled, start, type TestClock, testClock } from '../../support/clock.ts';
import { historyRuns } from '../../support/runs.ts';

const staleness = 1_000;
const never = new AbortController().signal;

type Link = 'up' | 'cut' | 'stalled';

/** The way of one process to the change feed: each takes its time there and back, fails, or holds everything. */
const network = (clock: TestClock, latency: () => number) => {
  let link: Link = 'up';
  let held = Promise.withResolvers<void>();
  const travel = async (): Promise<void> => {
    await clock.sleep(latency(), never);
    if (link === 'stalled') await held.promise;
    if (link === 'cut') throw new Error('cut');
  };
  return {
    set: (to: Link): void => {
      link = to;
      if (to === 'stalled') held = Promise.withResolvers();
      else held.resolve();
    },
    over: (changeFeed: ClientChangeFeed): ClientChangeFeed => {
      const carry = async <T>(call: () => Promise<T>): Promise<T> => {
        await travel();
        const answer = await call();
        await travel();
        return answer;
      };
      return {
        announce: (subject) => carry(() => changeFeed.announce(subject)),
        changesSince: (mark) => carry(() => changeFeed.changesSince(mark)),
      };
    },
  };
};

interface Change {
  /** When the store had it. */
  madeAt?: number;
  /** When the change feed had it, or something else of the same client that was told after it was begun. */
  toldAt?: number;
}

/** Two processes over one store and the same change feed, and what must be true of them. */
const world = (latencies: readonly number[]) => {
  const clock = testClock();
  let drawn = 0;
  const latency = (): number => latencies[drawn++ % latencies.length] ?? 0;
  const begun: Change[] = [];
  /** The number of a version is how many changes were made before it. */
  const made: Change[] = [];
  const counts = { calls: 0, reads: 0 };
  const store = {
    findClient: async () => {
      counts.reads++;
      await clock.sleep(latency(), never);
      const version = made.length;
      await clock.sleep(latency(), never);
      return { version } as Client;
    },
  } as unknown as ClientStore;

  let life = 0;
  let kept = memoryClientChangeFeed({ maxAnnounced: 3 });
  const changeFeed: ClientChangeFeed = {
    announce: async (subject) => {
      for (const change of begun) change.toldAt ??= clock.now();
      await kept.announce(subject);
    },
    changesSince: async (mark) => {
      const [of, own] = mark?.split(' ') ?? [];
      const answer = await kept.changesSince(of === String(life) ? own : undefined);
      return { ...answer, cursor: `${life} ${answer.cursor}` };
    },
  };
  const members = [1, 2].map(() => {
    const link = network(clock, latency);
    const process = createClientCache({
      store,
      clock,
      staleness,
      maxStaleness: minute,
      changeFeed: link.over(changeFeed),
      onError: () => undefined,
    });
    return { link, process };
  });

  const write = async (change: Change, dies: boolean): Promise<void> => {
    await clock.sleep(latency(), never);
    change.madeAt = clock.now();
    made.push(change);
    if (dies) await new Promise(() => {});
    await clock.sleep(latency(), never);
  };

  /** Whoever is served now knows at least this version. */
  const owed = (now: number): number =>
    1 +
    made.findLastIndex(
      ({ madeAt = Infinity, toldAt = Infinity }) =>
        madeAt + minute <= now || Math.max(madeAt, toldAt) + staleness <= now,
    );
  const broken: string[] = [];

  return {
    clock,
    counts,
    broken,
    links: members.map(({ link }) => link),
    lose: (): void => {
      life++;
      kept = memoryClientChangeFeed({ maxAnnounced: 3 });
    },
    change: (by: number, dies: boolean): void => {
      const change: Change = {};
      begun.push(change);
      void members[by]?.process.runChange('c', () => write(change, dies));
    },
    /** A caller comes to each process. */
    call: (): void => {
      for (const { process } of members) {
        const now = clock.now();
        const least = owed(now);
        counts.calls++;
        void Promise.resolve(process.client('c')).then((client) => {
          const version = client?.version ?? -1;
          if (version < least) broken.push(`at ${now - start} version ${version}, not ${least}`);
        });
      }
    },
  };
};

const member = fc.constantFrom(0, 1);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('wait' as const), time: fc.integer({ min: 1, max: 600 }) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('wait' as const), time: fc.integer({ min: 1, max: 40_000 }) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('change' as const), by: member, dies: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('link' as const),
      of: member,
      to: fc.constantFrom<Link>('up', 'up', 'cut', 'stalled'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('lose' as const) }) },
);
/** Mostly fast, sometimes slower than anybody waits. */
const latencies = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 20 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_500 }) },
  ),
  { minLength: 7, maxLength: 40 },
);

describe('assertNoStaleClientServed', () => {
  test('a change is seen within the staleness of its announcement, and within a minute in any case', async () => {
    const counts = { calls: 0, reads: 0 };
    await fc.assert(
      fc.asyncProperty(latencies, fc.array(step, { minLength: 5, maxLength: 25 }), async (slowness, steps) => {
        const { clock, broken, ...acts } = world(slowness);
        const serve = async (time: number): Promise<void> => {
          // Callers come often, or hardly at all.
          const every = time > 1_000 ? time / 20 : 150;
          for (let left = time; left > 0; left -= every) {
            acts.call();
            await clock.advance(Math.min(left, every));
          }
          acts.call();
          await settled();
        };
        await serve(1_000);
        clock.set(clock.now() + minute);
        await serve(1_000);
        for (const each of steps) {
          if (each.act === 'wait') await serve(each.time);
          else if (each.act === 'change') acts.change(each.by, each.dies);
          else if (each.act === 'link') acts.links[each.of]?.set(each.to);
          else acts.lose();
        }
        await serve(3_000);
        counts.calls += acts.counts.calls;
        counts.reads += acts.counts.reads;
        expect(broken).toEqual([]);
      }),
      historyRuns,
    );
    // Otherwise nothing of all this was put to the test.
    expect(counts.reads / counts.calls).toBeLessThan(0.5);
  });
});
