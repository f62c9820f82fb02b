let queue: (() => void)[] = [];

const run = (): void => {
  const due = queue;
  queue = [];
  for (const work of due) work();
};

/** Runs `work` after the I/O of this turn of the event loop, with one immediate for all work of the turn. */
export const atEndOfTurn = (work: () => void): void => {
  if (queue.push(work) === 1) setImmediate(run);
};
