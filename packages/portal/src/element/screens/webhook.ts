import { html, nothing, type TemplateResult } from 'lit';
import { isApiError, type Page } from '../api.ts';
import { adviceFor, outcomeText } from '../explanation.ts';
import { endpointName, healthBadge, healthText, waitingText } from '../health.ts';
import type { MessageKey } from '../i18n.ts';
import { Action } from '../parts/action.ts';
import { badge } from '../parts/badge.ts';
import { actionButton, plainButton } from '../parts/button.ts';
import { chart } from '../parts/chart.ts';
import { choices } from '../parts/chips.ts';
import { quote } from '../parts/copyable.ts';
import { deliveryList } from '../parts/delivery-list.ts';
import { deprecations } from '../parts/deprecation.ts';
import { confirmation } from '../parts/dialog-part.ts';
import { settingFacts } from '../parts/endpoint-settings.ts';
import { facts } from '../parts/facts.ts';
import { card, heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { type MenuItem, menu } from '../parts/menu.ts';
import { type Content, failureOf, notice } from '../parts/notice.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import { sendingPauses } from '../parts/sending-pauses.ts';
import { Ticker } from '../parts/ticker.ts';
import { ago, exactly } from '../parts/time.ts';
import { withData } from '../parts/with-data.ts';
import type { Place } from '../place.ts';
import type { Delivery, Endpoint, EndpointStatistics, EventCatalogue, Portal } from '../portal.ts';
import { barsOf, type FailureKind, failureOfEndpoint, failuresOf, isFailed, totalOf } from '../statistics.ts';

const shownDeliveries = 10;
const periods = { day: '24h', week: '7d', month: '30d' } as const;
type Period = keyof typeof periods;

/** What failed and has not arrived since. */
interface Failed {
  readonly count: number;
  readonly isMore: boolean;
}

/** A batch of what is sent again. */
interface Batch {
  readonly deliveries: number;
  readonly next?: string;
}
interface BatchOptions {
  /** Only counts it. */
  readonly isDryRun?: boolean;
  readonly after?: string | undefined;
  readonly signal?: AbortSignal;
  /** The end of the period, in seconds. */
  readonly until?: number;
}

/** The end of a period that has everything. */
const now = (): number => Math.ceil(Date.now() / 1_000) + 1;

const failureNames: Readonly<Record<FailureKind, MessageKey>> = {
  clientError: 'failure.client',
  serverError: 'failure.server',
  otherStatus: 'failure.other',
  timeout: 'failure.timeout',
  connection: 'failure.connection',
  tls: 'failure.tls',
  platform: 'failure.platform',
};

/** One endpoint: its health, its settings, its last deliveries. */
class Webhook extends ScreenPart {
  static override properties = {
    ...ScreenPart.properties,
    endpointId: { attribute: false },
    period: { attribute: false },
    sent: { state: true },
  };

  declare endpointId: string;
  declare period: Period;
  /** How many deliveries are sent again, while that goes on. */
  declare sent: number | undefined;
  readonly #action = new Action(this);
  readonly #ticker = new Ticker(this);

  readonly #endpoint = new Resource<Endpoint>(this, {
    name: () => `webhook-${this.endpointId}`,
    every: 5_000,
    read: async (api, signal) => (await api.call<Endpoint>('GET', ['endpoints', this.endpointId], { signal })).body,
  });
  /** `null`: the session may not read it. */
  readonly #statistics = new Resource<EndpointStatistics | null>(this, {
    name: () => `statistics-${this.period}-${this.endpointId}`,
    every: 5_000,
    read: async (api, signal) => {
      if (!this.portal.can('deliveries', 'read')) return null;
      const path = ['endpoints', this.endpointId, 'statistics'];
      const query = { period: periods[this.period] };
      return (await api.call<EndpointStatistics>('GET', path, { query, signal })).body;
    },
  });
  readonly #newest = new Resource<readonly Delivery[]>(this, {
    name: () => `newest-${this.endpointId}`,
    every: 5_000,
    read: async (api, signal) => {
      if (!this.portal.can('deliveries', 'read')) return [];
      const query = { endpointId: this.endpointId, order: 'newest', limit: shownDeliveries };
      return (await api.call<Page<Delivery>>('GET', ['deliveries'], { query, signal })).body.items;
    },
  });
  /** What a recovery would send now. `null`: nothing, or the session may not. */
  readonly #failed = new Resource<Failed | null>(this, {
    every: 30_000,
    read: async (_api, signal) => {
      if (!this.portal.can('deliveries', 'write')) return null;
      try {
        const { deliveries: count, next } = await this.#sendFailed({ isDryRun: true, signal });
        return count === 0 && next === undefined ? null : { count, isMore: next !== undefined };
      } catch (cause) {
        if (isApiError(cause) && ['endpoint_disabled', 'wrong_kind'].includes(cause.code)) return null;
        throw cause;
      }
    },
  });

  readonly #catalogue = new Resource<EventCatalogue>(this, {
    name: () => 'catalogue',
    read: async (api, signal) => (await api.call<EventCatalogue>('GET', ['catalogue'], { signal })).body,
  });

  readonly #reload = (): void => {
    for (const each of [this.#endpoint, this.#statistics, this.#newest, this.#failed]) void each.load();
  };

  /** Enables the endpoint, disables it or deletes it, after saying what will happen. */
  #ask(endpoint: Endpoint, change: 'enable' | 'disable' | 'resume' | 'delete'): void {
    const { portal } = this;
    const { api, texts } = portal;
    confirmation(portal, {
      title: texts.t(`webhook.${change}`),
      text: texts.t(`webhook.${change}-text`, { url: endpoint.url ?? endpointName(endpoint) }),
      confirm: texts.t(`webhook.${change}`),
      isDangerous: change === 'delete' || change === 'disable',
      act: async () => {
        const path = ['endpoints', endpoint.id];
        if (change === 'delete') {
          await api.call('DELETE', path);
          portal.emit('partnerkit:endpoint-deleted', { endpointId: endpoint.id });
        } else {
          await api.call('POST', [...path, change]);
          portal.emit('partnerkit:endpoint-changed', { endpointId: endpoint.id, change: `${change}d` });
        }
      },
      onDone: () => {
        portal.announce(texts.t(change === 'delete' ? 'deleted' : 'saved'));
        if (change === 'delete') {
          portal.cache.clear();
          portal.go({ screen: 'webhooks' });
        } else this.#reload();
      },
    });
  }

  #test(endpoint: Endpoint): void {
    this.portal.openLater((dialogs) => dialogs.test(endpoint, this.#reload));
  }

  async #tryNow(deliveryId: string): Promise<void> {
    const { api, announce, texts } = this.portal;
    if (await this.#action.run(() => api.call('POST', ['deliveries', deliveryId, 'send-again'])))
      announce(texts.t('delivery.sent-again'));
    this.#reload();
  }

  /** One batch of what failed and has not arrived since, whenever it was published. */
  async #sendFailed({ isDryRun = false, after, signal, until = now() }: BatchOptions): Promise<Batch> {
    const body = { from: 0, to: until, isDryRun, ...(after === undefined ? {} : { after }) };
    const path = ['endpoints', this.endpointId, 'recover'];
    return (await this.portal.api.call<Batch>('POST', path, { body, signal })).body;
  }

  /** Sends what failed again, batch by batch. */
  async #recover(): Promise<void> {
    const { announce, texts } = this.portal;
    let count = 0;
    // A cursor belongs to one period.
    const until = now();
    const isDone = await this.#action.run(async () => {
      for (let after: string | undefined, more = true; more; more = after !== undefined) {
        const batch = await this.#sendFailed({ after, until });
        count += batch.deliveries;
        after = batch.next;
        this.sent = count;
      }
    });
    this.sent = undefined;
    if (isDone) announce(texts.t('webhook.sent-again', { count }));
    this.#reload();
  }

  /** The one action that fits the state. */
  #primary(endpoint: Endpoint): Content {
    const { t } = this.portal.texts;
    const { can } = this.portal;
    const { status, sendingPausedSince } = endpoint.health;
    const isWriter = can('webhooks', 'write');
    if (status === 'disabled')
      return isWriter ? plainButton(t('webhook.enable'), () => this.#ask(endpoint, 'enable'), 'primary') : nothing;
    // Only the platform resumes what it paused.
    if (sendingPausedSince !== undefined) return nothing;
    if (status === 'paused' && isWriter)
      return plainButton(t('webhook.resume'), () => this.#ask(endpoint, 'resume'), 'primary');
    const failed = failureOfEndpoint(endpoint, this.#statistics.value ?? undefined)?.deliveryId;
    if (failed !== undefined && can('deliveries', 'write'))
      return actionButton(this.#action, t('webhook.try-now'), {
        kind: 'primary',
        onClick: () => void this.#tryNow(failed),
      });
    const left = this.#failed.value;
    if (left)
      return actionButton(
        this.#action,
        this.sent === undefined
          ? t(left.isMore ? 'webhook.send-again-all' : 'webhook.send-again', { count: left.count })
          : t('webhook.sending-again', { sent: this.sent }),
        { kind: 'primary', onClick: () => void this.#recover() },
      );
    return isWriter ? plainButton(t('test.title'), () => this.#test(endpoint), 'primary') : nothing;
  }

  /** The other actions. */
  #menu(endpoint: Endpoint): TemplateResult | typeof nothing {
    const { portal } = this;
    const { t } = portal.texts;
    const isWriter = portal.can('webhooks', 'write');
    const isEnabled = endpoint.state === 'enabled';
    const isPush = endpoint.kind === 'push';
    const isTestPrimary = endpoint.health.status === 'delivering' && !this.#failed.value;
    const items: readonly (MenuItem | false)[] = [
      isWriter && isEnabled && !isTestPrimary && { label: t('test.title'), act: () => this.#test(endpoint) },
      isPush &&
        isEnabled &&
        portal.can('deliveries', 'write') && {
          label: t('replay.title'),
          act: () => portal.openLater((dialogs) => dialogs.replay(endpoint, this.#reload)),
        },
      isPush &&
        isWriter && {
          label: t(endpoint.rotating ? 'rotate.continue' : 'rotate.title'),
          act: () => portal.openLater((dialogs) => dialogs.rotateWebhook(endpoint, this.#reload)),
        },
      isWriter && isEnabled && { label: t('webhook.disable'), act: () => this.#ask(endpoint, 'disable') },
      isWriter && { label: t('webhook.delete'), isDangerous: true, act: () => this.#ask(endpoint, 'delete') },
    ];
    return menu(
      portal,
      items.filter((item) => item !== false),
    );
  }

  #outcome(endpoint: Endpoint): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    const statistics = this.#statistics.value ?? undefined;
    const last = statistics?.last;
    if (statistics?.nextAttemptAt !== undefined) this.#ticker.tick();
    return card(
      t('webhook.health'),
      html`<p>${healthText(texts, endpoint)} ${waitingText(texts, endpoint, statistics)}</p>
        ${
          last
            ? html`<div class="why" part="why">
              <p class="row spread">
                <strong class=${isFailed(last) ? 'bad' : 'good'}>${outcomeText(texts, last)}</strong>
                <span class="muted small">${t('attempt.last')} ${exactly(texts, last.at)} · ${texts.duration(last.durationMs)}</span>
              </p>
              ${last.kind === 'answered' ? quote(t('attempt.answer'), last.body) : nothing}
              ${isFailed(last) ? html`<p class="muted">${adviceFor(portal, last)}</p>` : nothing}
              <p>${link(portal, { screen: 'deliveries', id: last.deliveryId }, t('home.see-delivery'))}</p>
            </div>`
            : nothing
        }`,
    );
  }

  #chart(): TemplateResult | typeof nothing {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    if (!portal.can('deliveries', 'read')) return nothing;
    const place = (period: Period): Place => ({
      screen: 'webhooks',
      id: this.endpointId,
      ...(period === 'day' ? {} : { filter: { period } }),
    });
    const label = t(`chart.${this.period}`);
    return card(
      label,
      withData(texts, this.#statistics, (statistics) => {
        if (!statistics) return html``;
        const { succeeded, share } = totalOf([statistics]);
        const { durations, isComplete } = statistics;
        const times = durations && {
          median: texts.duration(durations.medianMs),
          slowest: texts.duration(durations.p90Ms),
        };
        return html`<p class="row small">
            ${badge('good', t('chart.succeeded-count', { count: succeeded }))}
            ${failuresOf(statistics).map(([kind, count]) =>
              badge(
                kind === 'clientError' || kind === 'serverError' ? 'bad' : 'warning',
                `${t(failureNames[kind])} · ${texts.number(count)}`,
              ),
            )}
            ${share === undefined ? nothing : html`<span class="muted">${texts.percent(share)}</span>`}
            ${times ? html`<span class="muted">${t('chart.durations', times)}</span>` : nothing}
            ${isComplete ? nothing : html`<span class="muted">${t('chart.incomplete')}</span>`}
          </p>
          ${chart(portal, label, barsOf([statistics]), this.period !== 'day')}`;
      }),
      choices(portal, t('chart.period'), [
        [place('day'), t('home.day'), this.period === 'day'],
        [place('week'), t('home.week'), this.period === 'week'],
        [place('month'), t('home.month'), this.period === 'month'],
      ]),
    );
  }

  #settings(endpoint: Endpoint): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    return card(
      t('webhook.settings'),
      facts([
        endpoint.url === undefined ? undefined : [t('form.url'), html`<span class="url">${endpoint.url}</span>`],
        [t('form.events'), texts.list(endpoint.events)],
        endpoint.kind === 'pull'
          ? undefined
          : [
              t('form.key'),
              endpoint.deliveryHeaderName
                ? html`<code>${endpoint.deliveryHeaderName}: ••••</code>`
                : t('form.key-none'),
            ],
        ...settingFacts(texts, endpoint),
        endpoint.profile === undefined ? undefined : [t('webhook.profile'), endpoint.profile],
        [t('created'), ago(texts, endpoint.createdAt)],
        [t('webhook.id'), html`<code>${endpoint.id}</code>`],
      ]),
      portal.can('webhooks', 'write')
        ? link(portal, { screen: 'webhooks', id: endpoint.id, isEditing: true }, t('webhook.edit'), { look: 'button' })
        : nothing,
    );
  }

  #deliveries(): TemplateResult | typeof nothing {
    const { portal } = this;
    const { t } = portal.texts;
    if (!portal.can('deliveries', 'read')) return nothing;
    return card(
      t('deliveries.last'),
      withData(portal.texts, this.#newest, (items) =>
        items.length === 0 ? html`<p class="muted">${t('deliveries.none')}</p>` : deliveryList(portal, items),
      ),
      link(portal, { screen: 'deliveries', filter: { endpointId: this.endpointId } }, t('deliveries.all')),
    );
  }

  override render(): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    const { value } = this.#endpoint;
    return html`${heading(portal, value ? endpointName(value) : t('webhook'), {
      from: [{ screen: 'webhooks' }, t('webhooks')],
      state: value ? healthBadge(texts, value) : nothing,
      actions: value ? html`${this.#primary(value)} ${this.#menu(value)}` : nothing,
    })}
    ${failureOf(texts, this.#action)}
    ${withData(
      texts,
      this.#endpoint,
      (shown) => html`${
        shown.rotating
          ? notice(
              'info',
              t('rotate.half'),
              portal.can('webhooks', 'write')
                ? plainButton(t('rotate.continue'), () =>
                    portal.openLater((dialogs) => dialogs.rotateWebhook(shown, this.#reload)),
                  )
                : nothing,
            )
          : nothing
      }
        ${this.#catalogue.value ? deprecations(texts, shown, this.#catalogue.value) : nothing}
        <div class="grid sides">
          <div class="column">${this.#outcome(shown)} ${shown.kind === 'pull' ? nothing : html`${this.#chart()} ${this.#deliveries()}`}</div>
          <div class="column">
            ${this.#settings(shown)}
            ${shown.kind !== 'pull' && portal.can('sending', 'read') ? sendingPauses(portal, shown, this.#reload) : nothing}
          </div>
        </div>`,
    )}`;
  }
}

define('partnerkit-webhook', Webhook);

/** @internal */
export const webhookScreen = (portal: Portal, endpointId: string, period = 'day'): TemplateResult =>
  html`<partnerkit-webhook
    .portal=${portal}
    .endpointId=${endpointId}
    .period=${Object.hasOwn(periods, period) ? period : 'day'}
  ></partnerkit-webhook>`;
