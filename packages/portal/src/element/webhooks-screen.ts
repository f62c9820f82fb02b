import { html, nothing, type TemplateResult } from 'lit';
import { healthBadge, healthText } from './health.ts';
import type { Endpoint, Portal, Screen } from './portal.ts';
import { emptyState, withData } from './templates.ts';

/** The webhook endpoints of the account (specification §6.1). @internal */
export const createWebhooksScreen = (portal: Portal): Screen => {
  const { texts, endpoints } = portal;
  const { t } = texts;

  const add: TemplateResult | typeof nothing = portal.can('webhooks', 'write')
    ? html`<button
      type="button"
      class="primary"
      part="button primary"
      @click=${() => portal.go({ screen: 'webhooks', id: 'new' })}
    >
      ${t('webhook.add')}
    </button>`
    : nothing;

  const item = (endpoint: Endpoint): TemplateResult => html`<li class="card" part="card" data-endpoint=${endpoint.id}>
    <div class="row">
      <h3>
        <button type="button" class="link" @click=${() => portal.go({ screen: 'webhooks', id: endpoint.id })}>
          ${endpoint.label ?? endpoint.url}
        </button>
      </h3>
      ${healthBadge(texts, endpoint)}
    </div>
    ${endpoint.label === undefined ? nothing : html`<p class="url">${endpoint.url}</p>`}
    <p class="muted">${healthText(texts, endpoint)}</p>
    <p class="muted">${t('webhook.selectors', { count: endpoint.events.length, events: texts.list(endpoint.events) })}</p>
  </li>`;

  return {
    title: t('webhooks'),
    start: () => void endpoints.load(),
    stop: () => undefined,
    render: () => html`<div class="bar">
        <p class="muted">${t('webhooks.intro')}</p>
        ${(endpoints.value?.length ?? 0) > 0 ? add : nothing}
      </div>
      ${withData(portal, endpoints, (all) =>
        all.length === 0
          ? emptyState(t('webhooks.none'), t('webhooks.none-text'), add)
          : html`<ul class="cards">
              ${all.map(item)}
            </ul>`,
      )}`,
  };
};
