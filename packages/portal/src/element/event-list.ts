import { html, nothing, type TemplateResult } from 'lit';
import type { EventWithBody, Portal, PublishedEvent } from './portal.ts';
import type { Resource } from './resource.ts';
import { badge, moment, withData } from './templates.ts';

/** Events as a table; a row opens, and then reads the body that is sent. @internal */
export const createEventList = (portal: Portal) => {
  const { api, texts } = portal;
  const { t } = texts;
  const open = new Map<string, Resource<EventWithBody>>();

  const toggle = ({ id, timestamp }: PublishedEvent): void => {
    const shown = open.get(id);
    shown?.stop();
    if (!open.delete(id)) {
      const read = async (signal: AbortSignal) =>
        (await api.call<EventWithBody>('GET', ['events', id], { signal })).body;
      // A body never changes.
      const event = portal.resource(read, timestamp === undefined ? 5_000 : undefined);
      open.set(id, event);
      event.start();
    }
    portal.update();
  };

  const bodyOf = ({ body }: EventWithBody): TemplateResult =>
    html`${body === undefined ? nothing : html`<pre tabindex="0" aria-label=${t('event.body')}>${body}</pre>`}`;

  const eventRow = (event: PublishedEvent): TemplateResult => {
    const shown = open.get(event.id);
    return html`<tr data-event=${event.id}>
        <td>
          <button
            type="button"
            class="link"
            aria-expanded=${shown ? 'true' : 'false'}
            aria-controls=${shown ? `body-${event.id}` : nothing}
            @click=${() => toggle(event)}
          >
            ${event.objectName}.${event.type}
          </button>
          ${event.isTest ? badge('neutral', t('event.test')) : nothing}
        </td>
        <td data-label=${t('filter.object-id')}><code>${event.objectId}</code></td>
        <td data-label=${t('event.time')}>${event.timestamp === undefined ? t('explain.not_dispatched_yet') : moment(texts, event.timestamp)}</td>
        <td data-label=${t('event.child')}>${event.childAccountId ?? nothing}</td>
      </tr>
      ${
        shown
          ? html`<tr class="detail" id="body-${event.id}">
            <td colspan="4">
              ${withData(portal, shown, bodyOf)}
              <button
                type="button"
                class="link"
                @click=${() => portal.go({ screen: 'activity', filter: { eventId: event.id } })}
              >
                ${t('event.deliveries')}
              </button>
            </td>
          </tr>`
          : nothing
      }`;
  };

  return {
    stop: (): void => {
      for (const shown of open.values()) shown.stop();
    },
    render: (events: readonly PublishedEvent[]): TemplateResult =>
      html`<div class="scroll" tabindex="0" role="group" aria-label=${t('events')}>
      <table>
        <thead>
          <tr>
            <th scope="col">${t('event')}</th>
            <th scope="col">${t('filter.object-id')}</th>
            <th scope="col">${t('event.time')}</th>
            <th scope="col">${t('event.child')}</th>
          </tr>
        </thead>
        <tbody>
          ${events.map(eventRow)}
        </tbody>
      </table>
    </div>`,
  };
};
