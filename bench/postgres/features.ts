import type { Child } from '../children.ts';
import { compared, inTurns, type Line, type Side, serverCpu, wal } from '../measure.ts';
import { expectCount, metered } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import { engines } from './engines/index.ts';
import type { Kit, KitInput } from './engines/partnerkit.ts';
import { inFlight } from './load.ts';
import type { Stage } from './servers.ts';

/** Keeps the statements, but not their rows. */
const withoutAttempts = `
  create function nothing() returns trigger language plpgsql as 'begin return null; end';
  create trigger nothing before insert on partnerkit.attempts for each row execute function nothing();`;

/** The cost of a feature: the rate with it, relative to the rate without it. */
export async function* features(stage: Stage, sized: Sized): AsyncGenerator<Line> {
  const count = sized(1_500, 50);
  const start = async (name: string, change: Partial<KitInput> = {}, sql = ''): Promise<Side> => {
    const input: KitInput = { ...(await stage.input()), ...change };
    const kit: Child<Kit> = await stage.start(engines.partnerkit, input, name);
    await stage.pool(input, 1).query(sql);
    return async () => {
      const before = await stage.receiver.ask('received');
      await kit.ask('fill', count);
      const sample = await metered(
        async () => ({ units: count, rate: await kit.ask('drain', count) }),
        [kit],
        stage.meter,
      );
      expectCount('POSTs that arrived', (await stage.receiver.ask('received')) - before, count);
      return sample;
    };
  };
  const headers = { deliveryHeader: { name: 'x-key', value: 'k'.repeat(32) }, standardWebhooks: true };
  const sides = {
    usual: await start('the usual host'),
    'both more kinds of headers': await start('more headers', { endpoint: headers }),
    'signals as lines of JSON': await start('signals', { logsSignals: true }),
    'a handler of every event': await start('a handler', { handler: 'plain' }),
    'a handler of every event, in a transaction': await start('a handler in tx', { handler: 'transaction' }),
    'a handler that hangs': await start('a hanging handler', { handler: 'hanging' }),
    'a handler that rejects': await start('a rejecting handler', { handler: 'rejecting' }),
    'the log of attempts': await start('no attempts', {}, withoutAttempts),
    'the cap of an endpoint': await start('no cap', { worker: { perEndpoint: inFlight } }),
    listening: await start('no listening', { listen: false }),
  };
  const samples = await inTurns(sides, sized(5, 1));
  for (const name of [
    'both more kinds of headers',
    'signals as lines of JSON',
    'a handler of every event',
    'a handler of every event, in a transaction',
    'a handler that hangs',
    'a handler that rejects',
  ] as const)
    yield compared(`deliver with ${name}`, samples[name], 'without', samples.usual);
  for (const name of ['a handler of every event', 'a handler of every event, in a transaction'] as const) {
    yield compared(`PostgreSQL's CPU with ${name}`, samples[name], 'without', samples.usual, undefined, serverCpu);
    yield compared(`write-ahead log with ${name}`, samples[name], 'without', samples.usual, undefined, wal);
  }
  for (const name of ['the log of attempts', 'the cap of an endpoint', 'listening'] as const)
    yield compared(`deliver with ${name}`, samples.usual, 'without', samples[name]);
}
