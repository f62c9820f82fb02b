import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Renders a part again while something on it counts down. @internal */
export class Ticker implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Renders again in a second. */
  tick(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#host.requestUpdate(), 1_000);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }
}
