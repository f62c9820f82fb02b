import type { Figure } from '../measure.ts';
import type { Child } from './children.ts';
import type { Bare } from './engines/bare.ts';
import type { Engine } from './engines/engine.ts';
import { engines } from './engines/index.ts';
import type { Stage } from './servers.ts';
import { fastest, figure, inTurns, type Side } from './turns.ts';

const count = 3_000;
/** Lasts as long. */
const posts = 4 * count;

/** One worker over a backlog of published events, dispatch included, against bare POSTs and against queues that do the same work. */
export async function* deliver(stage: Stage): AsyncGenerator<Figure> {
  const bare: Child<Bare> = await stage.start(engines.bare, await stage.input());
  const side = async (program: URL): Promise<Side> => {
    const engine: Child<Engine> = await stage.start(program, await stage.input());
    return async () => {
      await engine.ask('fill', count);
      return engine.ask('drain', count);
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
    ours: await side(engines.ours),
    'graphile-worker': await side(engines['graphile-worker']),
    'pg-boss': await side(engines['pg-boss']),
    BullMQ: await side(engines.BullMQ),
  });
  yield figure('deliver, of bare POSTs', 0.6, ours, limit);
  const best = fastest(peers);
  for (const [name, peer] of Object.entries(peers))
    yield figure(`deliver, of ${name}`, name === best ? 1.3 : 0, ours, peer);
  yield figure('cost of a signature, of bare POSTs', 0, signed, limit);
}
