/** In place of the counter of calls: counts nothing. */
export const createCallCounter = () => ({
  count: (): void => undefined,
  writeIfDue: (): void => undefined,
  flush: async (): Promise<void> => undefined,
});
