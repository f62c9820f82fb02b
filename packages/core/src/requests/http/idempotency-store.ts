/**
 * An idempotency key: of one client, for one account.
 * @public
 */
export interface IdempotencyKey {
  readonly accountId: string;
  readonly clientId: string;
  /** As the client sent it. */
  readonly key: string;
}

/**
 * A response to a request with an idempotency key.
 * @public
 */
export interface StoredResponse {
  /** A digest of the request. */
  readonly requestHash: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Port: responses by idempotency key, kept for 24 hours by the store's clock.
 * @public
 */
export interface IdempotencyStore<Tx extends object> {
  /**
   * Claims a key inside `tx`: `undefined` when `tx` has it now, else the stored response. Waits while another transaction holds the key:
   * its commit shows its response, its rollback leaves the key free.
   */
  claim(tx: Tx, key: IdempotencyKey): Promise<StoredResponse | undefined>;
  /** Stores the response of a key that `tx` has claimed. */
  complete(tx: Tx, key: IdempotencyKey, response: StoredResponse): Promise<void>;
}
