interface Waiting<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (cause: unknown) => void;
}

/** Maximum batch size, which keeps statements short. */
const most = 500;

/**
 * Batches simultaneous calls: those made while a statement runs go into the next one. `ask` returns results in order;
 * when it rejects, all calls of the batch reject.
 * @internal
 */
export const together = <Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
): ((question: Q) => Promise<A>) => {
  const waiting: Waiting<Q, A>[] = [];
  let underWay = false;

  const next = async (): Promise<void> => {
    const asked = waiting.splice(0, most);
    underWay = asked.length > 0;
    if (!underWay) return;
    try {
      const answers = await ask(asked.map(({ question }) => question));
      for (const [place, { resolve }] of asked.entries()) resolve(answers[place] as A);
    } catch (cause) {
      for (const { reject } of asked) reject(cause);
    }
    soon();
  };
  /** Deferred, so that calls made in the same tick join the batch. */
  const soon = (): void => void setImmediate(next);

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (underWay) return;
      underWay = true;
      soon();
    });
};
