import type { Child } from '../children.ts';
import { allCpu, atLeast, atMost, compared, inTurns, type Line, type Side, serverCpu, wal } from '../measure.ts';
import { expectCount, metered } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import type { Bare } from './engines/bare.ts';
import type { Engine } from './engines/engine.ts';
import { engines } from './engines/index.ts';
import type { Stage } from './servers.ts';

/**
 * One worker over a backlog of published events, including the dispatch, against bare POSTs and other queues with the
 * same work.
 */
export async function* deliver(stage: Stage, sized: Sized): AsyncGenerator<Line> {
  const count = sized(10_000, 100);
  /** Bare POSTs need more for a round of the same duration. */
  const posts = sized(4 * count, count);
  const bare: Child<Bare> = await stage.start(engines.bare, await stage.input(), 'bare POSTs');
  /** Counts what arrives at the receiver while a side works. */
  const arriving = async <T>(expected: number, work: () => Promise<T>): Promise<T> => {
    const before = await stage.receiver.ask('received');
    const result = await work();
    expectCount('POSTs that arrived', (await stage.receiver.ask('received')) - before, expected);
    return result;
  };
  const posting =
    (call: 'post' | 'postSigned'): Side =>
    () =>
      arriving(posts, () => metered(async () => ({ units: posts, rate: await bare.ask(call, posts) }), [bare]));
  const side = async (name: keyof typeof engines, attempts = 'attempts'): Promise<Side> => {
    const input = await stage.input();
    const engine: Child<Engine> = await stage.start(engines[name], input, name);
    const pool = stage.pool(input, 1);
    const logged = async (): Promise<number> =>
      Number((await pool.query(`select count(*) from ${attempts}`)).rows[0].count);
    return async () => {
      await engine.ask('fill', count);
      const before = await logged();
      const drain = async () => ({ units: count, rate: await engine.ask('drain', count) });
      const sample = await arriving(count, () => metered(drain, [engine], stage.meter));
      expectCount('Logged attempts', (await logged()) - before, count);
      return sample;
    };
  };
  const samples = await inTurns(
    {
      'bare POSTs': posting('post'),
      'bare POSTs, each signed': posting('postSigned'),
      partnerkit: await side('partnerkit', 'partnerkit.attempts'),
      'graphile-worker': await side('graphile-worker'),
      'pg-boss': await side('pg-boss'),
      BullMQ: await side('BullMQ'),
    },
    sized(5, 1),
  );
  const { partnerkit, 'pg-boss': boss, 'graphile-worker': graphile, BullMQ: bull, 'bare POSTs': limit } = samples;
  yield compared('deliver', partnerkit, 'bare POSTs', limit, atLeast(0.45));
  yield compared('deliver', partnerkit, 'graphile-worker', graphile, atLeast(1.3));
  yield compared('deliver', partnerkit, 'pg-boss', boss, atLeast(1.3));
  yield compared('deliver', partnerkit, 'BullMQ', bull);
  for (const [name, peer, cpuGoal, walGoal] of [
    ['pg-boss', boss, atMost(0.6), atMost(0.55)],
    ['graphile-worker', graphile, undefined, undefined],
  ] as const) {
    yield compared("PostgreSQL's CPU for a delivery", partnerkit, name, peer, cpuGoal, serverCpu);
    yield compared('write-ahead log of a delivery', partnerkit, name, peer, walGoal, wal);
    yield compared('CPU of worker and PostgreSQL for a delivery', partnerkit, name, peer, undefined, allCpu);
  }
  yield compared('POSTs, each signed', samples['bare POSTs, each signed'], 'bare POSTs', limit);
}
