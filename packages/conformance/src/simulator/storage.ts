import type { AsyncLocalStorage } from 'node:async_hooks';
import type { DurationMs, EpochMs } from '@partnerkit/core';
import type { Clock, Storage } from '@partnerkit/core/adapter';
import type { CallName } from './call-name.ts';
import type { Faults } from './faults.ts';
import type { Prng } from './prng.ts';
import type { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import type { Call } from './trace.ts';

/** A simulated failure of the infrastructure. */
class SimulatedFault extends Error {
  override readonly name = 'SimulatedFault';
}

/** Records of the simulation about the storage. */
export interface Notes {
  readonly calls: Call[];
  /** Committed transactions, with their times. */
  readonly commits: Map<object, EpochMs>;
  /** The call that the storage works on. */
  readonly running: AsyncLocalStorage<Call>;
  /** Notes that a call takes effect now, unless it is noted again. */
  readonly takeEffect: (call: Call) => void;
  /** Number of calls in progress, in either direction. */
  underWay: number;
}

export interface SimulatedStorageDeps<Tx extends object> {
  readonly storage: Storage<Tx>;
  readonly storeClock: Clock;
  readonly process: Process;
  readonly machine: number;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly prng: Prng;
  readonly notes: Notes;
  /** Kills the process; its machine is up again after `downFor` milliseconds. */
  readonly crash: (downFor: DurationMs) => void;
  readonly pause: (length: DurationMs) => void;
  readonly onEffect: (call: Call) => void;
}

type Method = (...values: readonly unknown[]) => Promise<unknown>;
type Port =
  | ('endpoints' | 'sending' | 'events' | 'shards' | 'deliveries')
  | ('parents' | 'feeds' | 'handlers' | 'audit' | 'log');

/** Probability that the wake signal of a commit is lost. */
const lostWakes = 0.2;

/**
 * The storage as one process sees it over a network. A call takes time in each direction. It takes effect even when its
 * process is paused meanwhile, and with a probability of one half when the process has died.
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
    const note = { name, process: process.name, args, sentAt: scheduler.now() } as Call;
    notes.calls.push(note);
    if (machine > 0) scheduler.spins.note(process.name, name);
    notes.underWay++;
    const { kind = 'none', length = 0 } = faults.take(machine, name) ?? {};
    const latency = kind === 'slow' || kind === 'silent' ? length : 0;
    if (kind === 'crash before') crash(length);
    if (kind === 'pause before') pause(length);
    await underWay(latency);
    const isUncertain = kind === 'silent' || !process.isAlive;
    const isDropped = kind === 'fail' || (isUncertain && prng.chance(0.5));
    let outcome: { readonly value: unknown } | { readonly cause: unknown };
    if (isDropped) outcome = { cause: new SimulatedFault('The connection was lost before the call.') };
    else {
      notes.takeEffect(note);
      outcome = await notes.running
        .run(note, () => method(...args))
        .then(
          (value) => ({ value }),
          (cause: unknown) => ({ cause }),
        );
      note.doneAt = scheduler.now();
      note.storeTimeDone = storeClock.now();
      if ('value' in outcome) note.result = outcome.value as never;
      else note.isRefused = true;
      onEffect(note);
    }
    if (kind === 'silent') {
      notes.underWay--;
      return new Promise(() => undefined);
    }
    if (kind === 'crash after') crash(length);
    if (kind === 'pause after') pause(length);
    if (kind === 'lose') outcome = { cause: new SimulatedFault('The connection was lost after the call.') };
    if (latency > 0) await underWay(latency);
    notes.underWay--;
    await process.step();
    note.learnedAt = scheduler.now();
    note.learned = 'cause' in outcome ? 'error' : 'answer';
    if ('cause' in outcome) throw outcome.cause;
    return outcome.value;
  };

  /** Puts every method of a port behind the network. Its type stays, which entries of an object lose. */
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
    sending: remote('sending'),
    events: remote('events'),
    feeds: remote('feeds'),
    shards: {
      ...shards,
      watch: (onWake) =>
        shards.watch((wake) => {
          if (!prng.chance(lostWakes)) scheduler.soon(() => onWake(wake), process);
        }),
    },
    deliveries: remote('deliveries'),
    parents: remote('parents'),
    handlers: remote('handlers'),
    audit: remote('audit'),
    log: remote('log'),
    transaction: async (work, options) => {
      let opened: Tx | undefined;
      const value = await storage.transaction((tx) => {
        opened = tx;
        return Promise.race([work(tx), process.death]);
      }, options);
      if (opened) notes.commits.set(opened, scheduler.now());
      await process.step();
      if (faults.isNoisy() && prng.chance(0.05)) throw new SimulatedFault('The connection was lost after the commit.');
      return value;
    },
  };
};
