/**
 * An idempotency key of one client, for one account.
 * @public
 */
export interface IdempotencyKey {
  /** The account of the request's path. */
  readonly accountId: string;
  /** The client that sent the request. */
  readonly clientId: string;
  /** The value of `Idempotency-Key`, as sent. */
  readonly key: string;
}

/**
 * The response to a request with an idempotency key.
 * @public
 */
export interface StoredResponse {
  /** SHA-256 of the account's environment, path and body. */
  readonly requestHash: string;
  /** HTTP status. */
  readonly status: number;
  /** HTTP headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** HTTP body. */
  readonly body: string;
}

/**
 * Port: responses by idempotency key, stored for 24 hours by the store's clock.
 * @public
 */
export interface IdempotencyStore<Tx extends object> {
  /**
   * Claims a key inside `tx`.
   *
   * - Returns `undefined` when `tx` now holds the key, else the stored response.
   * - Waits while another open transaction holds the key: its commit yields its response, its rollback frees the key.
   */
  claim(tx: Tx, key: IdempotencyKey): Promise<StoredResponse | undefined>;
  /** Stores the response of a key that `tx` has claimed. */
  complete(tx: Tx, key: IdempotencyKey, response: StoredResponse): Promise<void>;
}
