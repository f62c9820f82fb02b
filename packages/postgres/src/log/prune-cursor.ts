/** Where the last call for some shards ended. */
export interface PruneCursor<T> {
  /** The position after which a call for these shards continues. */
  after(shards: readonly number[]): T;
  /** Stores the position of the last row read; `undefined` after all were read. */
  note(shards: readonly number[], last: T | undefined): void;
}

/** Remembers the position of the last call. A call for other shards starts at the beginning. */
export const pruneCursor = <T>(beginning: T): PruneCursor<T> => {
  let position = { of: '', after: beginning };
  return {
    after: (shards) => (position.of === String(shards) ? position.after : beginning),
    note: (shards, last = beginning) => {
      position = { of: String(shards), after: last };
    },
  };
};
