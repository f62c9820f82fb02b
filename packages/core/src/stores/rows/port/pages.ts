import { type PageRequest, pageLimit, type StoredPage } from '../../../base/pagination/page.ts';
import type { Plan, Step } from './row-store.ts';
import type { AnyRange } from './sql.ts';

/** The part of an index by position that a page reads. */
export interface PositionBounds {
  readonly range: { readonly before?: readonly [number]; readonly after?: readonly [number] };
  readonly options: { readonly limit: number; readonly newestFirst: boolean };
}

/** Whether a text of a cursor is a position: a safe integer. */
export const isPosition = (text: string): boolean => /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));

/**
 * Reads a page of rows in the order of their positions. The cursor is a position, so rows may be deleted between pages.
 */
export function* readPositions<R extends { readonly position: number }>(
  page: PageRequest,
  read: (bounds: PositionBounds) => Step<readonly R[]>,
): Plan<StoredPage<R>> {
  const { after, newestFirst = false } = page;
  if (after !== undefined && !isPosition(after)) return { items: [], invalidCursor: true };
  const limit = pageLimit(page);
  const bound: readonly [number] = [Number(after)];
  const found = yield* read({
    range: after === undefined ? {} : newestFirst ? { before: bound } : { after: bound },
    options: { limit: limit + 1, newestFirst },
  });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return last && found.length > limit ? { items, next: String(last.position) } : { items };
}

/**
 * The rest of ranges after a row: of the range with this prefix, what comes after these values; then those behind it.
 */
export const rangesAfter = <R extends AnyRange>(
  ranges: readonly R[],
  prefix: R['prefix'],
  after: NonNullable<R['after']>,
): readonly R[] => {
  const at = ranges.findIndex((range) => range.prefix.every((value, nth) => value === prefix[nth]));
  return [{ ...(ranges[at] as R), from: undefined, after }, ...ranges.slice(at + 1)];
};
