/**
 * Whose idempotency key it is: the key of one client, for one account.
 * @public
 */
export interface AnswerKey {
  readonly accountId: string;
  readonly clientId: string;
  /** As the client sent it. */
  readonly key: string;
}

/**
 * What was answered to a request.
 * @public
 */
export interface KeptAnswer {
  /** A digest of what was asked. */
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Port: answers by idempotency key, kept for 24 hours by the store's clock.
 * @public
 */
export interface AnswerStore<Tx extends object> {
  /**
   * Takes a key inside `tx`: `undefined` when it is this transaction's now, else the answer that was kept. Waits while another transaction
   * holds the key: its commit shows its answer, its rollback leaves the key free.
   */
  take(tx: Tx, key: AnswerKey): Promise<KeptAnswer | undefined>;
  /** Keeps the answer of a key that `tx` has taken. */
  keep(tx: Tx, key: AnswerKey, answer: KeptAnswer): Promise<void>;
}
