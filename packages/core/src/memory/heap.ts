/** A binary heap: the least entry first. @internal */
export interface Heap<T> {
  push(entry: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
}

/** @internal */
export const createHeap = <T>(before: (a: T, b: T) => boolean): Heap<T> => {
  const entries: T[] = [];
  const at = (index: number): T => entries[index] as T;
  const swap = (i: number, j: number): void => {
    const held = at(i);
    entries[i] = at(j);
    entries[j] = held;
  };
  return {
    push: (entry) => {
      let index = entries.push(entry) - 1;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (!before(at(index), at(parent))) break;
        swap(index, parent);
        index = parent;
      }
    },
    peek: () => entries[0],
    pop: () => {
      const first = entries[0];
      const last = entries.pop();
      if (last === undefined || entries.length === 0) return first;
      entries[0] = last;
      for (let index = 0; ; ) {
        const left = 2 * index + 1;
        if (left >= entries.length) return first;
        const right = left + 1;
        const child = right < entries.length && before(at(right), at(left)) ? right : left;
        if (!before(at(child), at(index))) return first;
        swap(index, child);
        index = child;
      }
    },
  };
};
