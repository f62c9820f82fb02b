import { processOnce, type SeenKeys } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { propertyRuns } from '../../../../../tools/tests/effort.ts';
import { postgresSeenKeys } from '../../../src/index.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { begin, untilWaiting } from '../../support/host-transactions.ts';

const database = useDatabase(inject('postgres'));
const hour = 3_600_000;

beforeAll(async () => {
  await database.pool().query('create table effects (key text not null)');
});
beforeEach(() => database.reset({ storeAhead: 0 }));

/** How one run of a handler ends; its lease may lapse before it marks its key, or after. */
const allEnds = ['commits', 'fails', 'lapses', 'lapses late', 'dies', 'commits and dies'] as const;
type End = (typeof allEnds)[number];

const stories = fc.array(
  fc.record({
    /** How often the event is sent at once. */
    copies: fc.integer({ min: 1, max: 3 }),
    /** One after the other; then its handler commits. */
    ends: fc.array(fc.constantFrom(...allEnds), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Each step is done when the scheduler wants it, and no other meanwhile. */
const stepper =
  (scheduler: fc.Scheduler) =>
  async <T>(label: string, act: () => Promise<T>): Promise<T> => {
    const [outcome] = await new Promise<readonly [Promise<T>]>((resolve) => {
      const builder = async (): Promise<void> => {
        const done = act();
        await done.catch(() => undefined);
        resolve([done]);
      };
      scheduler.scheduleSequence([{ label, builder }]);
    });
    return outcome;
  };

test('a handler that marks its key in its own transaction takes effect exactly once, through failures, crashes and expired leases', async () => {
  const pool = database.pool();
  const seen = postgresSeenKeys(pool);
  let histories = 0;

  const property = fc.asyncProperty(fc.scheduler(), stories, async (scheduler, told) => {
    const history = histories++;
    const ends = new Map(told.map((story, index) => [`history ${history}, event ${index}`, [...story.ends]]));
    const step = stepper(scheduler);
    const keys: SeenKeys = {
      claim: (...asked) => step('claim', async () => seen.claim(...asked)),
      confirm: (...asked) => step('confirm', async () => seen.confirm(...asked)),
      release: (...asked) => step('release', async () => seen.release(...asked)),
    };
    const lapse = () => step('lapse', () => database.elapse(hour));

    const work = async (key: string, die: () => void): Promise<void> => {
      const end: End = ends.get(key)?.shift() ?? 'commits';
      const client = await pool.connect();
      try {
        // Whom it would wait for takes no step meanwhile: it fails.
        await step('begin', () => client.query("begin; set local lock_timeout = '10ms'"));
        if (end === 'lapses') await lapse();
        if (await step('mark', () => seen.markIn(client, key)))
          await step('take effect', () => client.query('insert into effects values ($1)', [key]));
        if (end === 'lapses late') await lapse();
        if (end === 'fails') throw new Error('The handler failed.');
        if (end !== 'dies') await step('commit', () => client.query('commit'));
      } finally {
        if (end === 'dies') client.release(true);
        else {
          // After a commit it does nothing.
          await step('end', () => client.query('rollback'));
          client.release();
        }
      }
      if (!end.includes('dies')) return;
      die();
      await new Promise(() => undefined);
    };
    /** Whether the sender was told that it arrived. */
    const deliver = async (key: string): Promise<boolean> => {
      const death = Promise.withResolvers<'died'>();
      const handled = processOnce(keys, key, () => work(key, () => death.resolve('died')), { lease: hour });
      const outcome = await Promise.race([handled.catch(() => 'failed'), death.promise]);
      return outcome === 'processed' || outcome === 'duplicate';
    };

    let waiting = [...ends.keys()].flatMap((key, index) => Array<string>(told[index]?.copies ?? 0).fill(key));
    for (let round = 0; waiting.length > 0 && round < 20; round++) {
      const arrived = await scheduler.waitFor(Promise.all(waiting.map(deliver)));
      waiting = waiting.filter((_, index) => !arrived[index]);
      await database.elapse(hour);
    }
    expect(waiting).toEqual([]);
    const { rows } = await pool.query('select key from effects where key like $1 order by key', [
      `history ${history},%`,
    ]);
    expect(rows.map(({ key }) => key)).toEqual([...ends.keys()]);
  });
  await fc.assert(property, propertyRuns(100));
});

test('of two simultaneous marks of one key the second waits: it has no effect if the first commits, and takes effect if it rolls back', async () => {
  const pool = database.pool();
  const seen = postgresSeenKeys(pool);
  for (const [how, may] of [
    ['commit', false],
    ['rollback', true],
  ] as const) {
    const [first, second] = [await begin(pool), await begin(pool)];
    expect(await seen.markIn(first.tx, how)).toBe(true);
    const marked = seen.markIn(second.tx, how);
    await untilWaiting(pool, 1);
    await first[how]();
    expect(await marked).toBe(may);
    await second.commit();
  }
});
