import { setTimeout as after } from 'node:timers/promises';
import type { Child } from '../children.ts';
import { atLeast, atMostSlower, compared, inTurns, type Line, median, percentiles, type Side } from '../measure.ts';
import { metered } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import type { Engine } from './engines/engine.ts';
import { engines } from './engines/index.ts';
import type { Stage } from './servers.ts';

/** Milliseconds after a delivery, until every engine is idle again. */
const rest = 20;
const names = ['partnerkit', 'graphile-worker', 'pg-boss', 'BullMQ'] as const;
type Name = (typeof names)[number];

/**
 * The time from publishing in one process to the arrival of the POST of a worker in another. The median of a round
 * counts, as a rate.
 */
export async function* latency(stage: Stage, sized: Sized): AsyncGenerator<Line> {
  const samples = sized(40, 2);
  const rounds = sized(10, 1);
  const durations = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const side = async (name: Name): Promise<Side> => {
    const input = await stage.input();
    const worker: Child<Engine> = await stage.start(engines[name], input, `the worker of ${name}`);
    const publisher: Child<Engine> = await stage.start(engines[name], input, `the publisher of ${name}`);
    await worker.ask('start');
    const once = async (): Promise<number> => {
      await after(rest);
      await stage.receiver.ask('arm');
      const began = await publisher.ask('publish');
      return (await stage.receiver.ask('arrival')) - began;
    };
    const round = async () => {
      const times: number[] = [];
      while (times.length < samples) times.push(await once());
      durations[name].push(...times);
      return { units: samples, rate: 1_000 / median(times) };
    };
    return () => metered(round, [worker, publisher], stage.meter);
  };
  const sides: [Name, Side][] = [];
  for (const name of names) sides.push([name, await side(name)]);
  const rates = await inTurns(Object.fromEntries(sides) as Record<Name, Side>, rounds);
  for (const [peer, goal] of [
    ['graphile-worker', atLeast(1)],
    ['pg-boss', atLeast(1.2)],
    ['BullMQ', atMostSlower(1.5)],
  ] as const)
    yield compared('publish to receive', rates.partnerkit, peer, rates[peer], goal);
  // The first round is a warm-up.
  const measured = names.map((name) => [name, percentiles(durations[name].slice(samples))] as const);
  yield { kind: 'distribution', name: 'publish to receive', sides: Object.fromEntries(measured) };
}
