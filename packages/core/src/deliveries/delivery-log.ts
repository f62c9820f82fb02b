import type { Page, PageRequest } from '../runtime/page.ts';
import type { EpochMs } from '../runtime/time.ts';
import type { SendOutcome } from './sender.ts';

/**
 * One event for one endpoint, as operators see it.
 *
 * `waiting` for its next attempt; `held` while its endpoint is disabled; `delivered`; `exhausted` after its last attempt;
 * `expired` because its endpoint was deleted.
 * @public
 */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly state: 'waiting' | 'held' | 'delivered' | 'exhausted' | 'expired';
  readonly attempts: number;
}

/**
 * One HTTP POST of a delivery, as it was logged.
 * @public
 */
export type Attempt = SendOutcome & { readonly at: EpochMs };

/**
 * Which deliveries to list.
 * @public
 */
export interface DeliveryFilter {
  readonly endpointId?: string;
  readonly state?: Delivery['state'];
}

/**
 * Port: the operator's half of deliveries.
 * @public
 */
export interface DeliveryLog {
  listDeliveries(accountId: string, filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>>;
  /** The attempts of a delivery of this account, in order. */
  listAttempts(accountId: string, deliveryId: string): Promise<readonly Attempt[]>;
}
