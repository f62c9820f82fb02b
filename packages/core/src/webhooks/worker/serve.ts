import { type DurationMs, second } from '../../base/runtime/time.ts';
import type { LimitedStores } from './context/limited-stores.ts';
import type { WorkerErrors } from './context/worker-errors.ts';
import type { Session } from './session.ts';
import { callStore, hasFailed } from './steps/step.ts';

/** What {@link serve} works with. */
export interface ServeDeps {
  /** A session that has joined. */
  readonly session: Session;
  readonly stores: LimitedStores;
  readonly errors: WorkerErrors;
  readonly pollEvery: DurationMs;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Events may wait for propagation. */
  readonly onPropagating: () => void;
}

/** A worker that finds this much work this often in a row polls without waiting for wakes. */
const busy = { work: 64, times: 4 };

/** Reads work as it comes, until the session ends. */
export const serve = async (deps: ServeDeps): Promise<void> => {
  const { session, stores, errors, pollEvery, now, onPropagating } = deps;
  const { memory } = session;
  let unwatch: (() => void) | undefined;
  let fullAt = now();
  /** Whether to read the events of all shards. Due deliveries have no hurry: they are read at the poll interval. */
  let readsEvents = false;
  let busyFor = 0;
  while (session.ended() === undefined) {
    const isFull = now() >= fullAt;
    if (isFull) fullAt = now() + pollEvery;
    const hadRoom = memory.hasRoom();
    const cycle = await session.cycle(isFull ? 'all' : readsEvents ? 'events' : 'woken');
    if (cycle.propagates) onPropagating();
    const { found } = cycle;
    if (session.ended() !== undefined) break;
    if (found >= busy.work) busyFor++;
    else if (hadRoom) busyFor = 0;
    if (busyFor >= busy.times) {
      unwatch?.();
      unwatch = undefined;
    }
    // Without wakes, it polls as long as it finds something.
    readsEvents = unwatch === undefined && found > 0;
    if (errors.hasFailed()) {
      errors.forget();
      await session.wait(Math.max(pollEvery, second));
    } else if (!memory.hasRoom()) {
      await session.wait(pollEvery);
    } else if (found > 0 || !hadRoom) {
      // There may be more work: read again at once.
    } else if (unwatch) {
      await session.wait(Math.max(fullAt - now(), 1));
    } else {
      // Watching has started. One more read finds events published just before.
      const watching = await callStore({ errors }, 'watch', () => stores.serving.shards.watch(session.wake));
      unwatch = hasFailed(watching) ? () => undefined : watching;
      readsEvents = true;
    }
  }
  unwatch?.();
};
