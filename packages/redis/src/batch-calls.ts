interface Call<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Sends the calls of one turn of the event loop as one batch of at most `maxSize`. `send` answers in the order of its batch; when it
 * rejects, each call of the batch does. After a batch was refused because its calls must be sent apart, each is sent in a batch of its own.
 */
export const batchCalls = <Q, A>(
  send: (batch: readonly Q[]) => Promise<readonly A[]>,
  maxSize: number,
  mustSplit: (cause: unknown) => boolean,
): ((question: Q) => Promise<A>) => {
  let waiting: Call<Q, A>[] = [];
  let size = maxSize;

  const sendBatch = async (calls: readonly Call<Q, A>[]): Promise<void> => {
    try {
      const answers = await send(calls.map(({ question }) => question));
      if (answers.length !== calls.length) throw new Error(`${calls.length} calls got ${answers.length} answers.`);
      for (const [place, { resolve }] of calls.entries()) resolve(answers[place] as A);
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

  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ question, resolve, reject }) === 1) setImmediate(flush);
    });
};
