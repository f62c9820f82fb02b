interface Call<Q, A> {
  readonly input: Q;
  readonly resolve: (result: A) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Sends the calls of one turn of the event loop in batches of at most `maxSize`. `send` returns the results in order;
 * when it rejects, each call of the batch rejects. After an error for which `mustSplit` is true, every call is sent
 * alone.
 */
export const batchCalls = <Q, A>(
  send: (batch: readonly Q[]) => Promise<readonly A[]>,
  maxSize: number,
  mustSplit: (cause: unknown) => boolean,
): ((input: Q) => Promise<A>) => {
  let waiting: Call<Q, A>[] = [];
  let size = maxSize;

  const sendBatch = async (calls: readonly Call<Q, A>[]): Promise<void> => {
    try {
      const results = await send(calls.map(({ input }) => input));
      if (results.length !== calls.length) throw new Error(`${calls.length} calls got ${results.length} answers.`);
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] as A);
    } catch (cause) {
      if (calls.length > 1 && mustSplit(cause)) {
        size = 1;
        sendAll(calls);
      } else for (const { reject } of calls) reject(cause);
    }
  };
  const sendAll = (calls: readonly Call<Q, A>[]): void => {
    for (let from = 0; from < calls.length; from += size) void sendBatch(calls.slice(from, from + size));
  };
  const flush = (): void => {
    const calls = waiting;
    waiting = [];
    sendAll(calls);
  };

  return (input) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ input, resolve, reject }) === 1) setImmediate(flush);
    });
};
