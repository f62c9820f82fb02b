import { setTimeout as after } from 'node:timers/promises';
import type { Child } from '../children.ts';
import { allCpu, atMost, compared, inTurns, type Line, type Side } from '../measure.ts';
import { expectCount, metered, rateOf } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import { engines } from './engines/index.ts';
import type { Kit, KitInput } from './engines/partnerkit.ts';
import type { Stage } from './servers.ts';

/** Milliseconds between questions: each answer costs a worker CPU, and four workers are asked four times. */
const askEvery = 25;
/** Rounds of a worker before it is measured. Its process is twice as slow in the first ones: its code is compiled. */
const warmUp = 3;

/**
 * The CPU of a delivery with several workers, over events of one commit. Nothing is sent, so only storage and workers
 * are compared. Two cores cannot show more throughput; they show whether workers wait for or repeat each other's work.
 * Every worker has delivered as many events before, so that compiling the same code in each process is not measured.
 */
export async function* workers(stage: Stage, sized: Sized): AsyncGenerator<Line> {
  const count = sized(10_000, 200);
  const side = async (size: number): Promise<Side> => {
    const input: KitInput = { ...(await stage.input()), sendsNothing: true };
    const publisher: Child<Kit> = await stage.start(engines.partnerkit, input, 'the publisher');
    const kits: Child<Kit>[] = [];
    while (kits.length < size)
      kits.push(await stage.start(engines.partnerkit, input, `worker ${kits.length + 1} of ${size}`));
    for (const kit of kits) await kit.ask('start');
    const pool = stage.pool(input, 1);
    // Until they have divided the shards.
    const owned = `select coalesce(max(shards), 0)::int as most, count(*)::int as owners
      from (select count(*) as shards from partnerkit.shards where owner is not null group by owner) each`;
    for (;;) {
      const { rows } = await pool.query(owned);
      if (rows[0].owners === size && rows[0].most <= Math.ceil(128 / size)) break;
      await after(100);
    }
    const stored = async (): Promise<number> =>
      (await Promise.all(kits.map((kit) => kit.ask('stored')))).reduce((all, each) => all + each, 0);
    const round: Side = async () => {
      const before = await stored();
      await publisher.ask('fillAtOnce', count);
      const work = async (): Promise<void> => {
        while ((await stored()) - before < count) await after(askEvery);
      };
      const sample = await metered(() => rateOf(count, work), kits, stage.meter);
      expectCount('Stored attempts', (await stored()) - before, count);
      return sample;
    };
    for (let rounds = sized(warmUp, 0) * size; rounds > 0; rounds--) await round();
    return round;
  };
  const sides = { one: await side(1), two: await side(2), four: await side(4) };
  const { one, two, four } = await inTurns(sides, sized(5, 1));
  yield compared('CPU of a delivery with 2 workers', two, '1 worker', one, atMost(1.1), allCpu);
  yield compared('CPU of a delivery with 4 workers', four, '1 worker', one, atMost(1.1), allCpu);
}
