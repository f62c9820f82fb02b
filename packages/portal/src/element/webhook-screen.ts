import { html, nothing, type TemplateResult } from 'lit';
import type { Page } from './api.ts';
import { chart } from './chart.ts';
import { createDeliveryList } from './delivery-list.ts';
import { healthBadge, healthText } from './health.ts';
import { lastFailure, readLastFailure } from './last-failure.ts';
import type { Attempt, AttemptCounts, Delivery, Endpoint, Portal, Screen } from './portal.ts';
import { openReplay } from './replay-dialog.ts';
import { openRotation } from './rotation-dialog.ts';
import { confirmation, moment, withData } from './templates.ts';
import { openTest } from './test-dialog.ts';
import { createWebhookForm } from './webhook-form.ts';

const shownDeliveries = 10;

/** Enables an endpoint, disables it, ends its pause or deletes it, after saying what will happen. */
const openChange = (
  portal: Portal,
  endpoint: Endpoint,
  change: 'enable' | 'disable' | 'resume' | 'delete',
  onDone: () => void,
): void => {
  const { api, texts } = portal;
  confirmation(portal, {
    title: texts.t(`webhook.${change}`),
    text: texts.t(`webhook.${change}-text`, { url: endpoint.url }),
    confirm: `webhook.${change}`,
    act: async () => {
      const path = ['endpoints', endpoint.id];
      if (change === 'delete') {
        await api.call('DELETE', path);
        portal.emit('partnerkit:endpoint-deleted', { endpointId: endpoint.id });
      } else {
        await api.call('POST', [...path, change]);
        portal.emit('partnerkit:endpoint-changed', { endpointId: endpoint.id, change: `${change}d` });
      }
      portal.announce(texts.t(change === 'delete' ? 'deleted' : 'saved'));
      onDone();
    },
  });
};

/** One endpoint: its health, its settings, its last deliveries. @internal */
export const createWebhookScreen = (portal: Portal, endpointId: string): Screen => {
  const { api, texts } = portal;
  const { t } = texts;
  const canWrite = portal.can('webhooks', 'write');
  const canRead = portal.can('deliveries', 'read');
  let failure: Attempt | undefined;
  const endpoint = portal.resource(async (signal) => {
    const { body } = await api.call<Endpoint>('GET', ['endpoints', endpointId], { signal });
    failure = await readLastFailure(portal, body, signal);
    return body;
  }, 5_000);
  const deliveries = portal.resource(async (signal) => {
    const query = { endpointId, order: 'newest', limit: shownDeliveries };
    return (await api.call<Page<Delivery>>('GET', ['deliveries'], { query, signal })).body;
  }, 5_000);
  const counts = portal.resource(
    async (signal) => (await api.call<AttemptCounts>('GET', ['endpoints', endpointId, 'attempts'], { signal })).body,
    30_000,
  );
  const reload = (): void => {
    void endpoint.load();
    void portal.endpoints.load();
    if (!canRead) return;
    void deliveries.load();
    void counts.load();
  };
  const list = createDeliveryList(portal, reload);

  const fact = (name: string, value: TemplateResult | string): TemplateResult =>
    html`<dt>${name}</dt>
      <dd>${value}</dd>`;

  const actions = (shown: Endpoint): TemplateResult => {
    const isEnabled = shown.state === 'enabled';
    return html`<div class="buttons">
      ${
        shown.health.status === 'paused'
          ? html`<button type="button" @click=${() => openChange(portal, shown, 'resume', reload)}>
              ${t('webhook.resume')}
            </button>`
          : nothing
      }
      <button type="button" @click=${() => portal.go({ screen: 'webhooks', id: shown.id, isEditing: true })}>
        ${t('webhook.edit')}
      </button>
      ${
        isEnabled
          ? html`<button type="button" @click=${() => openTest(portal, shown, reload)}>${t('test.title')}</button>`
          : nothing
      }
      ${
        isEnabled && portal.can('deliveries', 'write')
          ? html`<button type="button" @click=${() => openReplay(portal, shown, reload)}>${t('replay.title')}</button>`
          : nothing
      }
      <button type="button" @click=${() => openRotation(portal, shown, reload)}>
        ${shown.rotating ? t('rotate.continue') : t('rotate.title')}
      </button>
      <button type="button" @click=${() => openChange(portal, shown, isEnabled ? 'disable' : 'enable', reload)}>
        ${isEnabled ? t('webhook.disable') : t('webhook.enable')}
      </button>
      <button
        type="button"
        class="danger"
        @click=${() =>
          openChange(portal, shown, 'delete', () => {
            void portal.endpoints.load();
            portal.go({ screen: 'webhooks' });
          })}
      >
        ${t('webhook.delete')}
      </button>
    </div>`;
  };

  return {
    get title() {
      return endpoint.value?.label ?? endpoint.value?.url ?? t('webhook');
    },
    start: () => {
      endpoint.start();
      if (!canRead) return;
      deliveries.start();
      counts.start();
    },
    stop: () => {
      endpoint.stop();
      deliveries.stop();
      counts.stop();
      list.stop();
    },
    render: () => html`<p>
        <button type="button" class="link" @click=${() => portal.go({ screen: 'webhooks' })}>← ${t('webhooks')}</button>
      </p>
      ${withData(
        portal,
        endpoint,
        (shown) => html`<div class="panel" part="panel">
            <div class="row">${healthBadge(texts, shown)}<p>${healthText(texts, shown)}</p></div>
            ${lastFailure(portal, failure)}
            ${canWrite ? actions(shown) : nothing}
          </div>
          <div class="panel" part="panel">
            <h3>${t('webhook.settings')}</h3>
            <dl>
              ${fact(t('form.url'), html`<span class="url">${shown.url}</span>`)}
              ${fact(t('form.events'), texts.list(shown.events))}
              ${fact(t('form.key'), shown.deliveryHeaderName ?? t('form.key-none'))}
              ${fact(t('form.standard'), t(shown.standardWebhooks ? 'yes' : 'no'))}
              ${fact(t('form.children'), t(shown.includeChildren ? 'yes' : 'no'))}
              ${fact(t('created'), moment(texts, shown.createdAt))}
            </dl>
          </div>`,
      )}
      ${
        canRead
          ? html`${withData(portal, counts, (value) => chart(texts, value))}
            <h3>${t('deliveries.last')}</h3>
            ${withData(portal, deliveries, ({ items }) =>
              items.length === 0
                ? html`<p class="muted">${t('deliveries.none')}</p>`
                : html`${list.render(items)}
                    <p>
                      <button
                        type="button"
                        class="link"
                        @click=${() => portal.go({ screen: 'activity', filter: { endpointId } })}
                      >
                        ${t('deliveries.all')}
                      </button>
                    </p>`,
            )}`
          : nothing
      }`,
  };
};

/** The form of an endpoint, with the version that it changes. @internal */
export const createWebhookEditScreen = (portal: Portal, endpointId: string): Screen => {
  const { api, texts } = portal;
  let form: Screen | undefined;
  const endpoint = portal.resource(async (signal) => {
    const { body, etag } = await api.call<Endpoint>('GET', ['endpoints', endpointId], { signal });
    form = createWebhookForm(portal, { endpoint: body, ...(etag === undefined ? {} : { etag }) });
    return body;
  });
  return {
    title: texts.t('webhook.edit'),
    start: () => endpoint.start(),
    stop: () => {
      endpoint.stop();
      form?.stop();
    },
    render: () => withData(portal, endpoint, () => form?.render() ?? html``),
  };
};
