import { type ApiError, errorOf } from './api.ts';

/** One thing that a person does, and how it goes. @internal */
export class Action {
  isPending = false;
  error: ApiError | undefined;
  readonly #onChange: (error: ApiError | undefined) => void;

  constructor(onChange: (error: ApiError | undefined) => void) {
    this.#onChange = onChange;
  }

  /** Runs it, unless it runs already. Returns whether it succeeded. */
  async run(act: () => Promise<void>): Promise<boolean> {
    if (this.isPending) return false;
    this.isPending = true;
    this.error = undefined;
    this.#onChange(undefined);
    try {
      await act();
    } catch (cause) {
      this.error = errorOf(cause);
    }
    this.isPending = false;
    this.#onChange(this.error);
    return this.error === undefined;
  }
}
