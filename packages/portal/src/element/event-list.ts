import { html, nothing, type TemplateResult } from 'lit';
import type { Portal, PublishedEvent } from './portal.ts';
import { badge, moment } from './templates.ts';

/** Events as a table; a row opens to show the body that is sent. @internal */
export const createEventList = (portal: Portal) => {
  const { texts } = portal;
  const { t } = texts;
  const openBodies = new Set<string>();

  const eventRow = (event: PublishedEvent): TemplateResult => {
    const isOpen = openBodies.has(event.id);
    return html`<tr data-event=${event.id}>
        <td>
          <button
            type="button"
            class="link"
            aria-expanded=${isOpen ? 'true' : 'false'}
            aria-controls=${isOpen ? `body-${event.id}` : nothing}
            @click=${() => {
              if (!openBodies.delete(event.id)) openBodies.add(event.id);
              portal.update();
            }}
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
        isOpen
          ? html`<tr class="detail" id="body-${event.id}">
            <td colspan="4">
              ${event.body === undefined ? nothing : html`<pre tabindex="0" aria-label=${t('event.body')}>${event.body}</pre>`}
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
