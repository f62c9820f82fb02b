import type {
  DeliveryStore,
  HealthTransition,
  HealthWrite,
  LoggedAttempt,
  SettleOutcome,
  ShardedKey,
} from '../delivery-ports/delivery-store.ts';
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

  const change = ({ accountId, endpointId, disable }: HealthTransition): SettleOutcome['transitions'][number] => {
    const isDisabled =
      disable !== undefined && endpoints.disable(accountId, endpointId, disable.version, disable.reason);
    const pending = tables.findAccount(accountId)?.pending.get(endpointId)?.rows.size ?? 0;
    return { isDisabled, pending: Math.min(pending, maxCounted) };
  };

  return async (workerId, { attempts, pending, queued, finished, health, transitions }) => {
    if (!tables.workers.has(workerId)) return 'fenced';
    const now = clock.now();
    for (const attempt of attempts) log(attempt, now);
    for (const each of pending) {
      const event = tables.findDispatched(each.accountId, each.eventId);
      if (event) putPending(pendingRow(deliveryRow(event, each.endpointId, each.replay), each, now));
    }
    for (const key of queued) queue(key);
    for (const key of finished) finish(key);
    for (const write of health) writeHealth(write, now);
    const changed = transitions.map(change);
    return { ...state.read(), transitions: changed };
  };
};
