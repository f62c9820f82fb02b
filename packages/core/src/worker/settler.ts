import type {
  DeliveryStore,
  HealthTransition,
  LoggedAttempt,
  PendingChange,
  Settlement,
  SettleOutcome,
  ShardedKey,
  StoreState,
} from '../delivery-ports/delivery-store.ts';
import type { SendOutcome } from '../delivery-ports/sender.ts';
import { healthWrite } from '../delivery-rules/breaker.ts';
import type { NextStep } from '../delivery-rules/next-step.ts';
import { callPort } from '../runtime/call-port.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DurationMs, second } from '../runtime/time.ts';
import { type HealthChange, maxCounted } from '../signals/health-change.ts';
import type { Observer } from '../signals/signal.ts';
import { type EndpointLane, type LoadedDelivery, readyCount } from './memory/in-hand.ts';
import type { WorkerErrors } from './worker-errors.ts';

/** What {@link createSettler} calls. @internal */
export interface SettlerDeps {
  readonly store: Pick<DeliveryStore, 'settle'>;
  readonly workerId: string;
  readonly clock: Clock;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  readonly observe: Observer | undefined;
  readonly errors: WorkerErrors;
  /** Whether no attempt is about to end: the batch is then stored at once. */
  readonly isQuiet: () => boolean;
  /** Whether to drop unstored outcomes: the worker was fenced, or it stops while the storage fails. */
  readonly givesUp: () => boolean;
  /**
   * A delivery is settled or pending (`isStored`), or was dropped; the next owner of its shard must then find it
   * unchanged.
   */
  readonly onDone: (delivery: LoadedDelivery, isStored: boolean) => void;
  /** A key given to `queueKey` is stored or dropped. */
  readonly onKeyDone: (key: ShardedKey) => void;
  /** Receives the state of the store. */
  readonly onState: (state: StoreState) => void;
  /** The worker's row was deleted. */
  readonly onFenced: () => void;
}

/** The outcome of one delivery. */
interface Entry {
  readonly delivery: LoadedDelivery;
  /** Absent: it was not attempted, and goes to the store's queue. */
  readonly attempted?: { readonly outcome: SendOutcome; readonly next: NextStep };
}

/** Stores the outcomes of attempts. @internal */
export interface Settler {
  /** Stores the outcome of an attempt. */
  add(delivery: LoadedDelivery, outcome: SendOutcome, next: NextStep): void;
  /** Writes a delivery that was not attempted to the store's queue. */
  queue(delivery: LoadedDelivery): void;
  /** Queues a scheduled delivery whose endpoint is unknown. */
  queueKey(key: ShardedKey): void;
  /** Stores the health of an endpoint, and signals its change. */
  noteHealth(lane: EndpointLane, change: HealthChange | undefined): void;
  /** Deliveries that are not stored. */
  unsettled(): number;
  /** How often queueing started or ended: a queue read meanwhile may be outdated. */
  queueWrites(): number;
  /** Stores the current batch now. */
  flush(): void;
  /** Resolves when everything is stored or dropped. */
  idle(): Promise<void>;
}

const minBatch = 256;
const maxBatch = 512;
const maxWait: DurationMs = 20;
const retryEvery: DurationMs = second;
const never = new AbortController().signal;

const abandoned: SendOutcome = { kind: 'failed', reason: 'abandoned', durationMs: 0 };

const keyOf = ({ shard, accountId, eventId, endpointId, replay }: ShardedKey): ShardedKey => ({
  shard,
  accountId,
  eventId,
  endpointId,
  replay,
});

const stateOf = ({ kind }: NextStep): LoggedAttempt['state'] =>
  kind === 'delivered' || kind === 'exhausted' ? kind : kind === 'out_of_reach' ? 'expired' : undefined;

/** A settlement under construction. */
interface Draft {
  readonly attempts: LoggedAttempt[];
  readonly pending: PendingChange[];
  readonly queued: ShardedKey[];
  readonly finished: ShardedKey[];
}

const draftQueued = (draft: Draft, delivery: LoadedDelivery, now: number): void => {
  const { attempts, logged } = delivery;
  if (delivery.stored === 'scheduled') draft.queued.push(keyOf(delivery));
  else if (delivery.stored === 'fresh')
    // Keeps its position in the queue: due since it was dispatched.
    draft.pending.push({
      ...{ ...keyOf(delivery), dueIn: delivery.since - now, attempts, logged },
      ...(delivery.isUrgent ? { state: 'scheduled', isUrgent: true } : { state: 'queued' }),
    });
};

const draftAttempt = (draft: Draft, delivery: LoadedDelivery, outcome: SendOutcome, next: NextStep): void => {
  const { accountId, eventId, endpointId, replay, stored, wasAbandoned } = delivery;
  let { logged } = delivery;
  const log = (logOutcome: SendOutcome, state: LoggedAttempt['state']): void => {
    logged++;
    const row = { accountId, eventId, endpointId, replay, number: logged, outcome: logOutcome };
    draft.attempts.push(state === undefined ? row : { ...row, state });
  };
  if (wasAbandoned) log(abandoned, undefined);
  const state = stateOf(next);
  log(outcome, state);
  if (state !== undefined) {
    if (stored !== 'fresh') draft.finished.push(keyOf(delivery));
    return;
  }
  const isRetry = next.kind === 'retry';
  draft.pending.push({
    ...keyOf(delivery),
    state: isRetry ? 'scheduled' : 'queued',
    dueIn: next.retryIn,
    attempts: delivery.attempts + (isRetry ? 1 : 0),
    logged,
  });
};

/**
 * Settles in batches: while one is stored, the next one collects.
 * @internal
 */
export const createSettler = (deps: SettlerDeps): Settler => {
  const { store, workerId, clock, now, observe, errors, isQuiet, givesUp, onDone, onKeyDone, onState, onFenced } = deps;
  const waiting: Entry[] = [];
  const keys: ShardedKey[] = [];
  const changed = new Map<EndpointLane, readonly HealthChange[]>();
  let storing = 0;
  let queueWrites = 0;
  let flushing: Promise<void> | undefined;
  let isTimed = false;
  /**
   * Outcomes are dropped only after one failed write: the process may have been suspended for longer than it would
   * wait.
   */
  let hasGivenUp = false;

  const transitionOf = (lane: EndpointLane, change: HealthChange): HealthTransition => {
    const { id: endpointId, accountId, version } = lane.endpoint;
    const transition = { shard: lane.account.shard, accountId, endpointId };
    return change.kind === 'endpoint_disabled'
      ? { ...transition, disable: { version, reason: change.reason } }
      : transition;
  };

  const signal = (changes: readonly (readonly [EndpointLane, HealthChange])[], settled: SettleOutcome): void => {
    for (const [index, [lane, change]] of changes.entries()) {
      const { isDisabled = false, pending = 0 } = settled.transitions[index] ?? {};
      if (change.kind === 'endpoint_disabled' && !isDisabled) continue;
      const { accountId, id: endpointId } = lane.endpoint;
      const unfinished = Math.min(pending + readyCount(lane) + lane.inFlight, maxCounted);
      observe?.({ ...change, accountId, endpointId, unfinished });
    }
  };

  const draftOf = (
    entries: readonly Entry[],
    queuedKeys: readonly ShardedKey[],
    health: ReadonlyMap<EndpointLane, readonly HealthChange[]>,
  ) => {
    const draft: Draft = { attempts: [], pending: [], queued: queuedKeys.map(keyOf), finished: [] };
    const at = now();
    for (const { delivery, attempted } of entries) {
      if (attempted) draftAttempt(draft, delivery, attempted.outcome, attempted.next);
      else draftQueued(draft, delivery, at);
    }
    const enabled = [...health.keys()].filter(({ endpoint }) => endpoint.state === 'enabled');
    const writes = enabled.map((lane) => healthWrite(lane.endpoint, lane.health, at));
    const changes = [...health].flatMap(([lane, each]) => each.map((change) => [lane, change] as const));
    const transitions = changes.map(([lane, change]) => transitionOf(lane, change));
    const settlement: Settlement = { ...draft, health: writes, transitions };
    return { settlement, changes };
  };

  /** Retries until stored or dropped. A repeated settlement changes nothing more. */
  const storeUntilDone = async (settlement: Settlement): Promise<SettleOutcome | undefined> => {
    for (;;) {
      const stored = await errors.orElse(
        'settle',
        callPort(() => store.settle(workerId, settlement)),
        undefined,
      );
      if (stored === 'fenced') {
        onFenced();
        return undefined;
      }
      if (stored) return stored;
      if (givesUp()) return undefined;
      await clock.sleep(retryEvery, never);
      if (givesUp()) return undefined;
    }
  };

  const storeBatch = async (): Promise<void> => {
    const entries = waiting.splice(0, maxBatch);
    const queuedKeys = keys.splice(0);
    const health = new Map(changed);
    changed.clear();
    storing = entries.length;
    const { settlement, changes } = draftOf(entries, queuedKeys, health);
    const settled = hasGivenUp ? undefined : await storeUntilDone(settlement);
    hasGivenUp ||= !settled;
    storing = 0;
    for (const { delivery, attempted } of entries) {
      if (!attempted || attempted.next.kind === 'gone') {
        delivery.lane.queueing--;
        queueWrites++;
      }
      onDone(delivery, settled !== undefined);
    }
    for (const key of queuedKeys) onKeyDone(key);
    if (!settled) return;
    onState(settled);
    signal(changes, settled);
  };

  const hasMore = (): boolean => waiting.length > 0 || changed.size > 0 || keys.length > 0;

  const run = async (): Promise<void> => {
    while (hasMore()) {
      await storeBatch();
      if (waiting.length < minBatch && !isQuiet()) break;
    }
    flushing = undefined;
    if (hasMore()) soon();
  };

  const flush = (): void => {
    if (hasMore()) flushing ??= run();
  };

  const soon = (): void => {
    if (flushing) return;
    if (waiting.length >= minBatch || isQuiet()) {
      flush();
      return;
    }
    if (isTimed) return;
    isTimed = true;
    void clock.sleep(maxWait, never).then(() => {
      isTimed = false;
      flush();
    });
  };

  const queueing = (delivery: LoadedDelivery): void => {
    delivery.lane.queueing++;
    delivery.lane.queue = 'some';
    queueWrites++;
  };

  return {
    add: (delivery, outcome, next) => {
      if (next.kind === 'gone') queueing(delivery);
      waiting.push({ delivery, attempted: { outcome, next } });
      soon();
    },
    queue: (delivery) => {
      queueing(delivery);
      waiting.push({ delivery });
      soon();
    },
    queueKey: (key) => {
      keys.push(key);
      soon();
    },
    noteHealth: (lane, change) => {
      changed.set(lane, [...(changed.get(lane) ?? []), ...(change ? [change] : [])]);
    },
    unsettled: () => waiting.length + storing,
    queueWrites: () => queueWrites,
    flush,
    idle: async () => {
      while (hasMore() || flushing) {
        flush();
        await flushing;
      }
    },
  };
};
