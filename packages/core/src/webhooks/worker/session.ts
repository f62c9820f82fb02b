import { monotonicNow } from '../../base/runtime/clock.ts';
import { newId } from '../../base/runtime/id.ts';
import { type DurationMs, second } from '../../base/runtime/time.ts';
import { createWakeSignal } from '../../base/runtime/wake-signal.ts';
import type { ShardWake } from '../shards/shard-store.ts';
import type { LimitedStores } from './context/limited-stores.ts';
import type { Engine } from './engine.ts';
import type { Memory, MemoryDeps } from './memory/memory.ts';
import { type Did, hasFailed, type StepContext, type StepFailure } from './steps/step.ts';
import { createWork, type Reads, type Work } from './work.ts';

/** What {@link createSession} takes from the worker. */
export interface SessionDeps
  extends Pick<MemoryDeps, 'options' | 'takesAll' | 'lease' | 'deadline' | 'breaker' | 'auditor'>,
    Pick<
      StepContext,
      'attempts' | 'errors' | 'clock' | 'random' | 'observe' | 'noteDispatched' | 'retries' | 'wakeHandlers'
    > {
  readonly engine: Engine;
  readonly stores: LimitedStores;
}

/**
 * Why a session ended.
 *
 * - `stopped`: by `stop`.
 * - `fenced`: its row was deleted, because its lease expired.
 * - `lost`: it is unknown whether a write took effect or will, or which shards it owns; or the store lost commits.
 */
type SessionEnd = 'stopped' | 'fenced' | 'lost';

/** The worker's row was deleted, because its lease expired. */
class WorkerFenced extends Error {
  override readonly name = 'WorkerFenced';
  constructor() {
    super('The lease of this worker expired, and another worker took its shards over.');
  }
}

/** A worker under one id, from its join until it leaves or is fenced. */
export interface Session {
  /** What it knows. */
  readonly memory: Memory;
  /** Its id in the store. */
  readonly id: string;
  /** Joins; resolves to whether the storage accepted. */
  join(): Promise<boolean>;
  /** Reads work once; after a nudge, and when it has new shards, `all`. */
  cycle(reads: Reads): Promise<Work>;
  /** Why it ended; `undefined` while it serves. */
  ended(): SessionEnd | undefined;
  /** Wakes it for new events or changed members. */
  wake(wake: ShardWake): void;
  /** Wakes it for a full cycle. */
  nudge(): void;
  /** Waits for a wake, at most this long. */
  wait(time: DurationMs): Promise<void>;
  /** Starts nothing more. */
  stop(): void;
  /** Waits until nothing is in flight and all outcomes are stored or dropped; then leaves. */
  end(): Promise<void>;
}

/**
 * A watermark writes a row per shard, so only every fifth renewal stores it. A successor then reads a few seconds more.
 */
const watermarkEvery = 5;
const retryEvery: DurationMs = second;
/** While attempts are in flight, an outcome waits this long for others. */
const settleAfter: DurationMs = 20;
const never = new AbortController().signal;

export const createSession = (deps: SessionDeps): Session => {
  const { engine, clock, random, observe, errors, deadline, retries, lease, options, noteDispatched } = deps;
  const { steps, rules } = engine;
  const id = newId(clock, random);
  const now = (): number => monotonicNow(clock);
  const memory = engine.createMemory({
    ...{ rules, options, takesAll: deps.takesAll, lease, deadline, breaker: deps.breaker, now, auditor: deps.auditor },
  });
  const wakes = createWakeSignal(clock);
  const beats = createWakeSignal(clock);
  const outcomes = createWakeSignal(clock);
  const ending = new AbortController();

  let end: SessionEnd | undefined;
  let endedAt = 0;
  let isFenced = false;
  /** Whether nothing more can be added to what is to be settled. */
  let isComplete = false;
  let hasLeft = false;
  let settling: Promise<void> = Promise.resolve();
  let keeping: Promise<void> = Promise.resolve();
  /** Whether outcomes wait for others before they are stored. */
  let isCollecting = false;
  let isNudged = true;
  /** Whether to wake as soon as there is capacity. */
  let isWaitingForRoom = false;
  let nextBeat: DurationMs = 0;
  let beatCount = 0;

  const context: StepContext = {
    ...{ workerId: id, memory, rules, attempts: deps.attempts, errors, clock, now, random, observe },
    ...{
      noteDispatched,
      retries,
      wakeHandlers: deps.wakeHandlers,
      deadline,
      lease,
      perEndpoint: options.perEndpoint,
      ended: ending.signal,
    },
    get stores() {
      return end === 'stopped' ? deps.stores.stopping : deps.stores.serving;
    },
  };

  const endSession = (why: SessionEnd): void => {
    if (end !== undefined) return;
    end = why;
    endedAt = now();
    ending.abort(why);
    wakes.wake();
  };

  /** What a step resolved to decides how the session goes on. Returns `undefined` if it did nothing. */
  const note = <R extends Did>(result: R | StepFailure): R | undefined => {
    if (result === 'fenced') {
      if (end === undefined) errors.note('heartbeat', new WorkerFenced());
      endSession('fenced');
      isFenced = true;
      hasLeft = true;
      beats.wake();
    }
    if (result === 'lost') endSession('lost');
    return hasFailed(result) ? undefined : result;
  };

  /** Takes a step that only a session that serves may take. */
  const serve = async <R extends Did>(step: () => Promise<R | StepFailure>): Promise<R | undefined> => {
    const did = end === undefined ? note(await step()) : undefined;
    return end === undefined ? did : undefined;
  };

  const isQuiet = (): boolean => memory.schedule.inFlight() === 0;

  const wakeIfNeeded = (): void => {
    const hasCapacity = isWaitingForRoom && memory.hasRoom();
    if (end !== undefined || hasCapacity || memory.accounts.hasChanged() || isQuiet()) wakes.wake();
  };

  /** Wakes `settle` if it has something to do: not for each outcome that others are waited for. */
  const settleSoon = (): void => {
    if (!isCollecting || memory.unsettled.isFull() || isQuiet()) outcomes.wake();
  };

  /** Starts attempts up to the limits; each that ends makes room for others. */
  const sendReady = (): void => {
    while (end === undefined) {
      const flight = steps.startAttempt(context);
      if (!flight) break;
      void steps.send(context, flight).then((outcome) => {
        steps.endAttempt(context, flight, outcome);
        sendReady();
        wakeIfNeeded();
      });
    }
    settleSoon();
  };

  /** Whether to drop outcomes that the storage refuses. */
  const givesUp = (): boolean => isFenced || (end !== undefined && now() - endedAt > lease);

  const settleBatch = async (): Promise<void> => {
    // Outcomes are dropped only after one failed write: the process may have been suspended for longer than it waits.
    while (!memory.hasDropped()) {
      if (note(await steps.settle(context))) return;
      if (givesUp()) break;
      await clock.sleep(retryEvery, never);
      if (givesUp()) break;
    }
    memory.settled(false);
  };

  /** Stores outcomes in batches: while one is stored, or attempts are about to end, the next one collects. */
  const settle = async (): Promise<void> => {
    while (!isComplete || !memory.unsettled.isEmpty()) {
      while (memory.unsettled.isEmpty() && !isComplete) await outcomes.wait();
      const until = now() + settleAfter;
      isCollecting = true;
      while (!memory.unsettled.isFull() && !isQuiet() && now() < until) await outcomes.wait(until - now());
      isCollecting = false;
      if (memory.unsettled.isEmpty()) continue;
      await settleBatch();
      wakeIfNeeded();
    }
  };

  const renew = async (withWatermark: boolean): Promise<void> => {
    beatCount++;
    const renewed = note(await steps.heartbeat(context, { withWatermark, isStopping: end === 'stopped' }));
    nextBeat = renewed?.nextIn ?? second;
    if (!renewed) return;
    sendReady();
    wakes.wake();
  };

  const keepLease = async (): Promise<void> => {
    while (!hasLeft) {
      await beats.wait(nextBeat);
      if (!hasLeft) await renew(beatCount % watermarkEvery === 0);
    }
  };

  const work = createWork({ steps, context, serve, sendReady });

  return {
    id,
    memory,
    ended: () => end,
    join: async () => {
      if (!note(await steps.join(context))) return false;
      await renew(false);
      keeping = keepLease();
      settling = settle();
      return true;
    },
    cycle: async (reads) => {
      const hasNewShards = await work.takeShards();
      steps.giveUpOverdue(context);
      memory.tidy();
      const isAll = isNudged || hasNewShards;
      isNudged = false;
      isWaitingForRoom = false;
      const { found, propagates } = await work.read(isAll ? 'all' : reads);
      // The last owner of a shard may have left events to propagate.
      return { found, propagates: propagates || hasNewShards };
    },
    wake: (wake) => {
      if (wake.kind === 'members') beats.wake();
      else memory.wake(wake);
      wakes.wake();
    },
    nudge: () => {
      isNudged = true;
      wakes.wake();
    },
    wait: (time) => {
      isWaitingForRoom = !memory.hasRoom();
      return wakes.wait(isWaitingForRoom ? Math.min(time, Math.max(memory.outbox.idleIn(), 1)) : time);
    },
    stop: () => endSession('stopped'),
    end: async () => {
      // Shards with nothing in flight are freed at once.
      if (end === 'stopped' && !isQuiet()) {
        await renew(true);
        memory.leave(memory.shards.served().length);
      }
      while (!isQuiet()) {
        note(await steps.release(context));
        await wakes.wait(second);
        steps.giveUpOverdue(context);
      }
      isComplete = true;
      outcomes.wake();
      await settling;
      // Renews the lease until here: a worker fenced earlier could not store these outcomes.
      hasLeft = true;
      beats.wake();
      // The host may close its storage after this: no heartbeat is left under way.
      await keeping;
      // Shards with dropped outcomes are not released: once the lease expires, they are acquired as abandoned. So are
      // abandoned ones that were not recovered: a successor would not know of its predecessor's attempts.
      const isUnrecovered = memory.shards.acquired().some(({ wasAbandoned }) => wasAbandoned);
      if (isFenced || memory.hasDropped() || isUnrecovered) return;
      // Stores the watermark: the next owner skips settled events, and they may be pruned.
      if (memory.shards.served().length > 0) await renew(true);
      note(await steps.leave(context));
    },
  };
};
