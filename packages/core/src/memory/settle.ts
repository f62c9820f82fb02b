import type {
  DeliveryStore,
  HealthTransition,
  HealthWrite,
  LoggedAttempt,
  PendingChange,
  ShardedKey,
} from '../deliveries/delivery-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EpochMs } from '../runtime/time.ts';
import { maxCounted } from '../signals/health-change.ts';
import { addToLog, deliveryRow, dropIfEmpty, findDelivery } from './delivery-rows.ts';
import { pendingRow } from './dispatch.ts';
import { healthRow } from './endpoint-health.ts';
import type { MemoryEndpoints } from './endpoint-store.ts';
import { putPending, removePending } from './pending.ts';
import type { MemoryState } from './store-state.ts';
import type { Tables } from './tables.ts';

/** Stores the outcomes of attempts. @internal */
export const settleAttempts = (
  tables: Tables,
  endpoints: MemoryEndpoints,
  state: MemoryState,
  clock: Clock,
): DeliveryStore['settle'] => {
  const log = (
    { accountId, eventId, endpointId, replay, number, outcome, ...rest }: LoggedAttempt,
    at: EpochMs,
  ): void => {
    const event = tables.findDispatched(accountId, eventId);
    if (event) addToLog(deliveryRow(event, endpointId, replay), { number, at, outcome, ...rest });
  };

  const store = (change: PendingChange, now: EpochMs): void => {
    const event = tables.findDispatched(change.accountId, change.eventId);
    if (event) putPending(pendingRow(deliveryRow(event, change.endpointId, change.replay), change, now));
  };

  const queue = (key: ShardedKey): void => {
    const pending = findDelivery(tables, key)?.pending;
    if (pending?.state === 'scheduled') putPending({ ...pending, state: 'queued', isUrgent: false });
  };

  const finish = (key: ShardedKey): void => {
    const delivery = findDelivery(tables, key);
    if (!delivery) return;
    removePending(delivery);
    dropIfEmpty(delivery);
  };

  const writeHealth = ({ accountId, endpointId, version, health }: HealthWrite, now: EpochMs): void => {
    const row = tables.findAccount(accountId)?.endpoints.get(endpointId);
    if (row?.endpoint.version !== version || row.endpoint.state !== 'enabled') return;
    row.health = health && healthRow(health, now);
  };

  const disable = ({ accountId, endpointId, disable: change }: HealthTransition): boolean =>
    change !== undefined && endpoints.disable(accountId, endpointId, change.version, change.reason);

  const countPending = ({ accountId, endpointId }: HealthTransition): number =>
    Math.min(tables.findAccount(accountId)?.pending.get(endpointId)?.rows.size ?? 0, maxCounted);

  return async (workerId, { number, attempts, pending, queued, finished, health, transitions }, knownVersion) => {
    const worker = tables.workers.get(workerId);
    if (!worker) return 'fenced';
    const now = clock.now();
    for (const attempt of attempts) log(attempt, now);
    const isLate = number <= worker.settled;
    if (!isLate) {
      worker.settled = number;
      for (const each of pending) store(each, now);
      for (const key of queued) queue(key);
      for (const key of finished) finish(key);
      for (const write of health) writeHealth(write, now);
    }
    const changed = transitions.map((transition) => ({
      isDisabled: !isLate && disable(transition),
      pending: countPending(transition),
    }));
    return { ...state.read(knownVersion), transitions: changed };
  };
};
