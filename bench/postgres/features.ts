import type { Figure } from '../measure.ts';
import type { Child } from './children.ts';
import { engines } from './engines/index.ts';
import type { Kit, KitInput } from './engines/partnerkit.ts';
import { inFlight } from './load.ts';
import type { Stage } from './servers.ts';
import { figure, inTurns, type Side } from './turns.ts';

const count = 1_500;

/** Keeps the statements, but not their rows. */
const withoutAttempts = `
  create function nothing() returns trigger language plpgsql as 'begin return null; end';
  create trigger nothing before insert on partnerkit.attempts for each row execute function nothing();`;

/** The cost of a feature: the rate with every feature, relative to the rate without this one. */
export async function* features(stage: Stage): AsyncGenerator<Figure> {
  const start = async (change: Partial<KitInput> = {}, sql = ''): Promise<Child<Kit>> => {
    const input: KitInput = { ...(await stage.input()), ...change };
    const kit: Child<Kit> = await stage.start(engines.ours, input);
    await stage.pool(input, 1).query(sql);
    return kit;
  };
  const side =
    (kit: Child<Kit>): Side =>
    async () => {
      await kit.ask('fill', count);
      return kit.ask('drain', count);
    };
  const kit = await start();
  const headers = { apiKey: { header: 'x-key', value: 'k'.repeat(32) }, standardWebhooks: true };
  const {
    everything,
    'both more kinds of headers': more,
    ...without
  } = await inTurns({
    everything: side(kit),
    'both more kinds of headers': side(await start({ endpoint: headers })),
    'the log of attempts': side(await start({}, withoutAttempts)),
    'the cap of an endpoint': side(await start({ worker: { perEndpoint: inFlight } })),
    listening: side(await start({ listen: false })),
  });
  for (const [name, rates] of Object.entries(without)) yield figure(`cost of ${name}`, 0, everything, rates);
  yield figure('cost of both more kinds of headers', 0, more, everything);
}
