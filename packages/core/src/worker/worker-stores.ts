import type { DeliveryLog } from '../delivery-ports/delivery-log.ts';
import type { DeliveryStore } from '../delivery-ports/delivery-store.ts';
import type { ParentPropagation } from '../delivery-ports/parent-propagation.ts';
import type { ShardStore } from '../delivery-ports/shard-store.ts';

/** The stores that a worker uses. @internal */
export interface WorkerStores {
  /** Ownership of shards. */
  readonly shards: ShardStore;
  /** Rows of deliveries. */
  readonly deliveries: DeliveryStore;
  /** Events to propagate. */
  readonly parents: ParentPropagation;
  /** Pruning. */
  readonly log: Pick<DeliveryLog, 'prune'>;
}
