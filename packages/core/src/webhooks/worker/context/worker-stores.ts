import type { AuditStore } from '../../../base/audit/audit-store.ts';
import type { DeliveryStore } from '../../deliveries/delivery-store.ts';
import type { ParentPropagation } from '../../deliveries/parent-propagation.ts';
import type { DeliveryLog } from '../../log/delivery-log.ts';
import type { ShardStore } from '../../shards/shard-store.ts';

/** The stores that a worker uses. */
export interface WorkerStores {
  /** Ownership of shards. */
  readonly shards: Omit<ShardStore, 'hasWorkers'>;
  /** Rows of deliveries. */
  readonly deliveries: DeliveryStore;
  /** Events to propagate. */
  readonly parents: ParentPropagation;
  /** Entries of facts of time, links and pruning of the audit trail. */
  readonly audit: Omit<AuditStore, 'listEntries' | 'readLinked'>;
  /** Pruning, endpoints that fail for long, and failed deliveries. */
  readonly log: Pick<DeliveryLog, 'prune' | 'readFailing' | 'readFailedHours' | 'deleteFailedHours'>;
}
