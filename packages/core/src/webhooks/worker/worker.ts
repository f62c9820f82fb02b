import type { FindParent } from '../../base/accounts/find-parent.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import type { FactSource } from '../../base/audit/fact-source.ts';
import { type Clock, monotonicNow } from '../../base/runtime/clock.ts';
import type { Random } from '../../base/runtime/random.ts';
import { type DurationMs, type EpochMs, second } from '../../base/runtime/time.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { BreakerPolicy } from '../delivery-rules/breaker.ts';
import { maxTimeout } from '../delivery-rules/delivery-policy.ts';
import type { Attempts } from './attempts/attempt.ts';
import { createBeside } from './beside.ts';
import type { ReportError } from './context/error-reports.ts';
import { limitStores } from './context/limited-stores.ts';
import type { Retention } from './context/retention.ts';
import type { NoteDispatched } from './context/unknown-accounts.ts';
import { createWorkerErrors, type WorkerErrors } from './context/worker-errors.ts';
import { readWorkerOptions, type WorkerOptions } from './context/worker-options.ts';
import type { WorkerStores } from './context/worker-stores.ts';
import type { DueWork } from './due-work.ts';
import type { Engine } from './engine.ts';
import type { HandlerRuns } from './handler-runs.ts';
import { serve } from './serve.ts';
import { createSession, type Session } from './session.ts';

/*
 * The states of a worker. Each join starts a session, with a new id and empty memory.
 *
 *             join                    acquire, recover
 *   starting ──────▶ serving (0 shards) ─────────────▶ serving (its share of 128)
 *      ▲                 │  ▲                              │          │
 *      │                 │  └──────── release ─────────────┘          │ its row was deleted, or it
 *      │                 │ stop()                                     │ is unknown which shards it owns
 *      │                 ▼                                            ▼
 *      │             stopping: starts nothing new;                fenced: stores nothing more;
 *      │             attempts in flight end and are settled       attempts in flight end
 *      │                 │ leave                                      │
 *      │                 ▼                                            │
 *      │              stopped                                         │
 *      └──────────────────────────────────────────────────────────────┘
 *
 * `drain()` runs a session that serves all free shards until no work is left.
 */

/** How long the shards of a dead worker are not served. */
export const workerLease: DurationMs = 20 * second;

/**
 * What a worker does at one moment.
 * @public
 */
export interface WorkerState {
  /**
   * - `stopped`: not started, or stopped.
   * - `starting`: joins; with a storage that fails, until it answers.
   * - `serving`: delivers for its shards.
   * - `stopping`: starts nothing more, and waits for attempts in flight.
   * - `restarting`: its lease expired, or the storage did not answer or lost commits; it joins again under a new id.
   */
  readonly state: 'stopped' | 'starting' | 'serving' | 'stopping' | 'restarting';
  /** Number of shards that it serves, of 128. */
  readonly shards: number;
  /** Attempts in flight. */
  readonly inFlight: number;
  /** Deliveries in memory that wait for capacity. */
  readonly ready: number;
  /** Outcomes of attempts that are not stored. */
  readonly unsettled: number;
  /** The rest of its lease, in milliseconds; 0 when it has none. */
  readonly leaseLeftMs: DurationMs;
  /** The last error of the storage. Absent: none since the worker was made. */
  readonly lastError?: {
    /** What the storage rejected with; `onError` received it too. */
    readonly cause: unknown;
    /** When, by the clock of this process. */
    readonly at: EpochMs;
  };
}

/**
 * Sends deliveries. Any number of workers may share one storage, on any number of machines: they divide the accounts
 * among them.
 * @public
 */
export interface Worker {
  /** Runs until `stop`. Failures of the storage are signalled and retried. */
  start(): void;
  /**
   * Attempts all due deliveries in the shards that no other worker serves, calls its handlers, prunes, and resolves to
   * the number of attempts. For cron jobs and tests. Rejects when the storage failed.
   */
  drain(): Promise<number>;
  /**
   * Starts nothing more, waits for the attempts in flight (about 15 seconds), stores their outcomes and releases the
   * shards. Outcomes that the storage refuses for 20 seconds are dropped; another worker repeats these attempts.
   * Resolves within a minute, also when the storage does not answer.
   */
  stop(): Promise<void>;
  /**
   * Returns what the worker does now. Reads memory alone.
   * @example
   * const worker = kit.worker();
   * const { state, inFlight } = worker.state();
   */
  state(): WorkerState;
}

/** What {@link createWorker} takes from the kit. */
export interface WorkerDeps {
  readonly engine: Engine;
  readonly storage: WorkerStores;
  /** Finds the parent of an account. */
  readonly findParent: FindParent;
  /** Receives the events of each dispatch. `undefined`: no listener. */
  readonly noteDispatched: NoteDispatched | undefined;
  readonly attempts: Attempts;
  readonly clock: Clock;
  readonly random: Random;
  /** Makes and links entries of the audit trail. */
  readonly auditor: Auditor;
  /** Receives signals. `undefined`: no listener. */
  readonly observe: Observer | undefined;
  readonly reportError: ReportError;
  /** What is given by rule. More may be added at any time. */
  readonly dueWork: Iterable<DueWork>;
  /** Facts of time to tell beside those of endpoints. */
  readonly factSources: readonly FactSource[];
  /** Makes its handlers. */
  readonly handlers: (errors: WorkerErrors) => HandlerRuns;
  /** Registers the function that wakes this worker; returns the function that removes it. */
  readonly onNudge: (nudge: () => void) => () => void;
  /** Maximum duration of an attempt. */
  readonly deadline: DurationMs;
  /** The delay after attempt 1, 2, …. */
  readonly retries: readonly DurationMs[];
  /** What the breaker does. */
  readonly breaker: BreakerPolicy;
  /** How long rows are stored. */
  readonly retention: Retention;
  /** Duration of a lease. */
  readonly lease: DurationMs;
}

/** Creates a worker. @throws TypeError that names the wrong option. */
export const createWorker = (deps: WorkerDeps, workerOptions: WorkerOptions): Worker => {
  const { findParent, clock, random, observe, reportError, onNudge, retention, lease } = deps;
  const options = readWorkerOptions(workerOptions);
  const { pollEvery, pruneEvery } = options;
  const now = (): number => monotonicNow(clock);
  const errors = createWorkerErrors(clock, reportError);
  /** For propagation and pruning: deliveries do not wait for their errors. */
  const errorsBeside = createWorkerErrors(clock, reportError);
  const stores = limitStores(deps.storage, clock, lease);

  let session: Session | undefined;
  let running: Promise<void> | undefined;
  let draining: Promise<void> = Promise.resolve();
  let stopping = new AbortController();

  const beside = createBeside({
    ...{ serving: stores.serving, findParent, clock, random, observe, errors: errorsBeside, pruneEvery },
    auditor: deps.auditor,
    disableAfter: deps.breaker.disableAfter,
    // An attempt may start until its worker reads the deletion, at most a timeout later: that of any worker.
    ages: { ...retention, deleted: 2 * maxTimeout + lease },
    session: () => session,
    dueWork: deps.dueWork,
    factSources: deps.factSources,
  });

  const handlers = deps.handlers(errorsBeside);

  const openSession = (takesAll: boolean): Session =>
    createSession({ ...deps, stores, errors, options, takesAll, wakeHandlers: handlers.wake });

  const run = async ({ signal }: AbortController): Promise<void> => {
    while (!signal.aborted) {
      const own = openSession(false);
      session = own;
      // Retry under the same id: perhaps only the response was lost.
      while (own.ended() === undefined && !(await own.join())) {
        await clock.sleep(second, signal);
        if (!signal.aborted) continue;
        session = undefined;
        return;
      }
      if (signal.aborted) own.stop();
      const forget = onNudge(() => {
        own.nudge();
        handlers.wake();
      });
      await serve({ session: own, errors, stores, pollEvery, now, onPropagating: beside.wake });
      forget();
      await own.end();
      session = undefined;
      // The storage failed: wait before the next session.
      if (own.ended() === 'lost') await clock.sleep(second, signal);
    }
  };

  const assertStorage = (): void => {
    const failed = [errors, errorsBeside].find(({ hasFailed }) => hasFailed());
    if (failed) throw new Error('worker: the storage failed while draining.', { cause: failed.last()?.cause });
  };

  /** Runs until no work is left. Returns `false` when the session ended before. */
  const drainSession = async (own: Session): Promise<boolean> => {
    const { memory } = own;
    for (let isPruned = false; ; ) {
      const hadRoom = memory.hasRoom();
      const { found } = await own.cycle('all');
      assertStorage();
      if (own.ended() !== undefined) return false;
      const isLeft = found > 0 || !hadRoom;
      if (!memory.isIdle()) {
        if (!isLeft || !memory.hasRoom()) await own.wait(second);
        continue;
      }
      if (isLeft) continue;
      await beside.tell();
      const commands = await beside.giveDue();
      assertStorage();
      const handled = await handlers.drain();
      assertStorage();
      if (commands + handled > 0) continue;
      if (!isPruned) await beside.prune();
      isPruned = true;
      const copies = await beside.propagate();
      assertStorage();
      if (copies === 0) return true;
    }
  };

  const drainOnce = async (): Promise<number> => {
    if (running) throw new TypeError('worker: drain() is for a worker that was not started.');
    errors.forget();
    errorsBeside.forget();
    await handlers.register();
    for (let attempts = 0; ; ) {
      const own = openSession(true);
      if (!(await own.join())) {
        assertStorage();
        return attempts;
      }
      session = own;
      try {
        assertStorage();
        const isDone = await drainSession(own);
        attempts += own.memory.flights.started();
        if (isDone) return attempts;
      } finally {
        own.stop();
        await own.end();
        session = undefined;
      }
    }
  };

  const stateName = (): WorkerState['state'] => {
    if (!session) return running ? 'restarting' : 'stopped';
    const end = session.ended();
    if (end !== undefined) return end === 'stopped' ? 'stopping' : 'restarting';
    return session.memory.shards.leaseLeft() === Number.NEGATIVE_INFINITY ? 'starting' : 'serving';
  };

  return {
    start: () => {
      if (running) return;
      stopping = new AbortController();
      running = Promise.all([run(stopping), beside.run(stopping.signal), handlers.run(stopping.signal)]).then(
        () => undefined,
      );
    },
    drain: () => {
      const next = draining.then(drainOnce);
      // One at a time: each serves all free shards.
      draining = next.then(
        () => undefined,
        () => undefined,
      );
      return next;
    },
    stop: async () => {
      stopping.abort('stopped');
      beside.wake();
      handlers.wake();
      session?.stop();
      await running;
      running = undefined;
    },
    state: () => {
      const memory = session?.memory;
      const lastError = errors.last();
      return {
        state: stateName(),
        shards: memory?.shards.served().length ?? 0,
        inFlight: memory?.schedule.inFlight() ?? 0,
        ready: memory?.schedule.ready() ?? 0,
        unsettled: memory?.unsettled.count() ?? 0,
        leaseLeftMs: Math.max(memory?.shards.leaseLeft() ?? 0, 0),
        ...(lastError === undefined ? {} : { lastError }),
      };
    },
  };
};
