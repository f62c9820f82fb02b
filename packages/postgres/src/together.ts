interface Waiting<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (cause: unknown) => void;
}

/** So many at once at most: a short statement. */
const most = 500;

/**
 * Asks together what is asked at the same time: what comes while a statement is under way goes into the next one. `ask` answers in the
 * order of its questions; when it rejects, all of them do.
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
  /** Not at once: whoever was answered, or arrived with this one, may have another question. */
  const soon = (): void => void setImmediate(next);

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (underWay) return;
      underWay = true;
      soon();
    });
};
