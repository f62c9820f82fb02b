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
   * In the same act, leaving `enabled` holds the deliveries that wait, and returning to it releases them, each to be
   * attempted when it was due anyway. Either way the endpoint's `Health` is forgotten.
   */
  replaceEndpoint(endpoint: Endpoint): Promise<boolean>;
  /**
   * `false` when there was none. What waits or is held for it expires in the same act; what is being attempted, should that
   * fail.
   */
  deleteEndpoint(accountId: string, endpointId: string): Promise<boolean>;
}
