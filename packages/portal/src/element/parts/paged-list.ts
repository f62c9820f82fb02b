import { html, nothing, type TemplateResult } from 'lit';
import type { Page, Query } from '../api.ts';
import { plainButton } from './button.ts';
import { ListExport } from './list-export.ts';
import { LiveList } from './live-list.ts';
import { type Content, emptyState, failureOf } from './notice.ts';
import type { PortalPart } from './portal-part.ts';
import { Resource } from './resource.ts';
import { withData } from './with-data.ts';

const pageSize = 50;
/** Maximum number of pages that one search reads. */
const maxPages = 20;

/** What a list reads. */
interface ListSource {
  readonly path: () => string;
  /** Its filters. */
  readonly query: () => Query;
}

/** A list of the API, newest first: page by page, growing at its top, exported whole. @internal */
export class PagedList<T extends { readonly id: string }> {
  readonly #host: PortalPart;
  readonly #source: ListSource;
  readonly #live: LiveList<T>;
  readonly #export: ListExport;
  readonly #page: Resource<Page<T>>;
  /** The cursors of the pages before this one. */
  readonly #former: (string | undefined)[] = [];
  #after: string | undefined;

  constructor(host: PortalPart, source: ListSource) {
    this.#host = host;
    this.#source = source;
    this.#live = new LiveList<T>(host, ({ id }) => id);
    this.#export = new ListExport(host);
    this.#page = new Resource<Page<T>>(host, {
      every: 5_000,
      read: async (api, signal) => {
        // Only the newest page changes by itself.
        if (this.#page.value && this.#former.length > 0) return this.#page.value;
        // A filtered page may be empty and still have a next one. A person decides whether to search on.
        for (let pages = 1; ; pages += 1) {
          const query = { ...this.#query, limit: pageSize, after: this.#after };
          const { body } = await api.call<Page<T>>('GET', [source.path()], { query, signal });
          if (body.items.length > 0 || body.next === undefined || pages === maxPages) return body;
          this.#after = body.next;
        }
      },
    });
  }

  get #query(): Query {
    return { ...this.#source.query(), order: 'newest' };
  }

  #turn(next: string | undefined, isBack: boolean): void {
    if (isBack) this.#after = this.#former.pop();
    else {
      this.#former.push(this.#after);
      this.#after = next;
    }
    this.#live.release();
    this.#page.reset();
  }

  #pages(next: string | undefined): TemplateResult | typeof nothing {
    const { t } = this.#host.portal.texts;
    if (next === undefined && this.#former.length === 0) return nothing;
    const step = (label: string, isPossible: boolean, act: () => void): TemplateResult =>
      html`<button type="button" aria-disabled=${isPossible ? 'false' : 'true'} @click=${() => isPossible && act()}>
        ${label}
      </button>`;
    return html`<nav class="buttons" aria-label=${t('pages')}>
      ${step(t('pages.newer'), this.#former.length > 0, () => this.#turn(undefined, true))}
      ${step(t('pages.older'), next !== undefined, () => this.#turn(next, false))}
    </nav>`;
  }

  #searchOn(next: string): TemplateResult {
    const { t } = this.#host.portal.texts;
    return emptyState(
      t('activity.none-yet'),
      t('activity.none-yet-text'),
      plainButton(t('activity.search-on'), () => {
        this.#after = next;
        this.#page.reset();
      }),
    );
  }

  #waiting(count: number): Content {
    if (count === 0) return nothing;
    return plainButton(this.#host.portal.texts.t('list.more', { count }), () => {
      this.#live.release();
      this.#host.requestUpdate();
    });
  }

  /** The button that exports the list. */
  get exportButton(): Content {
    if ((this.#page.value?.items.length ?? 0) === 0) return nothing;
    return this.#export.button(this.#source.path(), this.#query);
  }

  /** Reads the newest page again. */
  reload(): void {
    void this.#page.load();
  }

  /** The list, or what stands in its place. */
  render(rows: (items: readonly T[]) => TemplateResult, whenEmpty: () => TemplateResult): TemplateResult {
    const { texts } = this.#host.portal;
    return html`${failureOf(texts, this.#export.action)}
    ${withData(texts, this.#page, ({ items, next }) => {
      if (items.length === 0) return next === undefined ? whenEmpty() : this.#searchOn(next);
      const { shown, waiting } = this.#live.split(items);
      return html`<p class="waiting" role="status">${this.#waiting(waiting)}</p>
        <div class="live">${rows(shown)}</div>
        ${this.#pages(next)}`;
    })}`;
  }
}
