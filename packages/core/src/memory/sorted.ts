/** Entries in order. No two compare as equal; the position of an entry never changes. @internal */
export interface Sorted<T> {
  /** Adds an entry. */
  add(entry: T): void;
  /** Removes an entry. */
  delete(entry: T): void;
  /** The number of entries. */
  size(): number;
  /**
   * Entries from the first that `isIn` accepts, which must accept all that follow. Absent: all entries. The set must
   * not change meanwhile.
   */
  from(isIn?: (entry: T) => boolean): Iterable<T>;
}

const none: readonly never[] = [];
/** Large enough for few chunks, small enough to shift within. */
const maxChunk = 512;

/** The index of the first item that `test` accepts; it must accept all that follow. */
const firstIndex = <T>(items: readonly T[], test: (item: T) => boolean): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/**
 * A sorted array in chunks: a change shifts at most one chunk, and adding at the end costs one comparison.
 * @internal
 */
export const createSorted = <T>(compare: (a: T, b: T) => number): Sorted<T> => {
  const chunks: T[][] = [];
  let size = 0;
  const lastOf = (chunk: readonly T[]): T => chunk[chunk.length - 1] as T;

  const split = (index: number, chunk: T[], at: number): void => {
    if (chunk.length <= maxChunk) return;
    // A list that grows at its end leaves full chunks.
    chunks.splice(index + 1, 0, chunk.splice(at === chunk.length - 1 ? maxChunk : maxChunk >> 1));
  };

  const entriesFrom = function* (isIn?: (entry: T) => boolean): Iterable<T> {
    const first = isIn ? firstIndex(chunks, (each) => isIn(lastOf(each))) : 0;
    for (let index = first; index < chunks.length; index++) {
      const chunk = chunks[index] as T[];
      const start = isIn && index === first ? firstIndex(chunk, isIn) : 0;
      for (let at = start; at < chunk.length; at++) yield chunk[at] as T;
    }
  };

  return {
    add: (entry) => {
      size++;
      const last = chunks[chunks.length - 1];
      if (!last) {
        chunks.push([entry]);
        return;
      }
      const isLast = compare(lastOf(last), entry) < 0;
      const index = isLast ? chunks.length - 1 : firstIndex(chunks, (each) => compare(lastOf(each), entry) > 0);
      const chunk = chunks[index] as T[];
      const at = isLast ? chunk.length : firstIndex(chunk, (each) => compare(each, entry) > 0);
      if (isLast) chunk.push(entry);
      else chunk.splice(at, 0, entry);
      split(index, chunk, at);
    },
    delete: (entry) => {
      const index = firstIndex(chunks, (each) => compare(lastOf(each), entry) >= 0);
      const chunk = chunks[index];
      if (!chunk) return;
      const at = firstIndex(chunk, (each) => compare(each, entry) >= 0);
      if (chunk[at] !== entry) return;
      size--;
      if (chunk.length === 1) chunks.splice(index, 1);
      else chunk.splice(at, 1);
    },
    size: () => size,
    // Most shards are empty.
    from: (isIn) => (size === 0 ? none : entriesFrom(isIn)),
  };
};
