/**
 * Lets at most `maxRunning` calls run at once. Others wait in order, at most `maxWaiting` of them; a call beyond that
 * rejects.
 */
export const createGate = (maxRunning: number, maxWaiting: number, full: () => Error) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (running < maxRunning) running += 1;
    else if (waiting.length >= maxWaiting) throw full();
    // Whoever ends hands over its place.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
