import type { Engine } from './engine.ts';
import type { Did, StepContext, StepFailure } from './steps/step.ts';

/**
 * What a cycle reads: `all`, of all shards events and due deliveries; `events`, of all shards events; `woken`, only
 * where work was found or a wake came.
 */
export type Reads = 'all' | 'events' | 'woken';

/** What one cycle of a session found. */
export interface Work {
  /** The amount of work: events, due and queued deliveries. */
  readonly found: number;
  /** Whether events may wait for propagation. */
  readonly propagates: boolean;
}

interface WorkDeps {
  readonly steps: Engine['steps'];
  readonly context: StepContext;
  /** Takes a step that only a session that serves may take. Resolves to `undefined` if it did nothing. */
  readonly serve: <R extends Did>(step: () => Promise<R | StepFailure>) => Promise<R | undefined>;
  /** Starts attempts up to the limits. */
  readonly sendReady: () => void;
}

/** The reads of a session, one cycle after the other. Its lease and its outcomes go on beside them. */
export const createWork = ({ steps, context, serve, sendReady }: WorkDeps) => {
  const { memory } = context;
  let hasMoreDue = false;

  /** Shards join and leave only here, between two reads. Resolves to whether shards are served for the first time. */
  const takeShards = async (): Promise<boolean> => {
    await serve(() => steps.acquire(context));
    const recovered = await serve(() => steps.recover(context));
    await serve(() => steps.release(context));
    return recovered !== undefined && recovered.did > 0;
  };

  const load = (accountIds: Iterable<string>): Promise<Did | undefined> =>
    serve(() => steps.readEndpoints(context, accountIds));

  const dispatch = async (isFull: boolean): Promise<Work> => {
    const announced = (await serve(() => steps.dispatchAnnounced(context)))?.did ?? 0;
    if (announced > 0) sendReady();
    const page = await serve(() => steps.readOutbox(context, isFull));
    const isLoaded = page && page.did > 0 && (await load(page.events.map(({ accountId }) => accountId)));
    if (!isLoaded) return { found: announced, propagates: false };
    const dispatched = await serve(() => steps.storeDispatch(context, page));
    sendReady();
    return { found: announced + (dispatched?.did ?? 0), propagates: dispatched?.propagates ?? false };
  };

  const readDue = async (): Promise<number> => {
    const due = await serve(() => steps.readDue(context));
    if (!due) return 0;
    hasMoreDue = due.hasMore;
    if (!(await load(due.deliveries.map(({ accountId }) => accountId)))) return 0;
    steps.keepDue(context, due.deliveries);
    return due.did;
  };

  return {
    takeShards,
    read: async (reads: Reads): Promise<Work> => {
      const dispatched = await dispatch(reads !== 'woken');
      const due = reads === 'all' || hasMoreDue ? await readDue() : 0;
      await load([]);
      const queued = await serve(() => steps.readQueues(context));
      sendReady();
      const expected = memory.accounts.hasExpected() ? 1 : 0;
      return { ...dispatched, found: dispatched.found + due + (queued?.did ?? 0) + expected };
    },
  };
};
