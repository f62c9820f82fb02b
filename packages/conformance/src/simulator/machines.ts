import type { DurationMs, EpochMs, ObjectDefinition, Partnerkit, Worker } from '@partnerkit/core';
import type { Storage } from '@partnerkit/core/adapter';
import type { History } from './history.ts';
import type { Prng } from './prng.ts';
import type { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import type { ProcessLife } from './trace.ts';

/** The process of a machine. */
interface Running<Tx extends object> {
  readonly process: Process;
  readonly kit: Partnerkit<Tx, ObjectDefinition>;
  readonly storage: Storage<Tx>;
  /** Absent on the host. */
  readonly worker?: Worker;
  readonly life: ProcessLife;
  /** Resolves once it has stopped or died. Absent: no stop was requested. */
  stopped?: Promise<void>;
}

export interface Machines<Tx extends object> {
  /** The process of a machine, if it is up. */
  on(machine: number): Running<Tx> | undefined;
  start(machine: number): void;
  /** Sends SIGTERM. Resolves once the worker has stopped or died. */
  stop(machine: number): Promise<void>;
  crash(machine: number, downFor: DurationMs): void;
  pause(machine: number, length: DurationMs): void;
  jump(machine: number, by: DurationMs): void;
  /** Machines with a worker, including stopping ones. */
  workers(): readonly number[];
}

export interface MachinesDeps<Tx extends object> {
  readonly history: History;
  readonly scheduler: Scheduler;
  readonly prng: Prng;
  readonly lives: ProcessLife[];
  readonly assemble: (
    process: Process,
    machine: number,
    acts: Record<'crash' | 'pause', (length: DurationMs) => void>,
  ) => Pick<Running<Tx>, 'kit' | 'storage'>;
  /** Schedules a call, unless the history has ended. */
  readonly later: (after: DurationMs, call: () => void) => void;
}

/** Starts, stops, kills and pauses processes. */
export const createMachines = <Tx extends object>({
  history,
  scheduler,
  prng,
  lives,
  assemble,
  later,
}: MachinesDeps<Tx>): Machines<Tx> => {
  const running = new Map<number, Running<Tx>>();
  const starts = new Map<number, number>();

  const end = (machine: number, of: Running<Tx>, at: EpochMs): void => {
    of.life.diedAt = at;
    of.process.kill();
    if (running.get(machine) === of) running.delete(machine);
  };

  const stop = async (machine: number, of: Running<Tx>, worker: Worker): Promise<void> => {
    of.life.stopRequestedAt = scheduler.now();
    await Promise.race([worker.stop(), of.process.death.catch(() => undefined)]);
    if (!of.process.isAlive) return;
    of.life.stoppedAt = scheduler.now();
    end(machine, of, scheduler.now());
  };

  const machines: Machines<Tx> = {
    on: (machine) => running.get(machine),
    start: (machine) => {
      if (running.has(machine)) return;
      const number = (starts.get(machine) ?? 0) + 1;
      starts.set(machine, number);
      const name = `${machine === 0 ? 'host' : `worker ${machine}`}.${number}`;
      const process = scheduler.spawn(name, {
        wallAhead: history.wallAhead[machine % history.wallAhead.length] ?? 0,
        monotonicStart: history.hasMonotonic ? prng.below(1_000_000_000) : undefined,
      });
      const life: ProcessLife = { process: name, machine, startedAt: scheduler.now(), pauses: [] };
      lives.push(life);
      const kept = assemble(process, machine, {
        crash: (downFor) => machines.crash(machine, downFor),
        pause: (length) => machines.pause(machine, length),
      });
      if (machine === 0) {
        running.set(machine, { process, ...kept, life });
        return;
      }
      const { concurrency, perEndpoint, pollEvery, pruneEvery } = history;
      const worker = kept.kit.worker({ concurrency, perEndpoint, pollEvery, pruneEvery });
      running.set(machine, { process, ...kept, worker, life });
      worker.start();
    },
    stop: async (machine) => {
      const stopping = running.get(machine);
      if (!stopping?.worker) return;
      stopping.stopped ??= stop(machine, stopping, stopping.worker);
      await stopping.stopped;
    },
    crash: (machine, downFor) => {
      const dying = running.get(machine);
      if (!dying) return;
      end(machine, dying, scheduler.now());
      // A machine that was stopping does not restart.
      if (!dying.stopped) later(downFor, () => machines.start(machine));
    },
    pause: (machine, length) => {
      const paused = running.get(machine);
      if (!paused) return;
      const from = scheduler.now();
      paused.life.pauses.push({ from, to: from + length });
      paused.process.pause(from + length);
    },
    jump: (machine, by) => running.get(machine)?.process.jump(by),
    workers: () => [...running.keys()].filter((machine) => machine !== 0),
  };
  return machines;
};
