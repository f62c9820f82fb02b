import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryInbox } from '../../../src/stores/memory/inbox.ts';
import type { InboxEntry } from '../../../src/stores/receiver/inbox.ts';
import { testClock } from '../../support/clock.ts';
import { historyRuns } from '../../support/runs.ts';

const leaseTime = 100;
const keepTime = 500;

const key = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('keep' as const), key }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('take' as const), limit: fc.nat(3) }) },
  {
    weight: 5,
    // Of any entry that was ever taken, stale ones too.
    arbitrary: fc.record({
      act: fc.constantFrom('complete' as const, 'retry' as const, 'deadLetter' as const),
      entry: fc.nat(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('resume' as const), key }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('pass' as const), time: fc.integer({ min: 1, max: 300 }) }) },
);

interface Known {
  state: 'waiting' | 'dead_lettered' | 'done';
  at: number;
  attempts: number;
  lease?: string | undefined;
}

test('assertNothingKeptIsLost: for any sequence of calls and expiries, an inbox obeys its port', async () => {
  const seen = { taken: 0, refused: 0, believed: 0, stale: 0, resumed: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const clock = testClock();
      const inbox = memoryInbox({ clock });
      const truth = new Map<string, Known>();
      const entries: InboxEntry[] = [];
      for (const each of steps) {
        const now = clock.now();
        if (each.act === 'pass') clock.set(now + each.time);
        else if (each.act === 'keep') {
          const known = truth.get(each.key);
          const free = !known || (known.state === 'done' && known.at <= now);
          expect(await inbox.enqueue(each.key, each.key)).toBe(free);
          if (free) truth.set(each.key, { state: 'waiting', at: now, attempts: 0 });
          else seen.refused++;
        } else if (each.act === 'take') {
          const due = [...truth].filter(([, { state, at }]) => state === 'waiting' && at <= now);
          const taken = await inbox.claim(each.limit, leaseTime);
          expect(taken).toHaveLength(Math.min(each.limit, due.length));
          const times = taken.map((entry) => truth.get(entry.key)?.at ?? 0);
          expect(times).toEqual(
            due
              .map(([, { at }]) => at)
              .toSorted((a, b) => a - b)
              .slice(0, each.limit),
          );
          for (const entry of taken) {
            const known = truth.get(entry.key) as Known;
            expect([entry.body, entry.attempt]).toEqual([entry.key, known.attempts + 1]);
            expect(entries.map(({ lease }) => lease)).not.toContain(entry.lease);
            truth.set(entry.key, { ...known, at: now + leaseTime, attempts: known.attempts + 1, lease: entry.lease });
            entries.push(entry);
            seen.taken++;
          }
        } else if (each.act === 'resume') {
          const known = truth.get(each.key);
          expect(await inbox.requeue([each.key, each.key])).toBe(known?.state === 'dead_lettered' ? 1 : 0);
          if (known?.state !== 'dead_lettered') continue;
          truth.set(each.key, { state: 'waiting', at: now, attempts: 0 });
          seen.resumed++;
        } else {
          const entry = entries[each.entry % Math.max(entries.length, 1)];
          if (!entry) continue;
          const known = truth.get(entry.key) as Known;
          const holds = known.lease === entry.lease;
          const time = each.act === 'complete' ? keepTime : 50;
          expect(
            await (each.act === 'deadLetter'
              ? inbox.deadLetter(entry.key, entry.lease)
              : inbox[each.act](entry.key, entry.lease, time)),
          ).toBe(holds);
          seen[holds ? 'believed' : 'stale']++;
          const state = ({ complete: 'done', retry: 'waiting', deadLetter: 'dead_lettered' } as const)[each.act];
          const at = now + (each.act === 'deadLetter' ? 0 : time);
          if (holds) truth.set(entry.key, { ...known, state, at, lease: undefined });
        }
      }
      const left = [...truth.values()];
      const view = await inbox.stats(100);
      expect([view.waiting, view.deadLettered]).toEqual(
        ['waiting', 'dead_lettered'].map((state) => left.filter((known) => known.state === state).length),
      );
    }),
    historyRuns,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
