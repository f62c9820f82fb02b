import { type ApiError, errorOf } from './api.ts';

const slowest = 30_000;

/** Data that is read now and then again, while the page is visible. @internal */
export class Resource<T> {
  /** The data of the last successful read. */
  value: T | undefined;
  /** Why the last read failed. */
  error: ApiError | undefined;
  readonly #read: (signal: AbortSignal) => Promise<T>;
  readonly #onChange: (error: ApiError | undefined) => void;
  readonly #every: number | undefined;
  #controller: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isStarted = false;

  /** @param every - Milliseconds between two reads; `undefined` reads once. */
  constructor(
    read: (signal: AbortSignal) => Promise<T>,
    onChange: (error: ApiError | undefined) => void,
    every?: number,
  ) {
    this.#read = read;
    this.#onChange = onChange;
    this.#every = every;
  }

  readonly #onVisible = (): void => {
    if (document.visibilityState === 'visible') void this.load();
  };

  /** Reads now, and from now on. */
  start(): void {
    this.#isStarted = true;
    if (this.#every !== undefined) document.addEventListener('visibilitychange', this.#onVisible);
    addEventListener('online', this.#onVisible);
    void this.load();
  }

  /** Ends a read that is under way. */
  stop(): void {
    this.#isStarted = false;
    document.removeEventListener('visibilitychange', this.#onVisible);
    removeEventListener('online', this.#onVisible);
    clearTimeout(this.#timer);
    this.#controller?.abort();
  }

  /** Reads now, after the caller: `read` may use what the caller defines next. Never rejects. */
  async load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    try {
      const value = await Promise.resolve(controller.signal).then(this.#read);
      if (controller.signal.aborted) return;
      this.value = value;
      this.error = undefined;
      this.#failures = 0;
    } catch (cause) {
      if (controller.signal.aborted) return;
      this.error = errorOf(cause);
      this.#failures += 1;
    }
    this.#schedule();
    this.#onChange(this.error);
  }

  /** A failed read is repeated, at growing intervals, also without an interval. */
  #schedule(): void {
    if (!this.#isStarted || this.error?.code === 'not_authenticated') return;
    const base = this.#every ?? (this.error ? 2_000 : undefined);
    if (base === undefined) return;
    const wait = Math.min(base * 2 ** this.#failures, slowest);
    this.#timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void this.load();
    }, wait);
  }
}
