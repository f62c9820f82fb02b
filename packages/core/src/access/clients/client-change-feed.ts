/**
 * The changes since a cursor.
 * @public
 */
export interface ClientChanges {
  /** Cursor for the next read. */
  readonly cursor: string;
  /** Ids of the changed clients and tokens; `undefined` when changes may be missing, so that any may have changed. */
  readonly subjects: readonly string[] | undefined;
}

/**
 * Port: announces changes of clients and revoked tokens to the other processes of a platform.
 *
 * - A log that each process reads at its own pace: the feed calls nobody and needs no shutdown.
 * - It may lose entries, but always reports the loss.
 * @public
 */
export interface ClientChangeFeed {
  /**
   * Announces that a client or a token changes.
   *
   * - Every `changesSince` that starts after this resolved returns the subject.
   * - Rejects when that is not certain.
   */
  announce(subject: string): Promise<void>;
  /**
   * Reads the subjects that were announced after the cursor was returned.
   *
   * - Returns none that were announced before; the order is free, and duplicates are allowed.
   * - `subjects` is `undefined` without a cursor, and when entries were dropped or lost.
   * - Rejects when it cannot know.
   */
  changesSince(cursor: string | undefined): Promise<ClientChanges>;
}
