import type { Auditor } from '../../../base/audit/auditor.ts';
import type { HealthChange } from '../../../base/signals/health-change.ts';
import type {
  HealthTransition,
  LoggedAttempt,
  PendingChange,
  Settlement,
  ShardedKey,
} from '../../deliveries/delivery-store.ts';
import type { SendOutcome } from '../../deliveries/sender.ts';
import { healthWrite } from '../../delivery-rules/breaker.ts';
import type { NextStep } from '../../delivery-rules/next-step.ts';
import type { EndpointLane, LoadedDelivery } from './lane.ts';

type QueuedKey = Settlement['queued'][number];

/** What became of a delivery. */
interface Unstored {
  readonly delivery: LoadedDelivery;
  /** Absent: it was not attempted, and goes to the store's queue. */
  readonly attempted?: { readonly outcome: SendOutcome; readonly next: NextStep };
}

/** Outcomes that are stored together. */
interface OutcomeBatch {
  readonly entries: readonly Unstored[];
  /** Scheduled deliveries whose endpoint is unknown. */
  readonly keys: readonly QueuedKey[];
  /** In the order of `settlement.transitions`. */
  readonly changes: readonly (readonly [EndpointLane, HealthChange])[];
  /** Made once: a repeated write must have the same content. */
  readonly settlement: Settlement;
}

/** Outcomes in memory that are not stored. */
export interface Unsettled {
  /** Adds the outcome of an attempt, or a delivery that goes to the store's queue. */
  add(entry: Unstored): void;
  /** Adds a scheduled delivery whose endpoint is unknown: it is queued. */
  addKey(key: QueuedKey): void;
  /** The health of an endpoint is to be stored; `change` is signalled then. */
  addHealth(lane: EndpointLane, change: HealthChange | undefined): void;
  /** Number of deliveries that are not stored. */
  count(): number;
  /** Whether anything waits, or is being stored. */
  isEmpty(): boolean;
  /** Whether a batch waits that is large enough to be stored at once. */
  isFull(): boolean;
  /** The batch to store: the same one until `clear`. */
  batch(): OutcomeBatch;
  /** The batch is stored or dropped. */
  clear(isStored: boolean): void;
  /** Number of the last stored settlement that changed more than the log; 0: there is none. */
  confirmed(): number;
}

const minBatch = 256;
const maxBatch = 512;

const abandoned: SendOutcome = { kind: 'failed', reason: 'abandoned', durationMs: 0 };

const keyOf = ({ shard, accountId, eventId, endpointId, replay }: ShardedKey): ShardedKey => ({
  shard,
  accountId,
  eventId,
  endpointId,
  replay,
});

const queuedKey = (delivery: QueuedKey): QueuedKey => ({
  ...keyOf(delivery),
  ...(delivery.isUrgent ? { isUrgent: true } : {}),
});

const stateOf = ({ kind }: NextStep): LoggedAttempt['state'] =>
  kind === 'delivered' || kind === 'exhausted' ? kind : kind === 'out_of_reach' ? 'expired' : undefined;

/** A settlement under construction. */
interface Draft {
  readonly attempts: LoggedAttempt[];
  readonly pending: PendingChange[];
  readonly queued: QueuedKey[];
  readonly finished: ShardedKey[];
}

const draftQueued = (draft: Draft, delivery: LoadedDelivery, now: number): void => {
  const { attempts, logged } = delivery;
  if (delivery.stored === 'scheduled') draft.queued.push(queuedKey(delivery));
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

/** The entries of the audit trail that changes of health make. */
const auditTypes = {
  endpoint_failing: 'endpoint.failing',
  endpoint_recovered: 'endpoint.recovered',
  endpoint_disabled: 'endpoint.disabled',
} as const;

const transitionOf = (
  lane: EndpointLane,
  change: HealthChange,
  { entry }: Pick<Auditor, 'entry'>,
): HealthTransition => {
  const { id: endpointId, accountId, version } = lane.endpoint;
  const { kind, outcome, ...rest } = change;
  const data = 'lastFailure' in rest ? rest : { ...rest, outcome };
  const by = { type: 'rule', command: 'breaker' } as const;
  const audit = entry({ accountId, type: auditTypes[kind], subjectId: endpointId, by, data });
  const transition = { shard: lane.account.shard, accountId, endpointId, audit };
  return change.kind === 'endpoint_disabled'
    ? { ...transition, disable: { version, reason: change.reason } }
    : transition;
};

const changesMore = ({ pending, queued, finished, health, transitions }: Settlement): boolean =>
  [pending, queued, finished, health, transitions].some(({ length }) => length > 0);

/** Creates the memory of outcomes. */
export const createUnsettled = (now: () => number, auditor: Pick<Auditor, 'entry'>): Unsettled => {
  const waiting: Unstored[] = [];
  const keys: QueuedKey[] = [];
  const changed = new Map<EndpointLane, HealthChange[]>();
  let batches = 0;
  let storing: OutcomeBatch | undefined;
  let confirmed = 0;

  const nextBatch = (): OutcomeBatch => {
    const entries = waiting.splice(0, maxBatch);
    const batchKeys = keys.splice(0);
    const health = [...changed];
    changed.clear();
    const draft: Draft = { attempts: [], pending: [], queued: batchKeys.map(queuedKey), finished: [] };
    const at = now();
    for (const { delivery, attempted } of entries) {
      if (attempted) draftAttempt(draft, delivery, attempted.outcome, attempted.next);
      else draftQueued(draft, delivery, at);
    }
    const enabled = health.filter(([{ endpoint }]) => endpoint.state === 'enabled');
    const changes = health.flatMap(([lane, each]) => each.map((change) => [lane, change] as const));
    const settlement: Settlement = {
      number: ++batches,
      after: confirmed,
      ...draft,
      health: enabled.map(([lane]) => healthWrite(lane.endpoint, lane.health, at)),
      transitions: changes.map(([lane, change]) => transitionOf(lane, change, auditor)),
    };
    return { entries, keys: batchKeys, changes, settlement };
  };

  return {
    add: (entry) => {
      waiting.push(entry);
    },
    addKey: (key) => {
      keys.push(key);
    },
    addHealth: (lane, change) => {
      const changes = changed.get(lane) ?? [];
      if (change) changes.push(change);
      changed.set(lane, changes);
    },
    count: () => waiting.length + (storing?.entries.length ?? 0),
    isEmpty: () => waiting.length === 0 && changed.size === 0 && keys.length === 0 && storing === undefined,
    isFull: () => waiting.length >= minBatch,
    batch: () => {
      storing ??= nextBatch();
      return storing;
    },
    clear: (isStored) => {
      if (isStored && storing && changesMore(storing.settlement)) confirmed = storing.settlement.number;
      storing = undefined;
    },
    confirmed: () => confirmed,
  };
};
