import { html, nothing, type TemplateResult } from 'lit';
import { type Page, readAll } from '../api.ts';
import { outcomeText } from '../explanation.ts';
import { endpointName, healthBadge, healthText, waitingText } from '../health.ts';
import { quote } from '../parts/copyable.ts';
import { heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { emptyState } from '../parts/notice.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import { exactly } from '../parts/time.ts';
import { withData } from '../parts/with-data.ts';
import type { Place } from '../place.ts';
import type { Endpoint, EndpointStatistics, Portal } from '../portal.ts';
import { failureOfEndpoint } from '../statistics.ts';
import { webhookScreen } from './webhook.ts';
import { editScreen, newScreen } from './webhook-form.ts';

interface Listed {
  readonly endpoint: Endpoint;
  readonly statistics: EndpointStatistics | undefined;
}

/** The webhook endpoints of the account (specification §6.1). */
class Webhooks extends ScreenPart {
  readonly #list = new Resource<readonly Listed[]>(this, {
    name: () => 'webhooks',
    every: 10_000,
    read: async (api, signal) => {
      const [endpoints, figures] = await Promise.all([
        readAll<Endpoint>(api, 'endpoints', signal),
        this.portal.can('deliveries', 'read')
          ? api.call<Page<EndpointStatistics>>('GET', ['statistics'], { signal })
          : undefined,
      ]);
      return endpoints.map((endpoint) => ({
        endpoint,
        statistics: figures?.body.items.find(({ endpointId }) => endpointId === endpoint.id),
      }));
    },
  });

  #item({ endpoint, statistics }: Listed): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const answer = failureOfEndpoint(endpoint, statistics);
    return html`<li class="card" part="card" data-endpoint=${endpoint.id}>
      <div class="row">
        <h3>${link(portal, { screen: 'webhooks', id: endpoint.id }, endpointName(endpoint))}</h3>
        ${healthBadge(texts, endpoint)}
      </div>
      ${endpoint.label === undefined || endpoint.url === undefined ? nothing : html`<p class="url muted">${endpoint.url}</p>`}
      <p>${healthText(texts, endpoint)} ${waitingText(texts, endpoint, statistics)}</p>
      ${
        answer
          ? html`<div class="why" part="why">
            <p><strong>${outcomeText(texts, answer)}</strong> <span class="muted small">${exactly(texts, answer.at)}</span></p>
            ${answer.kind === 'answered' ? quote(texts.t('attempt.answer'), answer.body) : nothing}
          </div>`
          : nothing
      }
      <p class="muted small">
        ${texts.t('webhook.selectors', { count: endpoint.events.length, events: texts.list(endpoint.events) })}
      </p>
    </li>`;
  }

  override render(): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    const add = portal.can('webhooks', 'write')
      ? link(portal, { screen: 'webhooks', id: 'new' }, t('webhook.add'), { look: 'button primary' })
      : nothing;
    const hasSome = (this.#list.value?.length ?? 0) > 0;
    return html`${heading(portal, t('webhooks'), hasSome ? { actions: add } : {})}
      <p class="muted">${t('webhooks.intro')}</p>
      ${withData(portal.texts, this.#list, (all) =>
        all.length === 0
          ? emptyState(t('webhooks.none'), t('webhooks.none-text'), add)
          : html`<ul class="cards">
              ${all.map((listed) => this.#item(listed))}
            </ul>`,
      )}`;
  }
}

define('partnerkit-webhooks', Webhooks);

/** @internal */
export const screen = (portal: Portal, { id, isEditing, filter }: Place): TemplateResult => {
  const isForm = id === 'new' || isEditing;
  if (id === undefined || (isForm && !portal.can('webhooks', 'write')))
    return html`<partnerkit-webhooks .portal=${portal}></partnerkit-webhooks>`;
  if (id === 'new') return newScreen(portal);
  return isEditing ? editScreen(portal, id) : webhookScreen(portal, id, filter?.['period']);
};
