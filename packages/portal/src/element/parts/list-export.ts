import type { ReactiveController, TemplateResult } from 'lit';
import type { Page, Query } from '../api.ts';
import { Action } from './action.ts';
import { plainButton } from './button.ts';
import type { PortalPart } from './portal-part.ts';

/** Maximum number of items that the API answers at once. */
const pageSize = 100;
/** Maximum number of lines of a file. */
const maxLines = 100_000;

const save = (parts: readonly Blob[], name: string): void => {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'application/jsonl' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = `${name}.jsonl`;
  anchor.click();
  URL.revokeObjectURL(url);
};

/** Saves a whole list as a file with one JSON text a line, page by page. @internal */
export class ListExport implements ReactiveController {
  readonly action: Action;
  readonly #host: PortalPart;
  #count = 0;
  #controller: AbortController | undefined;

  constructor(host: PortalPart) {
    this.#host = host;
    this.action = new Action(host);
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#controller?.abort();
  }

  async #read(path: string, query: Query, signal: AbortSignal): Promise<void> {
    const { api, texts, announce } = this.#host.portal;
    // A browser may keep a Blob outside of its memory.
    const parts: Blob[] = [];
    let after: string | undefined;
    do {
      const { body } = await api.call<Page<object>>('GET', [path], {
        query: { ...query, limit: pageSize, after },
        signal,
      });
      parts.push(new Blob(body.items.map((item) => `${JSON.stringify(item)}\n`)));
      this.#count += body.items.length;
      after = body.next;
      this.#host.requestUpdate();
    } while (after !== undefined && this.#count < maxLines);
    save(parts, path);
    announce(texts.t(after === undefined ? 'list.exported' : 'list.export-end', { count: this.#count }));
  }

  async #run(path: string, query: Query): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    this.#count = 0;
    await this.action.run(() =>
      this.#read(path, query, controller.signal).catch((cause) => {
        if (!controller.signal.aborted) throw cause;
      }),
    );
  }

  /** The button that begins, and then ends it. */
  button(path: string, query: Query): TemplateResult {
    const { t } = this.#host.portal.texts;
    return this.action.isPending
      ? plainButton(t('list.export-stop', { count: this.#count }), () => this.#controller?.abort())
      : plainButton(t('list.export'), () => void this.#run(path, query));
  }
}
