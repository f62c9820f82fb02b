import type { PageRequest, StoredPage } from '../runtime/page.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * How many endpoints hold a value sealed with one key.
 * @public
 */
export interface SealingKeyCount {
  readonly keyId: string;
  readonly endpoints: number;
}

/**
 * Port: endpoints.
 *
 * - Every change of an endpoint (also that by `DeliveryStore.settle`) raises the endpoint version of its account's shard in the same act
 *   (`StoreState`), and notes how the endpoint stands from then on, for `DeliveryLog.readExplainSnapshot`.
 * - A change costs the same however many deliveries the endpoint has: deliveries of an endpoint that is not enabled are held, and those of one
 *   that is gone are expired, by what the endpoint is. Their rows stay as they are.
 * @public
 */
export interface EndpointStore {
  /** `false` when the account has `most` endpoints already; exact under N racers. Rejects when the id exists. */
  insertEndpoint(endpoint: Endpoint, most: number): Promise<boolean>;
  findEndpoint(accountId: string, endpointId: string): Promise<Endpoint | undefined>;
  listEndpoints(accountId: string, page: PageRequest): Promise<StoredPage<Endpoint>>;
  /**
   * The endpoints of all accounts, in an order that changes of them do not affect: one that exists throughout is on exactly one page. No
   * partner sees them.
   */
  listAllEndpoints(page: PageRequest): Promise<StoredPage<Endpoint>>;
  /**
   * For each key that sealed a `secret`, a `nextSecret` or an API key, as `sealingKeyId` names it: how many endpoints of all accounts hold
   * such a value. An endpoint counts once for each of its keys; the order is free.
   */
  countBySealingKey(): Promise<readonly SealingKeyCount[]>;
  /**
   * Stores it with `version + 1` if the stored version still equals `endpoint.version`: exactly one of N racers gets `true`.
   * In the same act, leaving `enabled` and returning to it deletes the endpoint's health.
   */
  replaceEndpoint(endpoint: Endpoint): Promise<boolean>;
  /** `false` when there was none. Its health is deleted with it. */
  deleteEndpoint(accountId: string, endpointId: string): Promise<boolean>;
}
