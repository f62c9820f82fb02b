import { setTimeout as after } from 'node:timers/promises';
import type { Figure } from '../measure.ts';
import type { Child } from './children.ts';
import type { Engine } from './engines/engine.ts';
import { engines } from './engines/index.ts';
import type { Stage } from './servers.ts';
import { atMost, figure, inTurns, type Side } from './turns.ts';

/** Samples per round. */
const samples = 15;
/** Milliseconds after a delivery, until every engine is idle again. */
const rest = 20;

/**
 * The time from publishing in one process to the arrival of the POST of a worker in another. The median of a round
 * counts, as a rate.
 */
export async function* latency(stage: Stage): AsyncGenerator<Figure> {
  const side = async (program: URL): Promise<Side> => {
    const input = await stage.input();
    const worker: Child<Engine> = await stage.start(program, input);
    const publisher: Child<Engine> = await stage.start(program, input);
    await worker.ask('start');
    const once = async (): Promise<number> => {
      await after(rest);
      await stage.receiver.ask('arm');
      const began = await publisher.ask('publish');
      return (await stage.receiver.ask('arrival')) - began;
    };
    return async () => {
      const times: number[] = [];
      while (times.length < samples) times.push(await once());
      return 1_000 / (times.sort((a, b) => a - b)[samples >> 1] as number);
    };
  };
  const { ours, ...peers } = await inTurns({
    ours: await side(engines.ours),
    'graphile-worker': await side(engines['graphile-worker']),
    'pg-boss': await side(engines['pg-boss']),
    BullMQ: await side(engines.BullMQ),
  });
  yield figure('publish to receive, of graphile-worker', 1, ours, peers['graphile-worker']);
  yield figure('publish to receive, of pg-boss', 1, ours, peers['pg-boss']);
  yield figure('publish to receive, of BullMQ', atMost(1.5), ours, peers.BullMQ);
}
