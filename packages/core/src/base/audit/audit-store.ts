import type { PageRequest, StoredPage } from '../pagination/page.ts';
import type { DurationMs } from '../runtime/time.ts';
import type { AuditEntry, NewAuditEntry } from './audit-entry.ts';

/**
 * An entry as its link protects it.
 * @public
 */
export interface LinkedEntry extends AuditEntry, ChainPlace {}

/**
 * A place in the chain of a shard.
 * @public
 */
export interface ChainPlace {
  /** Position of an entry: 1, 2, 3, …; 0: before the first one. */
  readonly position: number;
  /** HMAC of the entry at this position and the link before it, in Base64. Empty at 0. */
  readonly link: string;
}

/**
 * The chain of a shard.
 * @public
 */
export interface AuditChain {
  readonly shard: number;
  /** The last linked entry. */
  readonly last: ChainPlace;
  /** The last pruned entry: what is left follows it. */
  readonly pruned: ChainPlace;
}

/**
 * Port: the audit trail. Entries are written by the calls that make a change, with their argument `audit`, in the same
 * transaction: both are stored, or neither.
 *
 * - The time of an entry is that of the store's clock.
 * - An entry with a stored id is left out: it was written before.
 * - Each registered handler that selects `Operations.` and the type gets a delivery of the entry, in the same
 *   transaction, due now (see `HandlerStore`); its body is the entry's envelope.
 * - Entries have no link until {@link AuditStore.link}: no change waits for another one.
 * @public
 */
export interface AuditStore<Tx extends object = object> {
  /**
   * Writes entries without a change: facts of time, and what happened in a transaction of the host.
   *
   * - With `tx`, joins this transaction of the host, and waits for no other one.
   */
  tell(entries: readonly NewAuditEntry[], tx?: Tx): Promise<void>;
  /**
   * Lists the entries of an account, or of all accounts, in the order of their ids. `next` is the id of the last one:
   * two stores can be listed as one.
   */
  listEntries(accountId: string | undefined, page: PageRequest): Promise<StoredPage<AuditEntry>>;
  /** Reads the chains of shards, in the order given. A shard without entries has places at 0. */
  readChains(shards: readonly number[]): Promise<readonly AuditChain[]>;
  /** Reads the shards among these that have entries without a link. */
  readUnlinkedShards(shards: readonly number[]): Promise<readonly number[]>;
  /** Reads entries of a shard that have no link, at most `limit`, in any order. */
  readUnlinked(shard: number, limit: number): Promise<readonly AuditEntry[]>;
  /**
   * Links entries at the positions after `last`.
   *
   * - Changes nothing and resolves to `false` when the last place of the chain is not `last`: another worker linked.
   */
  link(shard: number, last: ChainPlace, entries: readonly (ChainPlace & { readonly id: string })[]): Promise<boolean>;
  /** Reads linked entries of a shard after a position, at most `limit`, in the order of positions. */
  readLinked(shard: number, after: number, limit: number): Promise<readonly LinkedEntry[]>;
  /**
   * Deletes linked entries older than `age` from the start of the chain, at most `limit`, with their deliveries to
   * handlers, and notes the place of the last one as `pruned`. Resolves to whether there may be more.
   */
  pruneEntries(shard: number, age: DurationMs, limit: number): Promise<boolean>;
}
