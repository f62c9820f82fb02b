import type { ReactiveController } from 'lit';
import { errorOf } from '../api.ts';
import { fieldErrors } from '../field-errors.ts';
import type { PortalPart } from '../parts/portal-part.ts';

const delay = 400;

/** Asks the server about a URL while a person types it. @internal */
export class UrlCheck implements ReactiveController {
  /** The server would take it. */
  isRight = false;
  readonly #host: PortalPart;
  readonly #onResult: (error: string | undefined) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #controller: AbortController | undefined;

  constructor(host: PortalPart, onResult: (error: string | undefined) => void) {
    this.#host = host;
    this.#onResult = onResult;
    host.addController(this);
  }

  /** Checks a URL soon, in place of the one before. */
  check(url: string): void {
    this.stop();
    this.#onResult(undefined);
    if (url !== '') this.#timer = setTimeout(() => void this.#ask(url), delay);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    this.isRight = false;
  }

  hostDisconnected(): void {
    this.stop();
  }

  async #ask(url: string): Promise<void> {
    const { api, texts } = this.#host.portal;
    const controller = new AbortController();
    this.#controller = controller;
    try {
      await api.call('POST', ['endpoints', 'check'], { body: { url }, signal: controller.signal });
      this.isRight = true;
      this.#onResult(undefined);
    } catch (cause) {
      // Without an answer, saving will tell.
      if (!controller.signal.aborted) this.#onResult(fieldErrors(texts, errorOf(cause))['url']);
    }
    this.#host.requestUpdate();
  }
}
