import type { AnyRow, RowOrder, Slot } from './row-order.ts';

/** Large enough for few chunks, small enough to shift within. */
const maxChunk = 512;

/** The position of a row: its chunk, and its place in the chunk. */
const positionAt = (chunk: number, place: number): number => chunk * 2 * maxChunk + place;
const chunkOf = (position: number): number => Math.floor(position / (2 * maxChunk));
const placeOf = (position: number): number => position % (2 * maxChunk);

/**
 * Sorted rows, no two of them equal, in chunks: a change shifts at most one chunk, and adding at the end costs one
 * comparison. A class, because a table has many groups of few rows.
 */
export class SortedRows {
  readonly #order: RowOrder;
  readonly #chunks: Slot[][] = [];

  /** `sorted`: the first rows, in order. */
  constructor(order: RowOrder, sorted: readonly Slot[] = []) {
    this.#order = order;
    for (let start = 0; start < sorted.length; start += maxChunk)
      this.#chunks.push(sorted.slice(start, start + maxChunk));
  }

  /** Adds a row. */
  add(slot: Slot): void {
    const chunks = this.#chunks;
    const last = chunks.at(-1);
    const lastSlot = last?.at(-1);
    if (!last || !lastSlot) chunks.push([slot]);
    else if (this.#order.compare(lastSlot.row, slot.row) < 0) {
      // A list that grows at its end leaves full chunks.
      if (last.length < maxChunk) last.push(slot);
      else chunks.push([slot]);
    } else {
      const index = this.#findChunk(slot.row);
      const chunk = chunks[index] as Slot[];
      chunk.splice(this.#findPlace(chunk, slot.row), 0, slot);
      if (chunk.length > maxChunk) chunks.splice(index + 1, 0, chunk.splice(maxChunk >> 1));
    }
  }

  /** Removes a row. */
  delete(slot: Slot): void {
    const [first] = this.#chunks;
    // Rows are most often removed at the beginning.
    if (first?.[0] === slot && first.length > 1) {
      first.shift();
      return;
    }
    const index = this.#chunks.length === 1 ? 0 : this.#findChunk(slot.row);
    const chunk = this.#chunks[index] as Slot[];
    if (chunk.length === 1) this.#chunks.splice(index, 1);
    // To look for the same object in a whole chunk takes less than to compare a few rows.
    else chunk.splice(chunk.indexOf(slot), 1);
  }

  isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  /** The position of the first row that is not before these values; with `isAfter`, of the first one after them. */
  seek(values: readonly unknown[], isAfter: boolean): number {
    let [low, high] = [0, this.#chunks.length];
    const last = this.#chunks[high - 1]?.at(-1);
    // Rows of the last moments are often looked for, and there are none.
    if (last && this.#isBefore(last, values, isAfter)) return this.end();
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isBefore((this.#chunks[middle] as Slot[]).at(-1) as Slot, values, isAfter)) low = middle + 1;
      else high = middle;
    }
    const chunk = this.#chunks[low];
    if (!chunk) return positionAt(low, 0);
    let [first, end] = [0, chunk.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (this.#isBefore(chunk[middle] as Slot, values, isAfter)) first = middle + 1;
      else end = middle;
    }
    return positionAt(low, first);
  }

  /** The position after the last row. */
  end(): number {
    return positionAt(this.#chunks.length, 0);
  }

  /** Calls `visit` with the rows from a position on, until it returns `false`. */
  visitAfter(position: number, visit: (row: AnyRow) => boolean): void {
    const chunks = this.#chunks;
    let at = placeOf(position);
    for (let index = chunkOf(position); index < chunks.length; index++) {
      const chunk = chunks[index] as Slot[];
      for (; at < chunk.length; at++) if (!visit((chunk[at] as Slot).row)) return;
      at = 0;
    }
  }

  /** Calls `visit` with the rows before a position, the last one first, until it returns `false`. */
  visitBefore(position: number, visit: (row: AnyRow) => boolean): void {
    const chunks = this.#chunks;
    let at = placeOf(position) - 1;
    for (let index = chunkOf(position); index >= 0; index--) {
      const chunk = chunks[index] ?? [];
      for (; at >= 0; at--) if (!visit((chunk[at] as Slot).row)) return;
      at = (chunks[index - 1]?.length ?? 0) - 1;
    }
  }

  #isBefore({ row }: Slot, values: readonly unknown[], isAfter: boolean): boolean {
    const order = this.#order.compareWith(row, values);
    return order < 0 || (isAfter && order === 0);
  }

  /** The first chunk whose last row is not before a row. */
  #findChunk(row: AnyRow): number {
    let [low, high] = [0, this.#chunks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#order.compare(((this.#chunks[middle] as Slot[]).at(-1) as Slot).row, row) >= 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #findPlace(chunk: readonly Slot[], row: AnyRow): number {
    let [low, high] = [0, chunk.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#order.compare((chunk[middle] as Slot).row, row) >= 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
