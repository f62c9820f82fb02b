import { html, nothing, type TemplateResult } from 'lit';
import { type Query, readAll } from '../api.ts';
import { endpointName } from '../health.ts';
import { badge } from '../parts/badge.ts';
import { chips, choices } from '../parts/chips.ts';
import { deliveryList } from '../parts/delivery-list.ts';
import { textField } from '../parts/field.ts';
import { fieldText, localTime, secondsOf } from '../parts/form-values.ts';
import { heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { emptyState } from '../parts/notice.ts';
import { PagedList } from '../parts/paged-list.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import { table } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import type { Place } from '../place.ts';
import type { Delivery, Endpoint, EventCatalogue, Portal, PublishedEvent } from '../portal.ts';
import { deliveryScreen } from './delivery.ts';

type Item = Delivery | PublishedEvent;
type Filter = Readonly<Record<string, string>>;

const states = ['waiting', 'held', 'delivered', 'exhausted', 'expired'] as const;
const texted = ['endpointId', 'objectName', 'type', 'eventId'] as const;
const times = ['from', 'to'] as const;
/** Filters that the list of events does not have. */
const ofDeliveries = ['state', 'endpointId', 'eventId'];

const without = (filter: Filter, ...names: readonly string[]): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([name]) => !names.includes(name)));

/** Deliveries, or the events that were published, with filters, page by page. */
class Deliveries extends ScreenPart {
  static override properties = { ...ScreenPart.properties, filter: { attribute: false } };

  declare filter: Filter;
  readonly #list = new PagedList<Item>(this, { path: () => this.#path, query: () => this.#query });
  readonly #endpoints = new Resource<readonly Endpoint[]>(this, {
    name: () => 'endpoints',
    read: async (api, signal) =>
      this.portal.can('webhooks', 'read') ? readAll<Endpoint>(api, 'endpoints', signal) : [],
  });
  readonly #catalogue = new Resource<EventCatalogue>(this, {
    name: () => 'catalogue',
    read: async (api, signal) =>
      this.portal.can('webhooks', 'read')
        ? (await api.call<EventCatalogue>('GET', ['catalogue'], { signal })).body
        : { objects: [], endingSignatures: [] },
  });

  get #isOfEvents(): boolean {
    return this.filter['show'] === 'events';
  }

  get #path(): string {
    return this.#isOfEvents ? 'events' : 'deliveries';
  }

  get #query(): Query {
    return without(this.filter, 'show', 'search', 'period', ...(this.#isOfEvents ? ofDeliveries : []));
  }

  #place(filter: Filter): Place {
    return { screen: 'deliveries', ...(Object.keys(filter).length > 0 ? { filter } : {}) };
  }

  #apply(event: Event): void {
    event.preventDefault();
    const form = event.target;
    const found = [
      ...texted.map((name) => [name, fieldText(form, name).trim()] as const),
      ...times.map((name) => [name, String(secondsOf(fieldText(form, name)) ?? '')] as const),
      ...(['show', 'state', 'objectId'] as const).map((name) => [name, this.filter[name] ?? ''] as const),
    ].filter(([, value]) => value !== '');
    this.portal.go(this.#place(Object.fromEntries(found)));
  }

  #nameOf(endpointId: string): string {
    const found = this.#endpoints.value?.find(({ id }) => id === endpointId);
    return found ? endpointName(found) : this.portal.texts.t('webhook.deleted');
  }

  #select(name: string, label: string, options: readonly (readonly [string, string])[]): TemplateResult {
    return html`<label
      >${label}
      <select name=${name}>
        <option value="" ?selected=${this.filter[name] === undefined}>${this.portal.texts.t('filter.any')}</option>
        ${options.map(([key, text]) => html`<option value=${key} ?selected=${key === this.filter[name]}>${text}</option>`)}
      </select></label
    >`;
  }

  #filterForm(): TemplateResult {
    const { t } = this.portal.texts;
    const { filter } = this;
    const objects = this.#catalogue.value?.objects ?? [];
    const types = [...new Set(objects.flatMap(({ events }) => events.map(({ type }) => type)))];
    const named = (all: readonly string[]) => all.map((each) => [each, each] as const);
    const time = (name: 'from' | 'to', label: string): TemplateResult =>
      textField(`filter-${name}`, name, label, {
        type: 'datetime-local',
        value: filter[name] === undefined ? '' : localTime(Number(filter[name])),
      });
    return html`<details class="filters">
      <summary>${t('filter.more')}</summary>
      <form class="filter" part="filter" role="search" aria-label=${t('filter')} @submit=${this.#apply}>
        ${
          this.#isOfEvents
            ? nothing
            : this.#select(
                'endpointId',
                t('webhook'),
                (this.#endpoints.value ?? []).map((each) => [each.id, endpointName(each)]),
              )
        }
        ${this.#select('objectName', t('filter.object'), named(objects.map(({ objectName }) => objectName)))}
        ${this.#select('type', t('filter.type'), named(types))}
        ${time('from', t('filter.from'))} ${time('to', t('filter.to'))}
        ${
          this.#isOfEvents
            ? nothing
            : textField('filter-event', 'eventId', t('filter.event'), { value: filter['eventId'] ?? '' })
        }
        <button type="submit" class="primary" part="button primary">${t('filter.apply')}</button>
      </form>
    </details>`;
  }

  /** The usual search: what became of one object. */
  #search(): TemplateResult {
    const find = (event: Event): void => {
      event.preventDefault();
      const objectId = fieldText(event.target, 'objectId').trim();
      const others = without(this.filter, 'objectId');
      this.portal.go(this.#place(objectId === '' ? others : { ...others, objectId }));
    };
    return html`<form class="search" role="search" @submit=${find}>
      ${textField('filter-object-id', 'objectId', this.portal.texts.t('filter.find'), {
        value: this.filter['objectId'] ?? '',
      })}
    </form>`;
  }

  /** What narrows the list beside the state. */
  #chips(): TemplateResult | typeof nothing {
    const { texts } = this.portal;
    const { t } = texts;
    const names: Readonly<Record<string, string>> = {
      endpointId: t('webhook'),
      objectName: t('filter.object'),
      type: t('filter.type'),
      objectId: t('filter.object-id'),
      eventId: t('filter.event'),
      from: t('filter.from'),
      to: t('filter.to'),
    };
    const shownValue = (name: string, value: string): string => {
      if (name === 'endpointId') return this.#nameOf(value);
      return name === 'from' || name === 'to' ? texts.dateTime(Number(value)) : value;
    };
    return chips(
      this.portal,
      Object.entries(this.filter)
        .filter(([name]) => names[name] !== undefined && !(this.#isOfEvents && ofDeliveries.includes(name)))
        .map(([name, value]) => [
          this.#place(without(this.filter, name)),
          `${names[name]}: ${shownValue(name, value)}`,
        ]),
    );
  }

  #events(items: readonly PublishedEvent[]): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    return table<PublishedEvent>({
      label: t('deliveries.events'),
      name: 'events',
      items,
      keyOf: ({ id }) => id,
      columns: [
        {
          name: t('event'),
          cell: ({ id, objectName, type, isTest }) =>
            html`${link(portal, this.#place({ eventId: id }), `${objectName}.${type}`)}
            ${isTest ? badge('neutral', t('event.test')) : nothing}`,
        },
        { name: t('filter.object-id'), cell: ({ objectId }) => html`<code>${objectId}</code>` },
        {
          name: t('event.time'),
          cell: ({ timestamp }) => (timestamp === undefined ? t('explain.not_dispatched_yet') : ago(texts, timestamp)),
        },
        { name: t('event.child'), cell: ({ childAccountId }) => childAccountId ?? nothing },
      ],
    });
  }

  #nothingFound(): TemplateResult {
    const { t } = this.portal.texts;
    const isFiltered = Object.keys(without(this.filter, 'show')).length > 0;
    return emptyState(
      t('activity.none'),
      t(isFiltered ? 'activity.none-filtered' : 'activity.none-text'),
      isFiltered
        ? link(this.portal, this.#place(this.#isOfEvents ? { show: 'events' } : {}), t('filter.clear'), {
            look: 'button',
          })
        : nothing,
    );
  }

  #rows(items: readonly Item[]): TemplateResult {
    return this.#isOfEvents
      ? this.#events(items as readonly PublishedEvent[])
      : deliveryList(this.portal, items as readonly Delivery[], (id) => this.#nameOf(id));
  }

  override render(): TemplateResult {
    const { portal, filter } = this;
    const { t } = portal.texts;
    const isOfEvents = this.#isOfEvents;
    return html`${heading(portal, t('deliveries'), { actions: this.#list.exportButton })}
      <div class="row spread">
        ${choices(portal, t('activity.show'), [
          [this.#place(without(filter, 'show')), t('deliveries'), !isOfEvents],
          [this.#place({ ...without(filter, ...ofDeliveries), show: 'events' }), t('deliveries.events'), isOfEvents],
        ])}
        ${
          isOfEvents
            ? nothing
            : choices(portal, t('state'), [
                [this.#place(without(filter, 'state')), t('filter.any'), filter['state'] === undefined],
                ...states.map(
                  (state) =>
                    [this.#place({ ...filter, state }), t(`state.${state}`), filter['state'] === state] as const,
                ),
              ])
        }
      </div>
      ${this.#search()} ${this.#chips()} ${this.#filterForm()}
      ${this.#list.render(
        (items) => this.#rows(items),
        () => this.#nothingFound(),
      )}`;
  }
}

define('partnerkit-deliveries', Deliveries);

/** @internal */
export const screen = (portal: Portal, { id, filter = {} }: Place): TemplateResult =>
  id === undefined
    ? html`<partnerkit-deliveries .portal=${portal} .filter=${filter}></partnerkit-deliveries>`
    : deliveryScreen(portal, id);
