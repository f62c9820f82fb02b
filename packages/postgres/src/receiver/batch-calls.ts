interface Call<Q, A> {
  readonly input: Q;
  readonly resolve: (result: A) => void;
  readonly reject: (cause: unknown) => void;
}

/** Maximum batch size, which keeps statements short. */
const maxSize = 500;

/**
 * Batches simultaneous calls: those made while a statement runs go into the next one. `send` returns results in order;
 * when it rejects, all calls of the batch reject.
 */
export const batchCalls = <Q, A>(send: (batch: readonly Q[]) => Promise<readonly A[]>): ((input: Q) => Promise<A>) => {
  const waiting: Call<Q, A>[] = [];
  let isRunning = false;

  const next = async (): Promise<void> => {
    const calls = waiting.splice(0, maxSize);
    isRunning = calls.length > 0;
    if (!isRunning) return;
    try {
      const results = await send(calls.map(({ input }) => input));
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] as A);
    } catch (cause) {
      for (const { reject } of calls) reject(cause);
    }
    soon();
  };
  /** Deferred, so that calls made in the same tick join the batch. */
  const soon = (): void => void setImmediate(next);

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      soon();
    });
};
