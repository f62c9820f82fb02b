import type { NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { PageRequest, StoredPage } from '../../base/pagination/page.ts';
import type { DurationMs, EpochMs, EpochSeconds } from '../../base/runtime/time.ts';
import type { Client, RefusedLogin } from './client.ts';
import type { UsageDay } from './client-usage.ts';

/**
 * Port: clients and revoked tokens. Core computes each change as a pure function and stores it by compare-and-swap.
 * With `audit`, a call that makes its change writes this entry, too, in the same transaction (see `AuditStore`).
 * @public
 */
export interface ClientStore {
  /** Stores a new client. Rejects when the id exists. */
  insertClient(client: Client, audit?: NewAuditEntry): Promise<void>;
  /** Reads a client; `undefined` when there is none. */
  findClient(clientId: string): Promise<Client | undefined>;
  /** Lists the clients of an account. */
  listClients(accountId: string, page: PageRequest): Promise<StoredPage<Client>>;
  /**
   * Lists the clients of all accounts, by an index that exists for it.
   *
   * - The order is that of the store: always the same, whatever changes.
   * - A client that exists throughout is on exactly one page.
   */
  listAllClients(page: Omit<PageRequest, 'newestFirst'>): Promise<StoredPage<Client>>;
  /**
   * Replaces a client.
   *
   * - Stores it with `version + 1` if the stored version equals `client.version`; returns whether it did.
   * - Exactly one of N simultaneous calls for a version returns `true`.
   * - Keeps a later `lastUsedAt` that {@link ClientStore.touchSecret} wrote meanwhile.
   */
  replaceClient(client: Client, audit?: NewAuditEntry): Promise<boolean>;
  /**
   * Deletes a client with its secrets.
   *
   * - Deletes it if the stored version equals `client.version`; returns whether it did.
   * - Of N simultaneous calls that delete or replace a version, exactly one returns `true`.
   */
  deleteClient(client: Client, audit?: NewAuditEntry): Promise<boolean>;
  /**
   * Records a login in `lastUsedAt`.
   *
   * - Never moves it back; does not change `version`.
   * - A missing client or secret is no error.
   */
  touchSecret(clientId: string, secretId: string, at: EpochMs): Promise<void>;
  /**
   * Records a refused login in `lastRefusal`.
   *
   * - Writes nothing while the stored one is later, or less than `every` milliseconds older.
   * - Does not change `version`; {@link ClientStore.replaceClient} keeps what is stored.
   * - A missing client is no error.
   */
  noteRefusal(clientId: string, refusal: RefusedLogin, every: DurationMs): Promise<void>;
  /**
   * Adds the calls of days. At most one entry names a client and a day.
   *
   * - Adds `calls` to what is stored of the day; keeps the later `lastCallAt` and the later `lastRefusal`.
   * - Simultaneous calls lose nothing.
   * - Deletes the earlier days than `since` of the clients that it names, and of no other: a client that stops calling
   *   keeps its last days.
   * - An unknown client is no error. The days go with their client.
   * - Does not change `version`.
   */
  addUsage(days: readonly UsageDay[], since: string): Promise<void>;
  /** Reads all days of clients, by one query; the order is free. */
  readUsage(clientIds: readonly string[]): Promise<readonly UsageDay[]>;
  /**
   * Revokes a token that expires at `until`. The store can delete the entry a day later, whatever the skew of clocks.
   */
  revokeToken(jti: string, until: EpochSeconds, audit?: NewAuditEntry): Promise<void>;
  /** Whether a token is revoked. */
  isTokenRevoked(jti: string): Promise<boolean>;
}
