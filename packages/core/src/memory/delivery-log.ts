import type { DeliveryLog } from '../log/delivery-log.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Wakes } from '../shards/wakes.ts';
import { countBacklog } from './backlog.ts';
import { createFacts, isAttempt } from './delivery-facts.ts';
import { findDelivery } from './delivery-rows.ts';
import type { EndpointHistory } from './endpoint-history.ts';
import { readExplainSnapshot } from './explain-snapshot.ts';
import type { UsedKeys } from './idempotency.ts';
import { listDeliveries } from './list-deliveries.ts';
import { pruneShards } from './prune.ts';
import { replayEvents } from './replay.ts';
import { sendAgain } from './send-again.ts';
import { readStatistics } from './statistics.ts';
import type { MemoryState } from './store-state.ts';
import type { Tables } from './tables.ts';

/** What {@link memoryLog} uses. @internal */
export interface LogDeps {
  readonly tables: Tables;
  readonly keys: UsedKeys;
  readonly history: EndpointHistory;
  readonly state: MemoryState;
  readonly wakes: Wakes;
  readonly clock: Clock;
}

/** The log of deliveries in memory. @internal */
export const memoryLog = ({ tables, keys, history, state, wakes, clock }: LogDeps): DeliveryLog => {
  const facts = createFacts(history);
  return {
    listDeliveries: listDeliveries(tables, facts),
    listAttempts: async (key) =>
      (findDelivery(tables, key)?.log ?? []).filter(isAttempt).map(({ outcome, at }) => ({ ...outcome, at })),
    readExplainSnapshot: readExplainSnapshot(tables, facts, history, clock),
    sendAgain: sendAgain(tables, facts, wakes, clock),
    replay: replayEvents(tables, { facts, state, wakes, clock }),
    readStatistics: readStatistics(tables, clock),
    countBacklog: countBacklog(tables, clock),
    prune: pruneShards(tables, keys, history, clock),
  };
};
