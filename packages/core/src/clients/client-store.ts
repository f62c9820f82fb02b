import type { PageRequest, StoredPage } from '../runtime/page.ts';
import type { EpochMs, EpochSeconds } from '../runtime/time.ts';
import type { Client } from './client.ts';

/**
 * Port: clients and revoked tokens. Every change is a pure `Client -> Client` in core, then one compare-and-swap here.
 * @public
 */
export interface ClientStore {
  /** Rejects when the id exists. */
  insertClient(client: Client): Promise<void>;
  findClient(clientId: string): Promise<Client | undefined>;
  listClients(accountId: string, page: PageRequest): Promise<StoredPage<Client>>;
  /**
   * Stores it with `version + 1` if the stored version still equals `client.version`: exactly one of N racers gets `true`.
   * Never takes back a `lastUsedAt` that {@link ClientStore.touchSecret} wrote meanwhile.
   */
  replaceClient(client: Client): Promise<boolean>;
  /** Notes a login. Never moves back, does not change `version`; a missing client or secret is no error. */
  touchSecret(clientId: string, secretId: string, at: EpochMs): Promise<void>;
  /** May forget the token a day after `until`: by then it has expired by itself, whichever clock is asked. */
  revokeToken(jti: string, until: EpochSeconds): Promise<void>;
  isTokenRevoked(jti: string): Promise<boolean>;
}
