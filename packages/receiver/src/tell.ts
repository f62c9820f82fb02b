/**
 * Calls a listener of the host: what it throws and what it rejects with must not change what we do, nor end the process.
 * @internal
 */
export const teller =
  <Told extends readonly unknown[]>(listener: ((...told: Told) => void) | undefined) =>
  (...told: Told): void => {
    (async () => listener?.(...told))().catch(() => undefined);
  };
