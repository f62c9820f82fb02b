import type { Figure } from '../measure.ts';
import type { Child } from './children.ts';
import type { Bare } from './engines/bare.ts';
import type { Engine } from './engines/engine.ts';
import { engines } from './engines/index.ts';
import type { Stage } from './servers.ts';
import { figure, inTurns, type Side } from './turns.ts';

const count = 10_000;
/** Bare POSTs need more for a round of the same duration. */
const posts = 4 * count;

const megabytes = (perByte: readonly number[]): readonly number[] => perByte.map((rate) => rate * 1_000_000);

/**
 * One worker over a backlog of published events, including the dispatch, against bare POSTs and other queues with the
 * same work.
 */
export async function* deliver(stage: Stage): AsyncGenerator<Figure> {
  const bare: Child<Bare> = await stage.start(engines.bare, await stage.input());
  /**
   * What each side spends on PostgreSQL: deliveries per second of its CPU time and per byte of its log, for each round.
   */
  const costs: Record<string, { readonly cpu: number[]; readonly log: number[] }> = {};
  const side = async (name: keyof typeof engines): Promise<Side> => {
    const engine: Child<Engine> = await stage.start(engines[name], await stage.input());
    const cost = { cpu: [] as number[], log: [] as number[] };
    costs[name] = cost;
    return async () => {
      await engine.ask('fill', count);
      const before = await stage.spent();
      const rate = await engine.ask('drain', count);
      const after = await stage.spent();
      cost.cpu.push(count / (after.cpuSeconds - before.cpuSeconds));
      cost.log.push(count / (after.logBytes - before.logBytes));
      return rate;
    };
  };
  const {
    bare: limit,
    signed,
    ours,
    ...peers
  } = await inTurns({
    bare: () => bare.ask('post', posts),
    signed: () => bare.ask('postSigned', posts),
    ours: await side('ours'),
    'graphile-worker': await side('graphile-worker'),
    'pg-boss': await side('pg-boss'),
    BullMQ: await side('BullMQ'),
  });
  yield figure('deliver, of bare POSTs', 0.6, ours, limit);
  for (const [name, peer] of Object.entries(peers))
    yield figure(`deliver, of ${name}`, name === 'BullMQ' ? 0 : 1.1, ours, peer);
  // The first round is a warm-up.
  const cost = (name: string, kind: 'cpu' | 'log') => costs[name]?.[kind].slice(1) ?? [];
  for (const name of ['pg-boss', 'graphile-worker']) {
    const goal = name === 'pg-boss' ? 1 : 0;
    yield figure(`deliveries a CPU second of PostgreSQL, of ${name}`, goal, cost('ours', 'cpu'), cost(name, 'cpu'));
    yield figure(
      `deliveries a megabyte of WAL, of ${name}`,
      goal,
      megabytes(cost('ours', 'log')),
      megabytes(cost(name, 'log')),
    );
  }
  yield figure('cost of a signature, of bare POSTs', 0, signed, limit);
}
