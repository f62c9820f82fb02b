/**
 * A page of a list, oldest first unless it was asked for otherwise.
 * @public
 */
export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque; hand it back as `after`. Absent on the last page. Only ever read inside its own account. */
  readonly next?: string;
}

/**
 * What a store answers when it is asked for a page.
 * @public
 */
export interface StoredPage<T> extends Page<T> {
  /**
   * `after` is no `next` of this store, and `items` is empty. It is an answer and not a rejection: the caller gets `invalid_cursor`, and
   * nothing reports a failure.
   */
  readonly invalidCursor?: true;
}

/**
 * Which page to read.
 * @public
 */
export interface PageRequest {
  /** The `next` of the page before. */
  readonly after?: string;
  /** 1 to 100. @defaultValue 50 */
  readonly limit?: number;
  /** Read the list from its end. @defaultValue false */
  readonly newestFirst?: boolean;
}

/** How many a page holds at most. What stores use to read one. @public */
export const pageLimit = ({ limit = 50 }: PageRequest): number =>
  typeof limit !== 'number' || Number.isNaN(limit) ? 50 : Math.min(Math.max(Math.trunc(limit), 1), 100);
