/**
 * What `working` settles to, or a rejection with the reason of `signal` if that aborts first. `working` goes on: a
 * driver that can cancel a statement does so itself. Without a `signal`, it waits for `working`.
 * @example
 * const rows = await untilAborted(pool.query('select 1'), AbortSignal.timeout(1_000));
 * @public
 */
export const untilAborted = async <T>(working: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (!signal) return working;
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([working, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
