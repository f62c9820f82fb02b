import type { FindParent } from '../accounts/find-parent.ts';
import { type Clock, monotonicNow } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { type DurationMs, second } from '../runtime/time.ts';
import { ask } from '../runtime/unavailable.ts';
import type { ErrorListener, Observer } from '../signals/signal.ts';
import type { Storage } from '../storage.ts';
import type { Attempts } from './attempt.ts';
import { createPropagation } from './propagation.ts';
import { createPruner, type Retention } from './pruner.ts';
import { createSession, type Session } from './session.ts';
import { createWorkerErrors } from './worker-errors.ts';
import { readWorkerOptions, type WorkerOptions } from './worker-options.ts';

/*
 * The states of a worker. Each time it joins it has a new id, and nothing in memory of the time before: a session.
 *
 *             join                    acquire, recover
 *   starting ──────▶ serving (0 shards) ─────────────▶ serving (its share of 128)
 *      ▲                 │  ▲                              │          │
 *      │                 │  └──────── release ─────────────┘          │ its row is gone, or nobody
 *      │                 │ stop()                                     │ knows which shards it owns
 *      │                 ▼                                            ▼
 *      │             stopping: nothing new begins; what is        fenced: nothing is stored any more;
 *      │             in flight ends and is settled                what is in flight ends
 *      │                 │ leave                                      │
 *      │                 ▼                                            │
 *      │              stopped                                         │
 *      └──────────────────────────────────────────────────────────────┘
 *
 * `drain()` is a session that stops by itself: it serves the shards that are free until nothing is left to do.
 */

/**
 * Sends deliveries. Any number may run over one storage, on any number of machines: they divide the accounts among them.
 * @public
 */
export interface Worker {
  /** Runs until it is stopped. A storage that fails is signalled, and tried again. */
  start(): void;
  /**
   * Attempts all that is due in the shards that no other worker serves, prunes, and resolves to how many attempts that were: for cron jobs
   * and tests. Rejects when the storage failed.
   */
  drain(): Promise<number>;
  /**
   * Begins nothing more, waits for the attempts in flight (15 s, or a little more), stores their outcomes, and hands its shards over. Outcomes
   * that the storage refuses for 20 seconds are given up; another worker repeats these attempts.
   */
  stop(): Promise<void>;
}

/** @internal */
export interface WorkerDeps {
  readonly storage: Pick<Storage<never>, 'shards' | 'deliveries' | 'parents' | 'log'>;
  readonly findParent: FindParent;
  readonly attempt: Attempts;
  readonly clock: Clock;
  readonly random: Random;
  /** Absent when nobody listens. */
  readonly observe: Observer | undefined;
  readonly tellError: ErrorListener;
  /** Takes the function that wakes this worker, and returns the way to take it back. */
  readonly onNudge: (nudge: () => void) => () => void;
  /** The longest that an attempt may take. */
  readonly deadline: DurationMs;
  /** How long after attempt 1, 2, … the next one is due. */
  readonly retries: readonly DurationMs[];
  readonly retention: Retention;
  readonly lease: DurationMs;
}

/** A worker that found this much work this often in a row is busy, and need not be woken. */
const busy = { work: 64, times: 4 };
/** @throws TypeError that names the wrong option. @internal */
export const createWorker = (deps: WorkerDeps, workerOptions: WorkerOptions): Worker => {
  const { storage, findParent, attempt, clock, random, observe, tellError, onNudge } = deps;
  const { deadline, retries, retention, lease } = deps;
  const options = readWorkerOptions(workerOptions);
  const { pollEvery, pruneEvery } = options;
  const now = (): number => monotonicNow(clock);
  const errors = createWorkerErrors(observe, tellError);
  /** Of what goes on beside the deliveries: they need not wait for it. */
  const errorsBeside = createWorkerErrors(observe, tellError);

  let session: Session | undefined;
  let running: Promise<void> | undefined;
  let draining: Promise<void> = Promise.resolve();
  let isStopping = false;
  let stopping = new AbortController();

  const pruner = createPruner({
    ...{ log: storage.log, clock, random, observe, errors: errorsBeside, every: pruneEvery },
    // An attempt may begin until its worker learns of the deletion, a deadline later at most.
    ages: { ...retention, deleted: 2 * deadline + lease },
    served: () => session?.served() ?? [],
  });
  const propagation = createPropagation({
    ...{ parents: storage.parents, deliveries: storage.deliveries, findParent, clock, every: pruneEvery },
    errors: errorsBeside,
    worker: () => session,
    onCopied: () => session?.nudge(),
  });

  const openSession = (takesAll: boolean): Session =>
    createSession({
      ...{ storage, attempt, clock, random, observe, errors, deadline, retries, lease, options, takesAll },
      onPropagating: propagation.wake,
    });

  const watch = (serving: Session): Promise<() => void> =>
    errors.orElse(
      'watch',
      ask(() => storage.shards.watch(serving.wake)),
      () => undefined,
    );

  const serve = async (serving: Session): Promise<void> => {
    let unwatch: (() => void) | undefined;
    let fullAt = now();
    let found = 0;
    let busyFor = 0;
    while (serving.ended() === undefined) {
      // While it is not told of new events, it looks as long as there are some.
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
        // There may be more: it looks again.
      } else if (unwatch) {
        await serving.wait(Math.max(fullAt - now(), 1));
      } else {
        // From now on it is woken. What was published just before is found by one more look.
        unwatch = await watch(serving);
        fullAt = now();
      }
    }
    unwatch?.();
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      const serving = openSession(false);
      // Under the same id until it has joined: the answer may be all that was lost.
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
      // The storage failed: it is not asked again at once.
      if (serving.ended() === 'lost') await clock.sleep(second, stopping.signal);
    }
  };

  const assertStorage = (): void => {
    const cause = errors.last() ?? errorsBeside.last();
    if (cause !== undefined) throw new Error('worker: the storage failed while draining.', { cause });
  };

  /** Until nothing is left: says whether it came to that, or the session ended before. */
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
      // One after the other: each serves all that is free.
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
