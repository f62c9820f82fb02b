import type { DeliveryLog } from './delivery-log.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { ParentPropagation } from './parent-propagation.ts';
import type { ShardStore } from './shard-store.ts';

/** The stores that a worker uses. @internal */
export interface WorkerStores {
  /** Ownership of shards. */
  readonly shards: ShardStore;
  /** Rows of deliveries. */
  readonly deliveries: DeliveryStore;
  /** Events to propagate. */
  readonly parents: ParentPropagation;
  /** Pruning. */
  readonly log: DeliveryLog;
}
