import type { Clock, DurationMs, EpochMs, Storage } from '@partnerkit/core';
import type { Faults } from './faults.ts';
import type { Prng } from './prng.ts';
import type { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import type { Call, CallName } from './trace.ts';

/** A failure of the infrastructure, made up. */
class SimulatedFault extends Error {
  override readonly name = 'SimulatedFault';
}

/** What the simulation notes about the storage. @internal */
export interface Notes {
  readonly calls: Call[];
  /** Transactions that were committed, and when. */
  readonly commits: Map<object, EpochMs>;
  /** The next place among effects. */
  readonly order: () => number;
  /** How many calls are on their way, there or back. */
  underWay: number;
}

/** @internal */
export interface SimulatedStorageDeps<Tx extends object> {
  readonly storage: Storage<Tx>;
  readonly storeClock: Clock;
  readonly process: Process;
  readonly machine: number;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly prng: Prng;
  readonly notes: Notes;
  /** Kills the process; its machine is up again after a while. */
  readonly crash: (downFor: DurationMs) => void;
  readonly pause: (length: DurationMs) => void;
  readonly onEffect: (call: Call) => void;
}

type Method = (...values: readonly unknown[]) => Promise<unknown>;
type Port = 'endpoints' | 'events' | 'shards' | 'deliveries' | 'parents' | 'log';

/** Word of a commit is lost so often. */
const lostWakes = 0.2;

/**
 * Storage as one process sees it: over a network. A call is under way for a while, each way, and takes effect even when its process is paused
 * meanwhile; when that died, one time in two.
 * @internal
 */
export const simulateStorage = <Tx extends object>({
  storage,
  storeClock,
  process,
  machine,
  scheduler,
  faults,
  prng,
  notes,
  crash,
  pause,
  onEffect,
}: SimulatedStorageDeps<Tx>): Storage<Tx> => {
  const underWay = (longest: DurationMs): Promise<void> | undefined => {
    if (longest > 0) return new Promise((resolve) => scheduler.at(scheduler.now() + prng.below(longest), resolve));
    return prng.chance(0.5) ? undefined : new Promise((resolve) => scheduler.soon(resolve));
  };

  const call = async (name: CallName, method: Method, args: readonly unknown[]): Promise<unknown> => {
    const note = { name, process: process.name, args, sentAt: scheduler.now() } as unknown as Call;
    notes.calls.push(note);
    notes.underWay++;
    const { kind = 'none', length = 0 } = faults.take(machine, name) ?? {};
    const latency = kind === 'slow' ? length : 0;
    if (kind === 'crash before') crash(length);
    if (kind === 'pause before') pause(length);
    await underWay(latency);
    const isDropped = kind === 'fail' || (!process.isAlive && prng.chance(0.5));
    let outcome: { readonly value: unknown } | { readonly cause: unknown };
    if (isDropped) outcome = { cause: new SimulatedFault('The connection was lost before the call.') };
    else {
      note.order = notes.order();
      note.effectAt = scheduler.now();
      note.storeTime = storeClock.now();
      outcome = await method(...args).then(
        (value) => ({ value }),
        (cause: unknown) => ({ cause }),
      );
      note.storeTimeDone = storeClock.now();
      if ('value' in outcome) note.result = outcome.value as never;
      onEffect(note);
    }
    if (kind === 'crash after') crash(length);
    if (kind === 'pause after') pause(length);
    if (kind === 'lose') outcome = { cause: new SimulatedFault('The connection was lost after the call.') };
    if (latency > 0) await underWay(latency);
    notes.underWay--;
    await process.step();
    note.heardAt = scheduler.now();
    note.heard = 'cause' in outcome ? 'error' : 'answer';
    if ('cause' in outcome) throw outcome.cause;
    return outcome.value;
  };

  /** Every method of a port behind the network. */
  const remote = <P extends Port>(port: P): Storage<Tx>[P] =>
    Object.fromEntries(
      Object.entries(storage[port] as unknown as Record<string, Method>).map(([method, act]) => [
        method,
        (...args: readonly unknown[]) => call(`${port}.${method}` as CallName, act, args),
      ]),
    ) as unknown as Storage<Tx>[P];

  const shards = remote('shards');
  return {
    ...storage,
    endpoints: remote('endpoints'),
    events: remote('events'),
    shards: {
      ...shards,
      watch: (onWake) =>
        shards.watch((wake) => {
          if (!prng.chance(lostWakes)) scheduler.soon(() => onWake(wake), process);
        }),
    },
    deliveries: remote('deliveries'),
    parents: remote('parents'),
    log: remote('log'),
    transaction: async (work) => {
      let opened: Tx | undefined;
      const value = await storage.transaction((tx) => {
        opened = tx;
        return Promise.race([work(tx), process.death]);
      });
      if (opened) notes.commits.set(opened, scheduler.now());
      await process.step();
      if (faults.isNoisy() && prng.chance(0.05)) throw new SimulatedFault('The connection was lost after the commit.');
      return value;
    },
  };
};
