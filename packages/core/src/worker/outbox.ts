import type { DeliveryStore, OutboxEvent, ShardRange, StoreState } from '../delivery-ports/delivery-store.ts';
import { callPort } from '../runtime/call-port.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, second } from '../runtime/time.ts';
import type { Observer } from '../signals/signal.ts';
import { createAccountCursor } from './account-cursor.ts';
import { dispatchSignals } from './dispatch-signals.ts';
import { type EndpointLane, isBusy } from './memory/in-hand.ts';
import type { Lanes } from './memory/lanes.ts';
import type { Watermark } from './memory/watermark.ts';
import { type DispatchPlan, planDispatch } from './plan-dispatch.ts';
import { rangesWithout } from './shard-ranges.ts';
import type { WorkerErrors } from './worker-errors.ts';

/** What {@link createOutbox} calls. @internal */
export interface OutboxDeps {
  readonly store: Pick<DeliveryStore, 'readOutbox' | 'stamp'>;
  readonly workerId: string;
  readonly clock: Clock;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  readonly errors: WorkerErrors;
  readonly observe: Observer | undefined;
  readonly lanes: Lanes;
  readonly watermark: Watermark;
  /** Reads the endpoints of accounts; resolves to whether all are known. */
  readonly load: (accountIds: Iterable<string>) => Promise<boolean>;
  /** The served shards. */
  readonly served: () => readonly number[];
  /** Whether memory has capacity for one more delivery of the endpoint. */
  readonly accepts: (lane: EndpointLane, planned: number) => boolean;
  /** Whether the session ended. */
  readonly isEnded: () => boolean;
  /** Receives the state of the store. */
  readonly onState: (state: StoreState) => void;
  /** The worker's row was deleted. */
  readonly onFenced: () => void;
  /** The stamps are stored: deliveries may be sent. */
  readonly onDispatched: (plan: DispatchPlan) => void;
}

/** Reads committed events and dispatches them. @internal */
export interface Outbox {
  /**
   * Reads and dispatches one page. Resolves to the number of dispatched events.
   * @param isFull - Reads all served shards; otherwise continues the last page, or reads shards with new events.
   */
  read(isFull: boolean): Promise<number>;
  /**
   * Reads and dispatches events of accounts without deliveries in flight or ready to send. For a worker whose memory is
   * full: such an account takes its turns although others, with receivers that hang, have filled the memory.
   */
  readIdle(): Promise<number>;
  /** Events of these shards were committed. */
  wake(shards: readonly number[]): void;
}

/** Maximum number of events per read. */
const batchSize = 512;
/** Of accounts without deliveries in flight: small, because an account with a backlog may fill the first page. */
const idleBatchSize = 64;
const maxIdlePages = 8;
const retryEvery: DurationMs = second;
const never = new AbortController().signal;

/** Creates the outbox reader of a session. @internal */
export const createOutbox = (deps: OutboxDeps): Outbox => {
  const { store, workerId, clock, now, errors, observe, lanes, watermark, load, served } = deps;
  const { accepts, isEnded, onState, onFenced, onDispatched } = deps;
  const cursor = createAccountCursor();
  const idleCursor = createAccountCursor();
  const woken = new Set<number>();
  let hasMore = false;

  /** Retries until stored: after a lost response, a repeated stamp changes nothing. */
  const stamp = async (plan: DispatchPlan, notBefore: number): Promise<boolean> => {
    for (;;) {
      const stored = await errors.orElse(
        'dispatch',
        callPort(() => store.stamp(workerId, plan.events, plan.pending, notBefore)),
        undefined,
      );
      if (stored === 'stored') return true;
      if (stored === 'fenced') onFenced();
      if (isEnded()) return false;
      await clock.sleep(retryEvery, never);
    }
  };

  /** Returns whether the events were dispatched. */
  const dispatch = async (events: readonly OutboxEvent[], readAt: number): Promise<boolean> => {
    if (!(await load(events.map(({ accountId }) => accountId))) || isEnded()) return false;
    const startedAt = clock.now();
    const batch = watermark.open();
    const plan = planDispatch({
      events,
      now: readAt,
      monotonic: now(),
      batch,
      hasIncludeChildren: lanes.hasIncludeChildren(),
      accountOf: (accountId) => {
        const account = lanes.get(accountId);
        if (!account) throw new Error('The accounts of all events were loaded.');
        return account;
      },
      accepts,
    });
    if (!(await stamp(plan, batch.at))) return false;
    onDispatched(plan);
    watermark.close(batch);
    if (observe) dispatchSignals(observe, plan, startedAt, clock.now());
    return true;
  };

  const rangesFor = (isRound: boolean): readonly ShardRange[] => {
    const some = new Set(woken);
    woken.clear();
    if (isRound) return cursor.around(served());
    return served()
      .filter((shard) => some.has(shard))
      .map((shard) => ({ shard }));
  };

  /** Reads and dispatches events of these ranges. Resolves to their number. */
  const readPage = async (
    ranges: readonly ShardRange[],
    limit: number,
    onRead: (events: readonly OutboxEvent[], isPageFull: boolean) => void,
  ): Promise<number> => {
    if (ranges.length === 0) return 0;
    const read = await errors.orElse(
      'dispatch',
      callPort(() => store.readOutbox(ranges, limit)),
      undefined,
    );
    if (!read || isEnded()) return 0;
    onState(read);
    onRead(read.events, read.events.length >= limit);
    return read.events.length > 0 && (await dispatch(read.events, read.now)) ? read.events.length : 0;
  };

  return {
    read: (isFull) => {
      const isRound = isFull || hasMore;
      return readPage(rangesFor(isRound), batchSize, (events, isPageFull) => {
        if (isRound) cursor.note(events, isPageFull);
        hasMore = isPageFull;
      });
    },
    readIdle: async () => {
      let found = 0;
      for (let page = 1; page <= maxIdlePages; page++) {
        const busy = [...lanes.all()].filter(isBusy);
        const ranges = rangesWithout(idleCursor.around(served()), busy);
        const dispatched = await readPage(ranges, idleBatchSize, idleCursor.note);
        found += dispatched;
        if (dispatched < idleBatchSize) break;
      }
      return found;
    },
    wake: (shards) => {
      for (const shard of shards) woken.add(shard);
    },
  };
};
