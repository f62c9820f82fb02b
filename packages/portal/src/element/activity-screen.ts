import { html, nothing, type TemplateResult } from 'lit';
import type { Page, Query } from './api.ts';
import { createDeliveryList } from './delivery-list.ts';
import { createEventList } from './event-list.ts';
import { fieldText, localTime, secondsOf } from './form.ts';
import type { Delivery, Place, Portal, PublishedEvent, Screen } from './portal.ts';
import type { Resource } from './resource.ts';
import { emptyState, withData } from './templates.ts';

const pageSize = 50;
/** Maximum number of pages that one search reads. */
const maxPages = 20;
const states = ['waiting', 'held', 'delivered', 'exhausted', 'expired'] as const;
const texted = ['state', 'endpointId', 'objectName', 'type', 'objectId', 'eventId'] as const;
const times = ['from', 'to'] as const;

/** Events and deliveries with filters, page by page. @internal */
export const createActivityScreen = (portal: Portal, place: Place): Screen => {
  const { api, texts, catalogue, endpoints } = portal;
  const { t } = texts;
  const filter = place.filter ?? {};
  const isOfEvents = filter['show'] === 'events';
  /** The cursors of the pages before this one. */
  const former: (string | undefined)[] = [];
  let after: string | undefined;
  let isStale = false;
  const events = createEventList(portal);
  // On a phone, the filters would hide the list.
  const isWide = innerWidth >= 640;

  const values = (): Query => {
    const { show: _show, state, endpointId, eventId, ...ofEvents } = filter;
    return {
      ...ofEvents,
      ...(isOfEvents ? {} : { state, endpointId, eventId }),
      order: 'newest',
      limit: pageSize,
      after,
    };
  };
  const list: Resource<Page<Delivery | PublishedEvent>> = portal.resource(async (signal) => {
    // Only the newest page changes by itself.
    if (list.value && after !== undefined && !isStale) return list.value;
    isStale = false;
    // A filtered page may be empty and still have a next one. A person decides whether to search on.
    for (let pages = 1; ; pages += 1) {
      const path = [isOfEvents ? 'events' : 'deliveries'];
      const { body } = await api.call<Page<Delivery | PublishedEvent>>('GET', path, { query: values(), signal });
      if (body.items.length > 0 || body.next === undefined || pages === maxPages) return body;
      after = body.next;
    }
  }, 5_000);
  const table = createDeliveryList(portal, () => {
    isStale = true;
    void list.load();
  });

  const turn = (next: string | undefined, isBack: boolean): void => {
    if (isBack) after = former.pop();
    else {
      former.push(after);
      after = next;
    }
    list.value = undefined;
    portal.update();
    void list.load();
  };

  const apply = (form: EventTarget | null): void => {
    const found = [
      ...texted.map((name) => [name, fieldText(form, name).trim()] as const),
      ...times.map((name) => [name, String(secondsOf(fieldText(form, name)) ?? '')] as const),
      ['show', filter['show'] ?? ''] as const,
    ].filter(([, value]) => value !== '');
    portal.go({ screen: 'activity', filter: Object.fromEntries(found) });
  };

  const select = (
    name: string,
    label: string,
    options: readonly (readonly [string, string])[],
  ): TemplateResult => html`<label
    >${label}
    <select name=${name}>
      <option value="" ?selected=${filter[name] === undefined}>${t('filter.any')}</option>
      ${options.map(([key, text]) => html`<option value=${key} ?selected=${key === filter[name]}>${text}</option>`)}
    </select></label
  >`;
  const input = (name: string, label: string, type: string, value: string): TemplateResult =>
    html`<label>${label} <input name=${name} type=${type} value=${value} autocomplete="off" spellcheck="false" /></label>`;
  const time = (name: string): string => (filter[name] === undefined ? '' : localTime(Number(filter[name])));

  const filterForm = (): TemplateResult => {
    const objects = catalogue.value?.objects ?? [];
    const types = [...new Set(objects.flatMap(({ events }) => events.map(({ type }) => type)))];
    const urls = (endpoints.value ?? []).map(({ id, label, url }) => [id, label ?? url] as const);
    return html`<details class="filters" ?open=${isWide}>
      <summary>${t('filter')}</summary>
      <form
      class="filter"
      part="filter"
      role="search"
      aria-label=${t('filter')}
      @submit=${(event: Event) => {
        event.preventDefault();
        apply(event.target);
      }}
    >
      ${
        isOfEvents
          ? nothing
          : html`${select(
              'state',
              t('state'),
              states.map((state) => [state, t(`state.${state}`)]),
            )}
            ${select('endpointId', t('webhook'), urls)}`
      }
      ${select(
        'objectName',
        t('filter.object'),
        objects.map(({ objectName }) => [objectName, objectName]),
      )}
      ${select(
        'type',
        t('filter.type'),
        types.map((type) => [type, type]),
      )}
      ${input('objectId', t('filter.object-id'), 'text', filter['objectId'] ?? '')}
      ${input('from', t('filter.from'), 'datetime-local', time('from'))}
      ${input('to', t('filter.to'), 'datetime-local', time('to'))}
      ${isOfEvents || filter['eventId'] === undefined ? nothing : input('eventId', t('filter.event'), 'text', filter['eventId'])}
      <div class="buttons">
        <button type="submit" class="primary" part="button primary">${t('filter.apply')}</button>
        <button
          type="button"
          @click=${() => portal.go({ screen: 'activity', ...(isOfEvents ? { filter: { show: 'events' } } : {}) })}
        >
          ${t('filter.clear')}
        </button>
      </div>
    </form></details>`;
  };

  const urlOf = (endpointId: string): string => {
    const found = endpoints.value?.find(({ id }) => id === endpointId);
    return found ? (found.label ?? found.url) : t('webhook.deleted');
  };

  const pages = (next: string | undefined): TemplateResult => html`<nav class="buttons" aria-label=${t('pages')}>
    <button
      type="button"
      aria-disabled=${former.length === 0 ? 'true' : 'false'}
      @click=${() => (former.length === 0 ? undefined : turn(undefined, true))}
    >
      ${t('pages.newer')}
    </button>
    <button
      type="button"
      aria-disabled=${next === undefined ? 'true' : 'false'}
      @click=${() => (next === undefined ? undefined : turn(next, false))}
    >
      ${t('pages.older')}
    </button>
  </nav>`;

  const nothingFound = (next: string | undefined): TemplateResult =>
    next === undefined
      ? emptyState(
          t('activity.none'),
          t(Object.keys(filter).length > 0 ? 'activity.none-filtered' : 'activity.none-text'),
        )
      : emptyState(
          t('activity.none-yet'),
          t('activity.none-yet-text'),
          html`<button type="button" @click=${() => turn(next, false)}>${t('activity.search-on')}</button>`,
        );

  const tab = (show: string, label: string): TemplateResult => html`<button
    type="button"
    aria-pressed=${isOfEvents === (show === 'events') ? 'true' : 'false'}
    @click=${() => portal.go({ screen: 'activity', ...(show === '' ? {} : { filter: { show } }) })}
  >
    ${label}
  </button>`;

  return {
    title: t('activity'),
    start: () => list.start(),
    stop: () => {
      list.stop();
      table.stop();
      events.stop();
    },
    render: () => html`<div class="bar">
        <div class="buttons" role="group" aria-label=${t('activity.show')}>
          ${tab('', t('deliveries'))} ${tab('events', t('events'))}
        </div>
      </div>
      ${filterForm()}
      ${withData(portal, list, ({ items, next }) =>
        items.length === 0
          ? nothingFound(next)
          : html`${
              isOfEvents
                ? events.render(items as readonly PublishedEvent[])
                : table.render(items as readonly Delivery[], urlOf)
            }
            ${next === undefined && former.length === 0 ? nothing : pages(next)}`,
      )}`,
  };
};
