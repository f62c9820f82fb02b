import type { ReactiveController } from 'lit';
import { type Api, type ApiError, errorOf } from '../api.ts';
import type { Portal } from '../portal.ts';

const slowest = 30_000;

/** What shows a resource. */
interface ResourceHost {
  readonly portal: Pick<Portal, 'api' | 'cache' | 'report'>;
  addController(controller: ReactiveController): void;
  requestUpdate(): void;
}

/** How a resource is read. @internal */
export interface ResourceOptions<T> {
  readonly read: (api: Api, signal: AbortSignal) => Promise<T>;
  /** Milliseconds between two reads. @defaultValue read once */
  readonly every?: number;
  /** The name in the cache of the portal. @defaultValue none: nothing is shown until the first answer */
  readonly name?: () => string;
}

/** Data that is read while its part is shown, and again while the page is visible. @internal */
export class Resource<T> implements ReactiveController {
  /** The data of the last successful read. */
  value: T | undefined;
  /** Why the last read failed. */
  error: ApiError | undefined;
  readonly #host: ResourceHost;
  readonly #options: ResourceOptions<T>;
  #controller: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isStarted = false;

  constructor(host: ResourceHost, options: ResourceOptions<T>) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  readonly #onVisible = (): void => {
    if (document.visibilityState === 'visible') void this.load();
  };

  /** Reads now, and from now on. */
  hostConnected(): void {
    const { every, name } = this.#options;
    this.#isStarted = true;
    this.value = name && (this.#host.portal.cache.get(name()) as T | undefined);
    if (every !== undefined) document.addEventListener('visibilitychange', this.#onVisible);
    addEventListener('online', this.#onVisible);
    void this.load();
  }

  /** Ends a read that is under way. */
  hostDisconnected(): void {
    this.#isStarted = false;
    document.removeEventListener('visibilitychange', this.#onVisible);
    removeEventListener('online', this.#onVisible);
    clearTimeout(this.#timer);
    this.#controller?.abort();
  }

  /** Reads now, after the caller. Never rejects. */
  async load(): Promise<void> {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    const { portal } = this.#host;
    try {
      const value = await Promise.resolve(controller.signal).then((signal) => this.#options.read(portal.api, signal));
      if (controller.signal.aborted) return;
      this.value = value;
      this.error = undefined;
      this.#failures = 0;
      if (this.#options.name) portal.cache.set(this.#options.name(), value);
    } catch (cause) {
      if (controller.signal.aborted) return;
      this.error = errorOf(cause);
      this.#failures += 1;
    }
    this.#schedule();
    this.#host.requestUpdate();
    portal.report(this.error);
  }

  /** Forgets what was read, and reads again: the question has changed. */
  reset(): void {
    this.value = undefined;
    this.error = undefined;
    this.#host.requestUpdate();
    void this.load();
  }

  /** A failed read is repeated, at growing intervals, also without an interval. */
  #schedule(): void {
    if (!this.#isStarted || this.error?.code === 'not_authenticated') return;
    const base = this.#options.every ?? (this.error ? 2_000 : undefined);
    if (base === undefined) return;
    const wait = Math.min(base * 2 ** this.#failures, slowest);
    this.#timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void this.load();
    }, wait);
  }
}
