import { type PageRequest, pageLimit, type StoredPage } from '../runtime/page.ts';

/** How a list is read page by page. @internal */
export interface Paging<T> {
  /** Oldest first. */
  readonly rows: Iterable<T>;
  readonly fits: (row: T) => boolean;
  readonly cursorOf: (row: T) => string;
  /** Compares a row with the one that a cursor names: below 0 when it comes before. Absent: it is no cursor. */
  readonly compare: (cursor: string) => ((row: T) => number) | undefined;
  /** How many rows a page looks at, however few of them fit. @defaultValue unlimited */
  readonly maxSeen?: number;
}

/** A cursor names the last row that was seen, so that rows may go meanwhile. @internal */
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

/** The cursor of rows that are numbered. @internal */
export const compareNumber =
  <T>(numberOf: (row: T) => number) =>
  (cursor: string): ((row: T) => number) | undefined =>
    /^\d{1,15}$/.test(cursor) ? (row) => numberOf(row) - Number(cursor) : undefined;
