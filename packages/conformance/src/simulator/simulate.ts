import { AsyncLocalStorage } from 'node:async_hooks';
import { createPartnerkit, type DurationMs, type EpochMs } from '@partnerkit/core';
import type { Clock, Random, Storage } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryStorage } from '@partnerkit/core/memory';
import { noteCommits } from './commits.ts';
import { simulatedDirectory } from './directory.ts';
import { createFaults } from './faults.ts';
import type { History } from './history.ts';
import { createHost, type Kit, objects } from './host.ts';
import { accountIdOf } from './laws/numbers.ts';
import { createLeaps } from './leaps.ts';
import { createMachines, type Machines } from './machines.ts';
import { createNetwork } from './network.ts';
import { createPlan } from './plan.ts';
import { createPrng } from './prng.ts';
import { readEnd, readTrail } from './read-end.ts';
import { createReaders } from './readers.ts';
import { createScheduler } from './scheduler.ts';
import { type Notes, simulateStorage } from './storage.ts';
import type { Call, ProcessLife, Trace } from './trace.ts';

/**
 * Options of {@link simulate}.
 * @public
 */
export interface SimulateOptions<Tx extends object> {
  /**
   * Creates an empty storage with `clock`. Its calls must not wait for real time. One that lets a call wait for another
   * one calls `noteEffect` in it when it goes on; otherwise a call takes effect when it arrives.
   * @defaultValue `memoryStorage`
   */
  readonly storage?: (clock: Clock, random: Random, noteEffect: () => void) => Storage<Tx>;
  /**
   * Resolves once no call of a storage outside this process can go on: time stands still until then. @defaultValue at
   * once @internal
   */
  readonly settled?: () => Promise<void>;
  /** Changes the clock of workers. @defaultValue no change */
  readonly clock?: (clock: Clock) => Clock;
  /** Creates kits, for tests that break the engine. @defaultValue `createPartnerkit` @internal */
  readonly createKit?: typeof createPartnerkit;
}

const start: EpochMs = 1_795_000_000_000;
/** A history with more steps ends early, and is checked up to there. */
const maxSteps = ({ endpoints }: History): number => 60_000 + 100 * endpoints.length;
const sealingKeys = [{ id: 'k', key: new Uint8Array(32) }] as const;
const tokens = memoryAccessTokens();

const inMemory = (clock: Clock): Storage<object> => memoryStorage({ clock }) as Storage<object>;

/**
 * Runs a history on a virtual clock, and returns a trace of everything that happened. Its seed decides every
 * interleaving; processes may die at any await. The same history gives the same trace.
 * @example
 * const [history] = fc.sample(historyArbitrary, 1);
 * if (history) checkLaws(await simulate(history));
 * @public
 */
export const simulate = async <Tx extends object = object>(
  history: History,
  options: SimulateOptions<Tx> = {},
): Promise<Trace> => {
  const prng = createPrng(history.seed);
  const scheduler = createScheduler(start, prng, maxSteps(history), options.settled);
  const storeClock: { at: EpochMs; ahead: DurationMs }[] = [{ at: start, ahead: history.storeAhead }];
  const clockOfStore: Clock = {
    now: () => scheduler.now() + (storeClock.at(-1)?.ahead ?? 0),
    sleep: () => Promise.reject(new Error('A store does not sleep.')),
  };
  let places = 0;
  const order = (): number => places++;
  const running = new AsyncLocalStorage<Call>();
  const takeEffect = (call: Call): void => {
    call.order = order();
    call.effectAt = scheduler.now();
    call.storeTime = clockOfStore.now();
  };
  const noteEffect = (): void => {
    const call = running.getStore();
    if (call) takeEffect(call);
  };
  const storage = (options.storage ?? inMemory)(clockOfStore, prng, noteEffect) as Storage<Tx>;
  const createKit = options.createKit ?? createPartnerkit;
  const notes: Notes = { calls: [], commits: new Map(), running, takeEffect, underWay: 0 };
  const lives: ProcessLife[] = [];
  const signals: Trace['signals'][number][] = [];
  const accountIds = history.accounts.map(accountIdOf);
  const childUntil = history.family ? start + (history.family.leavesAt ?? Number.POSITIVE_INFINITY) : undefined;

  let hasBegun = false;
  const faults = createFaults(history, () => (hasBegun ? scheduler.now() - start : Number.POSITIVE_INFINITY), prng);
  const directoryFaults = () => (faults.isNoisy() ? (history.family?.faults ?? 0) : 0);
  const network = createNetwork({ history, scheduler, faults, prng, order });
  const plan = createPlan(history.retention.held);

  let coming = 0;
  let hasEnded = false;
  const scripted: EpochMs[] = [];
  const later = (after: DurationMs, call: () => void): void => {
    coming++;
    const at = scheduler.now() + after;
    scripted.push(at);
    scheduler.at(at, () => {
      coming--;
      scripted.splice(scripted.indexOf(at), 1);
      if (!hasEnded) call();
    });
  };

  const machines: Machines<Tx> = createMachines({
    history,
    scheduler,
    prng,
    lives,
    later,
    assemble: (process, machine, acts) => {
      const seen = simulateStorage({
        ...{ storage, storeClock: clockOfStore, process, machine, scheduler, faults, prng, notes, ...acts },
        onEffect: plan.note,
      });
      const kit = createKit({
        accounts: simulatedDirectory({ accountIds, childUntil }, process, {
          now: scheduler.now,
          prng,
          faults: directoryFaults,
        }),
        storage: seen,
        tokens,
        sender: network.senderOf(process, machine, acts),
        objects,
        webhooks: { retention: history.retention },
        observe: (signal) => signals.push({ at: scheduler.now(), process: process.name, signal }),
        advanced: {
          sealingKeys,
          clock: machine > 0 && options.clock ? options.clock(process.clock) : process.clock,
          random: prng,
        },
      });
      return { kit, storage: seen };
    },
  });
  const host = createHost({
    ...{ history, accountIds, machines, scheduler, prng, calls: notes.calls },
    storeTime: clockOfStore.now,
  });

  const readers = createReaders({
    history,
    accountIds,
    kit: () => machines.on(0)?.kit as Kit<Tx> | undefined,
    pause: () => new Promise((resolve) => scheduler.at(scheduler.now() + 1_000, resolve)),
  });

  machines.start(0);
  let created = false;
  const createAll = async (): Promise<void> => {
    for (const endpoint of history.endpoints.keys()) await host.create(endpoint);
    await readers.create();
    created = true;
  };
  const creating = createAll();
  await scheduler.run(() => created);
  await creating;
  hasBegun = true;

  for (let machine = 1; machine <= history.workers; machine++) machines.start(machine);
  for (const each of history.transactions) {
    later(each.at, () => void host.transact(each));
    // The history waits for its end.
    later(each.at + each.openFor + 2_000, () => undefined);
  }
  for (const each of history.acts) later(each.at, () => void host.act(each));
  for (const [number, { reads }] of (history.readers ?? []).entries())
    for (const { at, forgets } of reads) later(at, () => void readers.read(number, forgets));
  for (const { at, by } of history.storeJumps)
    later(at, () => storeClock.push({ at: scheduler.now(), ahead: (storeClock.at(-1)?.ahead ?? 0) + by }));
  for (const each of history.machineEvents)
    later(each.at, () => {
      if (each.kind === 'crash') machines.crash(each.machine, each.downFor);
      else if (each.kind === 'pause') machines.pause(each.machine, each.length);
      else if (each.kind === 'clock') machines.jump(each.machine, each.by);
      else void machines[each.kind](each.machine);
    });

  const leaps = createLeaps({
    ...{ history, scheduler, prng, plan, machines, startedAt: start },
    isCalm: () => network.isQuiet() && notes.underWay === 0,
    nextScripted: () => (coming > 0 ? Math.min(...scripted) : undefined),
    hasBacklog: async () => {
      const { undispatched, waiting } = await storage.log.countBacklog();
      return undispatched + waiting > 0;
    },
  });
  await scheduler.run(leaps.isDone);
  hasEnded = true;
  const stops = Promise.all(machines.workers().map((machine) => machines.stop(machine)));
  const stoppedBy = scheduler.now() + 3 * 60_000;
  await scheduler.run(() => machines.workers().length === 0 || scheduler.now() > stoppedBy);
  void stops;
  const endedAt = scheduler.now();
  let hasRead = false;
  if (history.readers) {
    machines.start(0);
    const reading = readers.finish().finally(() => {
      hasRead = true;
    });
    const ended = await scheduler.run(() => hasRead);
    if (hasRead) await reading;
    else if (ended === 'done') throw new Error('A reader waits for nothing.');
  }
  for (const machine of [0, ...machines.workers()]) machines.crash(machine, 0);
  noteCommits(host.published, host.transactions, notes);

  return {
    ...{ history, startedAt: start, endedAt, calls: notes.calls, posts: network.posts, lives, signals, storeClock },
    ...{ published: host.published, endpointIds: host.endpointIds, clear: host.clear, accountIds },
    ...(childUntil === undefined ? {} : { childUntil }),
    ...(await readEnd(storage, accountIds)),
    audit: await readTrail(storage),
    // A history that was too long has no end that a reader could reach.
    readers: hasRead ? await readers.traced(storage) : [],
  };
};
