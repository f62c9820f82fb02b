import { setTimeout as after } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type Child, sharedNow } from '../children.ts';
import { alone, atMostSlower, compared, inTurns, type Line, type Measure, median, percentiles } from '../measure.ts';
import { metered } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import type { Engine } from './engines/engine.ts';
import { engines } from './engines/index.ts';
import type { PulledHandlers, PulledProgram } from './pulled.ts';
import type { Stage } from './servers.ts';

/** Waiting requests of one key: as many as the kit allows. */
const perKey = 4;
/** Milliseconds after an event, until those who were woken wait again. */
const rest = 200;

interface Page {
  readonly items: readonly unknown[];
  readonly next: string;
}

/** Programs that ask again as soon as they have an answer; each notes when events came. */
const startPrograms = (origin: string, programs: readonly PulledProgram[]) => {
  const agent = new Agent({ connections: null, headersTimeout: 60_000 });
  const stopped = new AbortController();
  let arrivals: number[] = [];
  const run = async ({ path, token }: PulledProgram): Promise<void> => {
    for (let cursor = ''; !stopped.signal.aborted; ) {
      const answer = await request(`${origin}${path}?wait=25${cursor}`, {
        ...{ dispatcher: agent, signal: stopped.signal, headers: { authorization: `Bearer ${token}` } },
      });
      const arrived = sharedNow();
      const page = (await answer.body.json()) as Page;
      if (answer.statusCode !== 200) throw new Error(JSON.stringify(page));
      if (page.items.length > 0) arrivals.push(arrived);
      cursor = `&after=${page.next}`;
    }
  };
  const running = programs
    .flatMap((program) => Array<PulledProgram>(perKey).fill(program))
    .map((program) => run(program).catch((cause) => (stopped.signal.aborted ? undefined : Promise.reject(cause))));
  const failed = Promise.all(running);
  failed.catch((cause) => console.error(cause));
  return {
    count: running.length,
    forget: () => {
      arrivals = [];
    },
    arrivals: () => arrivals,
    stop: async () => {
      stopped.abort();
      await failed;
      await agent.close();
    },
  };
};

/** One connection listens, and one polls. Those of the first reads are closed when they have been idle. */
const expectFew = async (host: Child<PulledHandlers>, waiting: number): Promise<void> => {
  for (let looks = 0; ; looks++) {
    const connections = await host.ask('connections');
    if (connections <= 2) return;
    if (looks === 100) throw new Error(`${waiting} waiting requests hold ${connections} connections.`);
    await after(100);
  }
};

const bytes: Measure = { unit: 'B', of: ({ rate }) => rate };

/**
 * Programs that wait for events, of all accounts. One event wakes those of its account; the time from its publication
 * until they have it is compared with that of the POST to a webhook.
 */
export async function* waiting(stage: Stage, sized: Sized): AsyncGenerator<Line> {
  const [samples, rounds, keys] = [sized(20, 2), sized(7, 1), sized(7, 1)];
  const input = await stage.input();
  const worker: Child<Engine> = await stage.start(engines.partnerkit, input, 'the worker');
  const publisher: Child<Engine> = await stage.start(engines.partnerkit, input, 'the publisher');
  const host = await stage.start<PulledHandlers>(new URL('./pulled.ts', import.meta.url), input, 'the host');
  await worker.ask('start');
  const { origin, programs } = await host.ask('programs', keys);
  const before = await host.ask('memory');
  const started = startPrograms(origin, programs);
  try {
    await after(sized(3_000, 1_000));
    const each = ((await host.ask('memory')) - before) / started.count;
    await expectFew(host, started.count);
    const times: Record<'pulled' | 'sent', number[]> = { pulled: [], sent: [] };
    const once = async (): Promise<Record<'pulled' | 'sent', number>> => {
      await after(rest);
      started.forget();
      await stage.receiver.ask('arm');
      const began = await publisher.ask('publish');
      const sent = (await stage.receiver.ask('arrival')) - began;
      while (started.arrivals().length < keys * perKey) await after(1);
      return { sent, pulled: median(started.arrivals()) - began };
    };
    /** One event is measured on both ways. */
    const side = (way: 'pulled' | 'sent') => async () => {
      const found: number[] = [];
      for (let nth = 0; nth < samples; nth++) found.push((await once())[way]);
      times[way].push(...found);
      return metered(async () => ({ units: samples, rate: 1_000 / median(found) }), [host]);
    };
    const rates = await inTurns({ pulled: side('pulled'), sent: side('sent') }, rounds);
    const name = `publish to a program that waits, beside ${started.count}`;
    yield compared(name, rates.pulled, 'a webhook', rates.sent, atMostSlower(2));
    yield alone('memory of a waiting request', [{ rate: each, cpu: 0 }], undefined, bytes);
    const measured = [
      ['a program that waits', percentiles(times.pulled.slice(samples))],
      ['a webhook', percentiles(times.sent.slice(samples))],
    ] as const;
    yield { kind: 'distribution', name: 'publish to a program that waits', sides: Object.fromEntries(measured) };
  } finally {
    await started.stop();
  }
}
