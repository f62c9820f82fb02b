import type { PageRequest, StoredPage } from '../runtime/page.ts';
import type { Endpoint } from './endpoint.ts';

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
