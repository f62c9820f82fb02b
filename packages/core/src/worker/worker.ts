import type { FindParent } from '../accounts/find-parent.ts';
import { callPort } from '../runtime/call-port.ts';
import { type Clock, monotonicNow } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { type DurationMs, second } from '../runtime/time.ts';
import type { ErrorListener, Observer } from '../signals/signal.ts';
import type { Attempts } from './attempt.ts';
import { limitStores } from './limited-stores.ts';
import { createPropagation } from './propagation.ts';
import { createPruner, type Retention } from './pruner.ts';
import { createSession, type Session } from './session.ts';
import type { NoteDispatched } from './unknown-accounts.ts';
import { createWorkerErrors } from './worker-errors.ts';
import { readWorkerOptions, type WorkerOptions } from './worker-options.ts';
import type { WorkerStores } from './worker-stores.ts';

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

/**
 * Sends deliveries. Any number of workers may share one storage, on any number of machines: they divide the accounts
 * among them.
 * @public
 */
export interface Worker {
  /** Runs until `stop`. Failures of the storage are signalled and retried. */
  start(): void;
  /**
   * Attempts all due deliveries in the shards that no other worker serves, prunes, and resolves to the number of
   * attempts. For cron jobs and tests. Rejects when the storage failed.
   */
  drain(): Promise<number>;
  /**
   * Starts nothing more, waits for the attempts in flight (about 15 seconds), stores their outcomes and releases the
   * shards. Outcomes that the storage refuses for 20 seconds are dropped; another worker repeats these attempts.
   * Resolves within a minute, also when the storage does not answer.
   */
  stop(): Promise<void>;
}

/** What {@link createWorker} takes from the kit. @internal */
export interface WorkerDeps {
  /** The storage. */
  readonly storage: WorkerStores;
  /** Finds the parent of an account. */
  readonly findParent: FindParent;
  /** Receives the events of each dispatch. @defaultValue none */
  readonly noteDispatched?: NoteDispatched | undefined;
  /** Makes attempts. */
  readonly attempt: Attempts;
  /** Source of time. */
  readonly clock: Clock;
  /** Source of randomness. */
  readonly random: Random;
  /** Receives signals. `undefined`: no listener. */
  readonly observe: Observer | undefined;
  /** Receives errors. */
  readonly reportError: ErrorListener;
  /** Registers the function that wakes this worker; returns the function that removes it. */
  readonly onNudge: (nudge: () => void) => () => void;
  /** Maximum duration of an attempt. */
  readonly deadline: DurationMs;
  /** The delay after attempt 1, 2, …. */
  readonly retries: readonly DurationMs[];
  /** How long the breaker stays open: after it opens, and after each failed probe. The last entry repeats. */
  readonly pauses: readonly DurationMs[];
  /** How long rows are stored. */
  readonly retention: Retention;
  /** Duration of a lease. */
  readonly lease: DurationMs;
}

/** A worker that finds this much work this often in a row polls without waiting for wakes. */
const busy = { work: 64, times: 4 };
/** Creates a worker. @throws TypeError that names the wrong option. @internal */
export const createWorker = (deps: WorkerDeps, workerOptions: WorkerOptions): Worker => {
  const { findParent, attempt, clock, random, observe, reportError, onNudge } = deps;
  const { deadline, retries, pauses, retention, lease } = deps;
  const options = readWorkerOptions(workerOptions);
  const { pollEvery, pruneEvery } = options;
  const now = (): number => monotonicNow(clock);
  const errors = createWorkerErrors(observe, reportError);
  /** For propagation and pruning: deliveries do not wait for their errors. */
  const errorsBeside = createWorkerErrors(observe, reportError);

  let session: Session | undefined;
  let running: Promise<void> | undefined;
  let draining: Promise<void> = Promise.resolve();
  let isStopping = false;
  let stopping = new AbortController();

  const storage = limitStores(deps.storage, {
    ...{ clock, lease, isStopping: () => isStopping, onUncertainWrite: () => undefined },
  });
  const pruner = createPruner({
    ...{ log: storage.log, clock, random, observe, errors: errorsBeside, every: pruneEvery },
    // An attempt may start until its worker reads the deletion, at most a deadline later.
    ages: { ...retention, deleted: 2 * deadline + lease },
    // After a pause, the outcomes of attempts in flight are stored first: their deliveries must not expire before.
    served: () => (session && session.leaseLeft() > 0 ? session.served() : []),
  });
  const propagation = createPropagation({
    ...{ parents: storage.parents, deliveries: storage.deliveries, findParent, clock, every: pruneEvery },
    errors: errorsBeside,
    worker: () => session,
    onCopied: () => session?.nudge(),
  });

  const openSession = (takesAll: boolean): Session =>
    createSession({
      ...{ storage: deps.storage, attempt, clock, random, observe, errors, deadline, retries, pauses },
      ...{ lease, options, takesAll },
      onPropagating: propagation.wake,
      noteDispatched: deps.noteDispatched,
    });

  const watch = (serving: Session): Promise<() => void> =>
    errors.orElse(
      'watch',
      callPort(() => storage.shards.watch(serving.wake)),
      () => undefined,
    );

  const serve = async (serving: Session): Promise<void> => {
    let unwatch: (() => void) | undefined;
    let fullAt = now();
    let found = 0;
    let busyFor = 0;
    while (serving.ended() === undefined) {
      // Without wakes, it polls as long as it finds events.
      const isFull = now() >= fullAt || (unwatch === undefined && found > 0);
      if (isFull) fullAt = now() + pollEvery;
      const hadRoom = serving.hasRoom();
      found = await serving.cycle(isFull);
      if (serving.ended() !== undefined) break;
      if (found >= busy.work) busyFor++;
      else if (hadRoom) busyFor = 0;
      if (busyFor >= busy.times) {
        unwatch?.();
        unwatch = undefined;
      }
      if (errors.last() !== undefined) {
        errors.forget();
        await serving.wait(Math.max(pollEvery, second));
      } else if (!serving.hasRoom()) {
        await serving.wait(pollEvery);
      } else if (found > 0 || !hadRoom) {
        // There may be more work: read again at once.
      } else if (unwatch) {
        await serving.wait(Math.max(fullAt - now(), 1));
      } else {
        // Watching has started. One more full read finds events published just before.
        unwatch = await watch(serving);
        fullAt = now();
      }
    }
    unwatch?.();
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      const serving = openSession(false);
      // Retry under the same id: perhaps only the response was lost.
      while (!(await serving.join())) {
        await clock.sleep(second, stopping.signal);
        if (isStopping) return;
      }
      session = serving;
      if (isStopping) serving.stop();
      const forget = onNudge(serving.nudge);
      await serve(serving);
      forget();
      await serving.end();
      session = undefined;
      // The storage failed: wait before the next session.
      if (serving.ended() === 'lost') await clock.sleep(second, stopping.signal);
    }
  };

  const assertStorage = (): void => {
    const cause = errors.last() ?? errorsBeside.last();
    if (cause !== undefined) throw new Error('worker: the storage failed while draining.', { cause });
  };

  /** Runs until no work is left. Returns `false` when the session ended before. */
  const drainSession = async (serving: Session): Promise<boolean> => {
    for (let isPruned = false; ; ) {
      const hadRoom = serving.hasRoom();
      const found = await serving.cycle(true);
      assertStorage();
      if (serving.ended() !== undefined) return false;
      const isLeft = found > 0 || !hadRoom;
      if (!serving.isIdle()) {
        if (!isLeft || !serving.hasRoom()) await serving.wait(second);
        continue;
      }
      if (isLeft) continue;
      if (!isPruned) await pruner.once();
      isPruned = true;
      const copies = await propagation.once();
      assertStorage();
      if (copies === 0) return true;
    }
  };

  const drainOnce = async (): Promise<number> => {
    if (running) throw new TypeError('worker: drain() is for a worker that was not started.');
    errors.forget();
    errorsBeside.forget();
    for (let attempts = 0; ; ) {
      const serving = openSession(true);
      if (!(await serving.join())) {
        assertStorage();
        return attempts;
      }
      session = serving;
      try {
        assertStorage();
        const isDone = await drainSession(serving);
        attempts += serving.begun();
        if (isDone) return attempts;
      } finally {
        serving.stop();
        await serving.end();
        session = undefined;
      }
    }
  };

  return {
    start: () => {
      if (running) return;
      isStopping = false;
      stopping = new AbortController();
      running = Promise.all([run(), pruner.run(), propagation.run()]).then(() => undefined);
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
      isStopping = true;
      stopping.abort('stopped');
      pruner.stop();
      propagation.stop();
      session?.stop();
      await running;
      running = undefined;
    },
  };
};
