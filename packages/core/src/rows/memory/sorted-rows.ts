import type { AnyRow, RowOrder } from './row-order.ts';

/** Large enough for few chunks, small enough to shift within. */
const maxChunk = 512;

/** The position of a row: its chunk, and its place in the chunk. */
const positionAt = (chunk: number, place: number): number => chunk * 2 * maxChunk + place;
const chunkOf = (position: number): number => Math.floor(position / (2 * maxChunk));
const placeOf = (position: number): number => position % (2 * maxChunk);

/** Rows in order, no two of them equal. @internal */
export interface SortedRows {
  /** Adds a row. Returns `false`, and adds nothing, when `refuses` a neighbour. */
  add(row: AnyRow, refuses?: (neighbour: AnyRow) => boolean): boolean;
  /** Removes a row. */
  delete(row: AnyRow): void;
  isEmpty(): boolean;
  /** The position of the first row that is not before these values; with `isAfter`, of the first one after them. */
  seek(values: readonly unknown[], isAfter: boolean): number;
  /** The position after the last row. */
  end(): number;
  /** Calls `visit` with the rows between two positions, in one direction, until it returns `false`. */
  visit(start: number, end: number, isBackward: boolean, visit: (row: AnyRow) => boolean): void;
}

/**
 * Sorted rows in chunks: a change shifts at most one chunk, and adding at the end costs one comparison.
 * @internal
 */
export const createSortedRows = ({ compare, compareWith }: RowOrder, sorted: readonly AnyRow[] = []): SortedRows => {
  const chunks: AnyRow[][] = [];
  for (let start = 0; start < sorted.length; start += maxChunk) chunks.push(sorted.slice(start, start + maxChunk));

  /** The first chunk whose last row is not before a row. */
  const findChunk = (row: AnyRow): number => {
    let [low, high] = [0, chunks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare((chunks[middle] as AnyRow[]).at(-1) as AnyRow, row) >= 0) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const findPlace = (chunk: readonly AnyRow[], row: AnyRow): number => {
    let [low, high] = [0, chunk.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(chunk[middle] as AnyRow, row) >= 0) high = middle;
      else low = middle + 1;
    }
    return low;
  };

  return {
    add: (row, refuses) => {
      const last = chunks.at(-1);
      const lastRow = last?.at(-1);
      if (!last || !lastRow) {
        chunks.push([row]);
        return true;
      }
      if (compare(lastRow, row) < 0) {
        if (refuses?.(lastRow)) return false;
        // A list that grows at its end leaves full chunks.
        if (last.length < maxChunk) last.push(row);
        else chunks.push([row]);
        return true;
      }
      const index = findChunk(row);
      const chunk = chunks[index] as AnyRow[];
      const place = findPlace(chunk, row);
      const before = chunk[place - 1] ?? chunks[index - 1]?.at(-1);
      if (refuses && (refuses(chunk[place] as AnyRow) || (before && refuses(before)))) return false;
      chunk.splice(place, 0, row);
      if (chunk.length > maxChunk) chunks.splice(index + 1, 0, chunk.splice(maxChunk >> 1));
      return true;
    },
    delete: (row) => {
      const index = findChunk(row);
      const chunk = chunks[index] as AnyRow[];
      if (chunk.length === 1) chunks.splice(index, 1);
      else chunk.splice(findPlace(chunk, row), 1);
    },
    isEmpty: () => chunks.length === 0,
    seek: (values, isAfter) => {
      const isBefore = (row: AnyRow): boolean => {
        const order = compareWith(row, values);
        return order < 0 || (isAfter && order === 0);
      };
      let [low, high] = [0, chunks.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (isBefore((chunks[middle] as AnyRow[]).at(-1) as AnyRow)) low = middle + 1;
        else high = middle;
      }
      const chunk = chunks[low];
      if (!chunk) return positionAt(low, 0);
      let [first, end] = [0, chunk.length];
      while (first < end) {
        const middle = (first + end) >> 1;
        if (isBefore(chunk[middle] as AnyRow)) first = middle + 1;
        else end = middle;
      }
      return positionAt(low, first);
    },
    end: () => positionAt(chunks.length, 0),
    visit: (start, end, isBackward, visit) => {
      const [first, last] = [chunkOf(start), Math.min(chunkOf(end), chunks.length - 1)];
      const boundsOf = (index: number): readonly [number, number] => [
        index === first ? placeOf(start) : 0,
        index === chunkOf(end) ? placeOf(end) : (chunks[index] as AnyRow[]).length,
      ];
      if (isBackward)
        for (let index = last; index >= first; index--) {
          const [from, to] = boundsOf(index);
          for (let at = to - 1; at >= from; at--) if (!visit((chunks[index] as AnyRow[])[at] as AnyRow)) return;
        }
      else
        for (let index = first; index <= last; index++) {
          const [from, to] = boundsOf(index);
          for (let at = from; at < to; at++) if (!visit((chunks[index] as AnyRow[])[at] as AnyRow)) return;
        }
    },
  };
};
