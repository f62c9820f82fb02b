/** Wraps a listener of the host: an error that it throws or rejects with is ignored. */
export const safeListener =
  <Args extends readonly unknown[]>(listener: ((...args: Args) => void) | undefined) =>
  (...args: Args): void => {
    (async () => listener?.(...args))().catch(() => undefined);
  };
