import { type PageRequest, pageLimit, type StoredPage } from '../pagination/page.ts';

/** How to read a list by pages. @internal */
export interface Paging<T> {
  /** Oldest first. */
  readonly rows: Iterable<T>;
  /** Whether the filter accepts a row. */
  readonly fits: (row: T) => boolean;
  /** The cursor of a row. */
  readonly cursorOf: (row: T) => string;
  /** Compares a row with the cursor's row: below 0 when it comes before. `undefined`: a malformed cursor. */
  readonly compare: (cursor: string) => ((row: T) => number) | undefined;
  /** Maximum number of rows that a page reads. @defaultValue unlimited */
  readonly maxSeen?: number;
}

/** Reads a page. The cursor names the last row read, so rows may be deleted between pages. @internal */
export const readPage = <T>(
  { rows, fits, cursorOf, compare, maxSeen = Number.POSITIVE_INFINITY }: Paging<T>,
  request: PageRequest,
): StoredPage<T> => {
  const { after, newestFirst = false } = request;
  const compared = after === undefined ? undefined : compare(after);
  if (after !== undefined && !compared) return { items: [], invalidCursor: true };
  const direction = newestFirst ? -1 : 1;
  const limit = pageLimit(request);
  const items: T[] = [];
  let last: T | undefined;
  let seen = 0;
  for (const row of newestFirst ? [...rows].reverse() : rows) {
    if (compared && compared(row) * direction <= 0) continue;
    const doesFit = seen < maxSeen && fits(row);
    if (last !== undefined && (seen === maxSeen || (doesFit && items.length === limit)))
      return { items, next: cursorOf(last) };
    seen++;
    last = row;
    if (doesFit) items.push(row);
  }
  return { items };
};

/** Compares numbered rows with a cursor. @internal */
export const compareNumber =
  <T>(numberOf: (row: T) => number) =>
  (cursor: string): ((row: T) => number) | undefined =>
    /^\d{1,15}$/.test(cursor) ? (row) => numberOf(row) - Number(cursor) : undefined;
