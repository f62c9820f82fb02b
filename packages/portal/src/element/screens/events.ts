import { html, nothing, type TemplateResult } from 'lit';
import { readAll } from '../api.ts';
import { endpointName } from '../health.ts';
import { badge } from '../parts/badge.ts';
import { codeBlock } from '../parts/copyable.ts';
import { deprecationText } from '../parts/deprecation.ts';
import { textField } from '../parts/field.ts';
import { heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { emptyState } from '../parts/notice.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import { withData } from '../parts/with-data.ts';
import type { Place } from '../place.ts';
import type { Endpoint, EventCatalogue, Portal } from '../portal.ts';
import { pairOf } from '../selection.ts';

type CatalogueObject = EventCatalogue['objects'][number];
type CatalogueEvent = CatalogueObject['events'][number];

/** A field that an event sends, read from its sample. @internal */
export interface SentField {
  /** As code writes it, such as `payer.name` and `lines[].amount`. */
  readonly path: string;
  readonly type: string;
}

/** The fields of a sample, with those inside of objects and lists. @internal */
export const fieldsOf = (value: unknown, path = ''): readonly SentField[] => {
  if (Array.isArray(value)) {
    const [first] = value;
    const inner = typeof first === 'object' && first !== null ? fieldsOf(first, `${path}[]`) : [];
    return [{ path, type: 'array' }, ...inner];
  }
  if (typeof value === 'object' && value !== null) {
    const inner = Object.entries(value).flatMap(([name, each]) =>
      fieldsOf(each, path === '' ? name : `${path}.${name}`),
    );
    return path === '' || path.endsWith('[]') ? inner : [{ path, type: 'object' }, ...inner];
  }
  return [{ path, type: value === null ? 'null' : typeof value }];
};

/** The events of the platform: what they mean, what they send, and who gets them. */
class Events extends ScreenPart {
  static override properties = { ...ScreenPart.properties, search: { attribute: false } };

  declare search: string;

  readonly #catalogue = new Resource<EventCatalogue>(this, {
    name: () => 'catalogue',
    read: async (api, signal) => (await api.call<EventCatalogue>('GET', ['catalogue'], { signal })).body,
  });
  readonly #endpoints = new Resource<readonly Endpoint[]>(this, {
    name: () => 'endpoints',
    read: (api, signal) => readAll<Endpoint>(api, 'endpoints', signal),
  });

  #find(event: Event): void {
    this.search = (event.target as HTMLInputElement).value;
    const search = this.search.trim();
    this.portal.keep({ screen: 'events', ...(search === '' ? {} : { filter: { search } }) });
  }

  /** The webhooks that select an event. */
  #receivers(objectName: string, type: string): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    const found = (this.#endpoints.value ?? []).filter(
      ({ events }) => events.includes(type) || events.includes(pairOf(objectName, type)),
    );
    if (found.length === 0) return html`<p class="muted">${t('catalogue.nobody')}</p>`;
    return html`<p>
      ${t('catalogue.receivers')}
      ${found.map(
        (endpoint, index) =>
          html`${index === 0 ? '' : ', '}${link(portal, { screen: 'webhooks', id: endpoint.id }, endpointName(endpoint))}`,
      )}
    </p>`;
  }

  #event(
    objectName: string,
    { type, description, deprecated, sample }: CatalogueEvent,
    isOpen: boolean,
  ): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    const name = pairOf(objectName, type);
    return html`<li data-event=${name}>
      <details ?open=${isOpen}>
        <summary><code>${name}</code>${description === undefined ? nothing : html` <span class="muted">${description}</span>`}${
          deprecated ? html` ${badge('warning', t('deprecated'))}` : nothing
        }</summary>
        ${deprecated ? html`<p>${deprecationText(portal.texts, deprecated)}</p>` : nothing}
        ${this.#receivers(objectName, type)}
        ${
          sample === undefined
            ? html`<p class="muted">${t('catalogue.no-sample')}</p>`
            : html`<h4>${t('catalogue.fields')}</h4>
              <dl class="fields">
                ${fieldsOf(sample).map(({ path, type: kind }) => html`<dt><code>${path}</code></dt><dd>${kind}</dd>`)}
              </dl>
              <h4>${t('catalogue.sample')}</h4>
              ${codeBlock(portal, `${t('catalogue.sample')}: ${name}`, JSON.stringify(sample, null, 2))}`
        }
      </details>
    </li>`;
  }

  #content({ objects }: EventCatalogue): TemplateResult {
    const { t } = this.portal.texts;
    const words = this.search
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const fits = (objectName: string, { type, description = '', sample }: CatalogueEvent): boolean => {
      const text =
        `${pairOf(objectName, type)} ${description} ${sample ? Object.keys(sample).join(' ') : ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const found = objects
      .map(({ objectName, events }) => ({ objectName, events: events.filter((each) => fits(objectName, each)) }))
      .filter(({ events }) => events.length > 0);
    const count = found.reduce((sum, { events }) => sum + events.length, 0);
    return html`<p class="muted" role="status">${t('catalogue.count', { count })}</p>
      ${
        found.length === 0
          ? emptyState(t('catalogue.none'), t('catalogue.none-text'))
          : found.map(
              ({ objectName, events }) =>
                html`<section class="card" part="card">
                  <h3>${objectName}</h3>
                  <ul class="plain catalogue">
                    ${events.map((event) => this.#event(objectName, event, count === 1))}
                  </ul>
                </section>`,
            )
      }`;
  }

  override render(): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    return html`${heading(portal, t('events'))}
      <p class="muted">${t('catalogue.intro')}</p>
      <form class="search" role="search" @submit=${(event: Event) => event.preventDefault()}>
        ${textField('search', 'search', t('catalogue.search'), {
          value: this.search,
          onInput: (event) => this.#find(event),
        })}
      </form>
      ${withData(portal.texts, this.#catalogue, (catalogue) => this.#content(catalogue))}`;
  }
}

define('partnerkit-events', Events);

/** @internal */
export const screen = (portal: Portal, { filter }: Place): TemplateResult =>
  html`<partnerkit-events .portal=${portal} .search=${filter?.['search'] ?? ''}></partnerkit-events>`;
