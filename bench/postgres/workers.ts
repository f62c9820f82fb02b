import { setTimeout as after } from 'node:timers/promises';
import type { Figure } from '../measure.ts';
import type { Child } from './children.ts';
import { engines } from './engines/index.ts';
import type { Kit, KitInput } from './engines/partnerkit.ts';
import type { Stage } from './servers.ts';
import { figure, inTurns, type Side } from './turns.ts';

const count = 10_000;

/** Two workers against one, over events of one commit. Nothing is sent, so only storage and workers are compared. */
export async function* workers(stage: Stage): AsyncGenerator<Figure> {
  const side = async (size: number): Promise<Side> => {
    const input: KitInput = { ...(await stage.input()), sendsNothing: true };
    const publisher: Child<Kit> = await stage.start(engines.ours, input);
    const kits: Child<Kit>[] = [];
    while (kits.length < size) kits.push(await stage.start(engines.ours, input));
    for (const kit of kits) await kit.ask('start');
    const stored = async (): Promise<number> =>
      (await Promise.all(kits.map((kit) => kit.ask('stored')))).reduce((all, each) => all + each, 0);
    // Until they have divided the shards.
    await after(2_000);
    return async () => {
      const before = await stored();
      await publisher.ask('fillAtOnce', count);
      const began = performance.now();
      while ((await stored()) - before < count) await after(5);
      return (count / (performance.now() - began)) * 1_000;
    };
  };
  const one = await side(1);
  const two = await side(2);
  const rates = await inTurns({ one, two });
  yield figure('two workers, of one', 1.5, rates.two, rates.one);
}
