import { html, nothing, type TemplateResult } from 'lit';
import { readAll } from './api.ts';
import { healthBadge, healthText } from './health.ts';
import { lastFailure, readLastFailure } from './last-failure.ts';
import type { Attempt, Endpoint, Portal, Screen } from './portal.ts';
import { emptyState, withData } from './templates.ts';

interface Listed {
  readonly endpoint: Endpoint;
  readonly failure: Attempt | undefined;
}

/** The webhook endpoints of the account (specification §6.1). @internal */
export const createWebhooksScreen = (portal: Portal): Screen => {
  const { api, texts } = portal;
  const { t } = texts;
  const list = portal.resource(async (signal) => {
    const endpoints = await readAll<Endpoint>(api, 'endpoints', signal);
    return Promise.all(
      endpoints.map(
        async (endpoint): Promise<Listed> => ({ endpoint, failure: await readLastFailure(portal, endpoint, signal) }),
      ),
    );
  }, 10_000);

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

  const item = ({
    endpoint,
    failure,
  }: Listed): TemplateResult => html`<li class="card" part="card" data-endpoint=${endpoint.id}>
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
    ${lastFailure(portal, failure)}
    <p class="muted">${t('webhook.selectors', { count: endpoint.events.length, events: texts.list(endpoint.events) })}</p>
  </li>`;

  return {
    title: t('webhooks'),
    start: () => list.start(),
    stop: () => list.stop(),
    render: () => html`<div class="bar">
        <p class="muted">${t('webhooks.intro')}</p>
        ${(list.value?.length ?? 0) > 0 ? add : nothing}
      </div>
      ${withData(portal, list, (all) =>
        all.length === 0
          ? emptyState(t('webhooks.none'), t('webhooks.none-text'), add)
          : html`<ul class="cards">
              ${all.map(item)}
            </ul>`,
      )}`,
  };
};
