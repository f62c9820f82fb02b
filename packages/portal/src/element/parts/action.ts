import type { ReactiveController } from 'lit';
import { type ApiError, errorOf } from '../api.ts';
import type { PortalPart } from './portal-part.ts';

/** One thing that a person does, and how it goes. @internal */
export class Action implements ReactiveController {
  isPending = false;
  error: ApiError | undefined;
  readonly #host: PortalPart;

  constructor(host: PortalPart) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.error = undefined;
  }

  /** Runs it, unless it runs already. Returns whether it succeeded. */
  async run(act: () => Promise<unknown>): Promise<boolean> {
    if (this.isPending) return false;
    this.isPending = true;
    this.error = undefined;
    this.#host.requestUpdate();
    try {
      await act();
    } catch (cause) {
      this.error = errorOf(cause);
    }
    this.isPending = false;
    this.#host.requestUpdate();
    this.#host.portal.report(this.error);
    return this.error === undefined;
  }
}
