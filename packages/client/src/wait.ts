/** Time, for tests. @public */
export interface ClientClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits. Rejects with the reason of the signal when it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: ClientClock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => {
    const waited = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    });
    return untilAborted(waited, signal);
  },
};

/** A promise that one caller stops waiting for, while others go on. */
export const untilAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
