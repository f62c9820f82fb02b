/**
 * Creates a function that runs the calls of one transaction after each other: they share a connection, and the name of
 * a savepoint. For stores on SQL.
 * @example
 * const inTurn = createTurns();
 * const tx = {};
 * await Promise.all([inTurn(tx, async () => 1), inTurn(tx, async () => 2)]); // the second begins after the first
 * @public
 */
export const createTurns = (): (<T>(tx: object, call: () => Promise<T>) => Promise<T>) => {
  const last = new WeakMap<object, Promise<unknown>>();
  return (tx, call) => {
    const turn = (last.get(tx) ?? Promise.resolve()).then(call);
    last.set(
      tx,
      turn.catch(() => undefined),
    );
    return turn;
  };
};
