/** A priority queue: the first entry is the smallest. */
export interface Heap<T> {
  push(entry: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
}

/** A binary heap. */
export const createHeap = <T>(isBefore: (a: T, b: T) => boolean): Heap<T> => {
  const entries: T[] = [];
  const at = (index: number): T => entries[index] as T;
  const swap = (a: number, b: number): void => {
    [entries[a], entries[b]] = [at(b), at(a)];
  };
  const siftUp = (from: number): void => {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!isBefore(at(index), at(parent))) return;
      swap(index, parent);
      index = parent;
    }
  };
  const siftDown = (): void => {
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let least = index;
      if (left < entries.length && isBefore(at(left), at(least))) least = left;
      if (right < entries.length && isBefore(at(right), at(least))) least = right;
      if (least === index) return;
      swap(index, least);
      index = least;
    }
  };
  return {
    push: (entry) => {
      entries.push(entry);
      siftUp(entries.length - 1);
    },
    peek: () => entries[0],
    pop: () => {
      const first = entries[0];
      const last = entries.pop();
      if (entries.length > 0) {
        entries[0] = last as T;
        siftDown();
      }
      return first;
    },
  };
};
