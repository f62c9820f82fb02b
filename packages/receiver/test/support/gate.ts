/** A promise that a test lets go when it wants. */
export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
  /** Makes {@link Gate.passed} reject. */
  fail(cause: unknown): void;
}

export const gate = (): Gate => {
  let open = (): void => undefined;
  let fail = (_cause: unknown): void => undefined;
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { passed, open: () => open(), fail: (cause) => fail(cause) };
};
