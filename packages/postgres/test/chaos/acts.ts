import { setTimeout as after } from 'node:timers/promises';
import type { PostgresServer } from '@partnerkit/workshop/services';
import { sized } from '../../../../tools/tests/effort.ts';
import type { Prng } from '../../../conformance/src/simulator/prng.ts';
import { lease } from './platform.ts';
import type { Processes, WorkerProcess } from './processes.ts';
import { until } from './until.ts';

/** What happens to a platform, and how often in a turn. */
const acts = {
  kill: sized(2, 4),
  stop: sized(2, 3),
  cutOff: sized(2, 3),
  terminate: sized(1, 2),
  add: sized(1, 2),
  restartFast: 1,
  restartImmediate: 1,
  switchEndpoint: sized(1, 2),
  replay: 1,
} as const;
export type Act = keyof typeof acts;

const shuffled = <T>(prng: Prng, items: readonly T[]): readonly T[] =>
  items
    .map((item) => [prng.next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

/** All of them, so often: each time in another order. */
export const drawActs = (prng: Prng, turns: number): readonly Act[] => {
  const turn = Object.entries(acts).flatMap(([act, times]) => Array.from({ length: times }, () => act as Act));
  return Array.from({ length: turns }, () => shuffled(prng, turn)).flat();
};

interface Stage {
  readonly prng: Prng;
  readonly processes: Processes;
  readonly server: Pick<PostgresServer, 'restart'>;
  /** The row of the worker is gone: somebody deleted it. */
  readonly isFenced: (workerId: string) => Promise<boolean>;
  /** How many POSTs were received. */
  readonly received: () => number;
  /** Which worker has the most to do. */
  readonly busiest: () => Promise<string | undefined>;
  /** Gives it much more to do. */
  readonly flood: () => Promise<void>;
  readonly switchEndpoint: () => Promise<unknown>;
  readonly replay: () => Promise<unknown>;
}

const [minRunning, maxRunning] = [2, 4];

/** Performs acts, one after the other: between two of them some POSTs are received. */
export const perform = async (stage: Stage, script: readonly Act[]): Promise<void> => {
  const { prng, processes, server, isFenced, received } = stage;
  const suspended: Promise<void>[] = [];
  const ends: Promise<void>[] = [];

  /** Rejects when a process ended by itself: without workers nothing is ever received. */
  const receive = async (more: number): Promise<void> => {
    const enough = received() + more;
    await until('POSTs are received', () => {
      if (processes.unexpected.length > 0) throw new Error(processes.unexpected.join('; '));
      return received() >= enough;
    });
  };

  const fill = (): void => {
    while (processes.count() < minRunning) processes.start();
  };

  /** Stopped or cut off past its lease; it goes on once another worker has noticed, or much later. */
  const suspend = async (how: 'stop' | 'cutOff', victim: WorkerProcess): Promise<void> => {
    processes[how](victim);
    fill();
    const workerId = victim.workerIds.at(-1) ?? '';
    await until('a worker is fenced', () => isFenced(workerId).catch(() => false));
    await after(prng.below(lease));
    processes.goOn(victim);
  };

  /** Any; or the busiest, with so much in hand that it goes on for seconds. */
  const pickVictim = async (what: Act): Promise<WorkerProcess | undefined> => {
    if (what === 'cutOff') {
      await Promise.all([receive(20), stage.flood()]);
    }
    const busiest = what === 'cutOff' ? await stage.busiest().catch(() => undefined) : undefined;
    const running = processes.running();
    return running.find(({ workerIds }) => workerIds.at(-1) === busiest) ?? running[prng.below(running.length)];
  };

  const act = async (what: Act): Promise<void> => {
    const victim = await pickVictim(what);
    if (what === 'restartFast' || what === 'restartImmediate')
      await server.restart(what === 'restartFast' ? 'fast' : 'immediate');
    else if (what === 'switchEndpoint') await stage.switchEndpoint();
    else if (what === 'replay') await stage.replay();
    else if (what === 'add' ? processes.count() < maxRunning : !victim) processes.start();
    else if (!victim) return;
    else if (what === 'kill') processes.kill(victim);
    else if (what === 'stop' || what === 'cutOff') suspended.push(suspend(what, victim));
    else ends.push(processes.terminate(victim));
    fill();
  };

  for (const what of script) {
    await act(what);
    await receive(5 + prng.below(60));
  }
  await Promise.all([...suspended, ...ends]);
};
