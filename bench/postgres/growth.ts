import { allCpu, compared, inTurns, type Line, serverCpu, wal } from '../measure.ts';
import type { Sized } from '../sizes.ts';
import { month } from './finished.ts';
import type { Stage } from './servers.ts';
import { type StoredInput, storedSide } from './stored.ts';

/** What a delivery costs as an installation grows, against bodies of 600 bytes of 40 accounts in an empty database. */
export async function* growth(stage: Stage, sized: Sized): AsyncGenerator<Line> {
  const count = sized(10_000, 100);
  const side = (name: string, change: Omit<StoredInput, 'name' | 'count'> = {}) =>
    storedSide(stage, { name, count, ...change });
  const sides = {
    'an empty database': await side('an empty database'),
    'after a checkpoint': await side('after a checkpoint', { checkpoints: true }),
    'with bodies of 4 KB': await side('bodies of 4 KB', { load: { bodyBytes: 4_096 } }),
    'of one account': await side('one account', { load: { accounts: 1 } }),
    'of 10,000 accounts, one event each': await side('many accounts', { load: { accounts: sized(10_000, 100) } }),
    'beside 1,000,000 finished ones, after a checkpoint': await side('a million finished', {
      fill: async () => month(sized(1_000_000, 2_000)),
      checkpoints: true,
    }),
  };
  const { 'an empty database': usual, ...grown } = await inTurns(sides, sized(5, 1));
  for (const [name, samples] of Object.entries(grown))
    for (const [what, measure] of [
      ["PostgreSQL's CPU for", serverCpu],
      ['write-ahead log of', wal],
      ['CPU of worker and PostgreSQL for', allCpu],
    ] as const)
      yield compared(`${what} a delivery ${name}`, samples, 'an empty database', usual, undefined, measure);
}
