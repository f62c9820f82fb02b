/**
 * What was told since a mark.
 * @public
 */
export interface News {
  /** Where to go on from. */
  readonly mark: string;
  /** Whom it was about; `undefined` when that is not known any more: then anything may have changed. */
  readonly subjects: readonly string[] | undefined;
}

/**
 * Port: how the processes of a platform hear that one of them changes a client or revokes a token. A log that each reads at
 * its own pace; nobody is called, and nothing needs to be stopped. It may lose what it holds, but never without saying so.
 * @public
 */
export interface ClientNews {
  /** Each `since` that begins after this has resolved hears of it. Rejects when it cannot know. */
  tell(subject: string): Promise<void>;
  /**
   * All that was told after the mark was given, and nothing that was told before; in any order, once or more often. `subjects` is
   * `undefined` without a mark, and whenever something may be missing: what was told was too much to keep, or was lost in part.
   * Rejects when it cannot know.
   */
  since(mark: string | undefined): Promise<News>;
}
