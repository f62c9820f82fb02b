/**
 * A page of a list, by default oldest first.
 * @public
 */
export interface Page<T> {
  /** The items of the page. */
  readonly items: readonly T[];
  /** Opaque cursor of the next page, for `after`. Absent on the last page. */
  readonly next?: string;
}

/**
 * A page, as a store returns it.
 * @public
 */
export interface StoredPage<T> extends Page<T> {
  /**
   * `after` is not a cursor of this store, and `items` is empty. The caller gets `invalid_cursor`. A rejection would be
   * reported as a failure of the store.
   */
  readonly invalidCursor?: true;
}

/**
 * The page to read.
 * @public
 */
export interface PageRequest {
  /** The `next` of the previous page. @defaultValue the first page */
  readonly after?: string;
  /** Maximum number of items, 1 to 100. @defaultValue 50 */
  readonly limit?: number;
  /** Whether to read the list from its end. @defaultValue false */
  readonly newestFirst?: boolean;
}

/**
 * The limit of a page, 1 to 100; stores use it.
 * @example
 * pageLimit({}); // 50
 * pageLimit({ limit: 1_000 }); // 100
 * @public
 */
export const pageLimit = ({ limit = 50 }: PageRequest): number =>
  typeof limit !== 'number' || Number.isNaN(limit) ? 50 : Math.min(Math.max(Math.trunc(limit), 1), 100);
