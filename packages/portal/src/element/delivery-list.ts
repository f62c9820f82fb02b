import { html, nothing, type TemplateResult } from 'lit';
import type { Action } from './action.ts';
import type { Page } from './api.ts';
import { attemptText } from './attempt.ts';
import { explanationText } from './explanation.ts';
import type { Attempt, Delivery, Explanation, Portal } from './portal.ts';
import type { Resource } from './resource.ts';
import { actionButton, badge, failureOf, moment, withData } from './templates.ts';

type UrlOf = (endpointId: string) => string;

interface Detail {
  readonly explanation: Explanation | undefined;
  readonly attempts: readonly Attempt[];
}

const kinds = {
  waiting: 'warning',
  held: 'neutral',
  delivered: 'good',
  exhausted: 'bad',
  expired: 'neutral',
} as const;

/** The state of a delivery in a word. */
const stateBadge = ({ texts }: Portal, state: Delivery['state']): TemplateResult =>
  badge(kinds[state], texts.t(`state.${state}`));

/** Deliveries as a table; a row opens to show its attempts and what became of it. @internal */
export const createDeliveryList = (portal: Portal, reload: () => void) => {
  const { api, texts } = portal;
  const { t } = texts;
  const open = new Map<string, { readonly detail: Resource<Detail>; readonly action: Action }>();

  const read = async ({ id, eventId, endpointId }: Delivery, signal: AbortSignal): Promise<Detail> => {
    const [attempts, explained] = await Promise.all([
      api.call<Page<Attempt>>('GET', ['deliveries', id, 'attempts'], { signal }),
      // A pruned event cannot be explained.
      api.call<Explanation>('GET', ['events', eventId, 'explanations', endpointId], { signal }).catch(() => undefined),
    ]);
    return { attempts: attempts.body.items, explanation: explained?.body };
  };
  const toggle = (delivery: Delivery): void => {
    const shown = open.get(delivery.id);
    shown?.detail.stop();
    if (shown) open.delete(delivery.id);
    else {
      const detail = portal.resource((signal) => read(delivery, signal), 5_000);
      open.set(delivery.id, { detail, action: portal.action() });
      detail.start();
    }
    portal.update();
  };

  const attemptItem = (attempt: Attempt): TemplateResult => html`<li>
    ${moment(texts, attempt.at)} ${attemptText(texts, attempt)}
  </li>`;

  const detailOf = (delivery: Delivery): TemplateResult | typeof nothing => {
    const shown = open.get(delivery.id);
    if (!shown) return nothing;
    const { detail, action } = shown;
    return html`<tr class="detail" id="detail-${delivery.id}">
      <td colspan="5">
        ${withData(
          portal,
          detail,
          ({ explanation, attempts }) => html`
            <p>${explanation ? explanationText(texts, explanation) : t('explain.pruned')}</p>
            ${
              attempts.length === 0
                ? html`<p class="muted">${t('attempt.none')}</p>`
                : html`<ol class="attempts" aria-label=${t('attempts')}>
                  ${attempts.map(attemptItem)}
                </ol>`
            }
          `,
        )}
        ${failureOf(texts, action)}
        ${
          portal.can('deliveries', 'write')
            ? actionButton(action, t('delivery.send-again'), {
                onClick: async () => {
                  const isSent = await action.run(async () => {
                    await api.call('POST', ['deliveries', delivery.id, 'send-again']);
                  });
                  if (isSent) portal.announce(t('delivery.sent-again'));
                  await detail.load();
                  reload();
                },
              })
            : nothing
        }
      </td>
    </tr>`;
  };

  const row = (delivery: Delivery, urlOf: UrlOf | undefined): TemplateResult => {
    const isOpen = open.has(delivery.id);
    const { event } = delivery;
    return html`<tr data-delivery=${delivery.id}>
        <td>
          <button
            type="button"
            class="link"
            aria-expanded=${isOpen ? 'true' : 'false'}
            aria-controls=${isOpen ? `detail-${delivery.id}` : nothing}
            @click=${() => toggle(delivery)}
          >
            ${event ? `${event.objectName}.${event.type}` : t('event.pruned')}
          </button>
          ${event ? html`<br /><code class="muted">${event.objectId}</code>` : nothing}
        </td>
        <td data-label=${t('event.time')}>${event ? moment(texts, event.timestamp) : nothing}</td>
        ${urlOf ? html`<td class="url" data-label=${t('webhook')}>${urlOf(delivery.endpointId)}</td>` : nothing}
        <td data-label=${t('state')}>${stateBadge(portal, delivery.state)}</td>
        <td class="number" data-label=${t('attempts')}>${texts.number(delivery.attempts)}</td>
      </tr>
      ${detailOf(delivery)}`;
  };

  return {
    stop: (): void => {
      for (const { detail } of open.values()) detail.stop();
    },
    /** Without `urlOf`, all are of one webhook. */
    render: (deliveries: readonly Delivery[], urlOf?: UrlOf): TemplateResult =>
      html`<div class="scroll" tabindex="0" role="group" aria-label=${t('deliveries')}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t('event')}</th>
              <th scope="col">${t('event.time')}</th>
              ${urlOf ? html`<th scope="col">${t('webhook')}</th>` : nothing}
              <th scope="col">${t('state')}</th>
              <th scope="col" class="number">${t('attempts')}</th>
            </tr>
          </thead>
          <tbody>
            ${deliveries.map((delivery) => row(delivery, urlOf))}
          </tbody>
        </table>
      </div>`,
  };
};
