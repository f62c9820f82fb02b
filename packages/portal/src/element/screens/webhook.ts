import { html, nothing, type TemplateResult } from 'lit';
import type { Api, Page } from '../api.ts';
import { adviceFor, outcomeText } from '../explanation.ts';
import { endpointName, healthBadge, healthText, unfinishedText } from '../health.ts';
import { isFailed, readUnfinished, type Unfinished } from '../last-failure.ts';
import { Action } from '../parts/action.ts';
import { badge } from '../parts/badge.ts';
import { actionButton, plainButton } from '../parts/button.ts';
import { byDay, chart } from '../parts/chart.ts';
import { choices } from '../parts/chips.ts';
import { quote } from '../parts/copyable.ts';
import { totalOf } from '../parts/counts.ts';
import { deliveryList } from '../parts/delivery-list.ts';
import { confirmation } from '../parts/dialog-part.ts';
import { facts } from '../parts/facts.ts';
import { card, heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { type MenuItem, menu } from '../parts/menu.ts';
import { type Content, failureOf, notice } from '../parts/notice.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import { Ticker } from '../parts/ticker.ts';
import { ago, exactly } from '../parts/time.ts';
import { withData } from '../parts/with-data.ts';
import type { Place } from '../place.ts';
import type { Attempt, AttemptCounts, Delivery, Endpoint, Portal } from '../portal.ts';

const shownDeliveries = 10;
/** Maximum number of deliveries that one press sends again. */
const maxSentAgain = 100;
const periods = { day: 24, week: 168 } as const;
type Period = keyof typeof periods;

interface Shown {
  readonly endpoint: Endpoint;
  readonly unfinished: Unfinished | undefined;
}

/** The newest deliveries, and the last attempt among them. */
interface Newest {
  readonly items: readonly Delivery[];
  readonly last: Attempt | undefined;
}

/** The deliveries that were given up. */
interface Exhausted {
  readonly items: readonly Delivery[];
  readonly isMore: boolean;
}

const readNewest = async (api: Api, endpointId: string, signal: AbortSignal): Promise<Newest> => {
  const query = { endpointId, order: 'newest', limit: shownDeliveries };
  const { items } = (await api.call<Page<Delivery>>('GET', ['deliveries'], { query, signal })).body;
  const attempted = items.find(({ attempts, state }) => attempts > 0 || state === 'delivered');
  if (!attempted) return { items, last: undefined };
  const path = ['deliveries', attempted.id, 'attempts'];
  return { items, last: (await api.call<Page<Attempt>>('GET', path, { signal })).body.items.at(-1) };
};

/** One endpoint: its health, its settings, its last deliveries. */
class Webhook extends ScreenPart {
  static override properties = {
    ...ScreenPart.properties,
    endpointId: { attribute: false },
    period: { attribute: false },
  };

  declare endpointId: string;
  declare period: Period;
  readonly #action = new Action(this);
  readonly #ticker = new Ticker(this);
  #sent: number | undefined;

  readonly #endpoint = new Resource<Shown>(this, {
    name: () => `webhook-${this.endpointId}`,
    every: 5_000,
    read: async (api, signal) => {
      const { body: endpoint } = await api.call<Endpoint>('GET', ['endpoints', this.endpointId], { signal });
      const isReader = this.portal.can('deliveries', 'read');
      return { endpoint, unfinished: isReader ? await readUnfinished(api, endpoint, signal) : undefined };
    },
  });
  readonly #newest = new Resource<Newest>(this, {
    name: () => `newest-${this.endpointId}`,
    every: 5_000,
    read: (api, signal) =>
      this.portal.can('deliveries', 'read')
        ? readNewest(api, this.endpointId, signal)
        : Promise.resolve({ items: [], last: undefined }),
  });
  readonly #exhausted = new Resource<Exhausted>(this, {
    every: 30_000,
    read: async (api, signal) => {
      if (!this.portal.can('deliveries', 'write')) return { items: [], isMore: false };
      const query = { endpointId: this.endpointId, state: 'exhausted', order: 'newest', limit: maxSentAgain };
      const { body } = await api.call<Page<Delivery>>('GET', ['deliveries'], { query, signal });
      return { items: body.items, isMore: body.next !== undefined };
    },
  });
  readonly #counts = new Resource<AttemptCounts | undefined>(this, {
    name: () => `counts-${this.period}-${this.endpointId}`,
    every: 30_000,
    read: async (api, signal) => {
      if (!this.portal.can('deliveries', 'read')) return undefined;
      const path = ['endpoints', this.endpointId, 'attempts'];
      return (await api.call<AttemptCounts>('GET', path, { query: { hours: periods[this.period] }, signal })).body;
    },
  });

  readonly #reload = (): void => {
    for (const each of [this.#endpoint, this.#newest, this.#exhausted, this.#counts]) void each.load();
  };

  /** Enables the endpoint, disables it or deletes it, after saying what will happen. */
  #ask(endpoint: Endpoint, change: 'enable' | 'disable' | 'resume' | 'delete'): void {
    const { portal } = this;
    const { api, texts } = portal;
    confirmation(portal, {
      title: texts.t(`webhook.${change}`),
      text: texts.t(`webhook.${change}-text`, { url: endpoint.url }),
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

  /** Sends what was given up again, one by one. A delivery that somebody else has sent meanwhile is left out. */
  async #sendAgain(items: readonly Delivery[]): Promise<void> {
    const { api, announce, texts } = this.portal;
    this.#sent = 0;
    await this.#action.run(async () => {
      for (const { id } of items) {
        await api.call('POST', ['deliveries', id, 'send-again']);
        this.#sent = (this.#sent ?? 0) + 1;
        this.requestUpdate();
      }
    });
    announce(texts.t('webhook.sent-again', { count: this.#sent }));
    this.#sent = undefined;
    this.#reload();
  }

  /** The one action that fits the state. */
  #primary({ endpoint, unfinished }: Shown): Content {
    const { t } = this.portal.texts;
    const { can } = this.portal;
    const { status } = endpoint.health;
    const isWriter = can('webhooks', 'write');
    if (status === 'disabled')
      return isWriter ? plainButton(t('webhook.enable'), () => this.#ask(endpoint, 'enable'), 'primary') : nothing;
    if (status === 'paused' && isWriter)
      return plainButton(t('webhook.resume'), () => this.#ask(endpoint, 'resume'), 'primary');
    const failed = unfinished?.failure?.delivery.id;
    if (failed !== undefined && can('deliveries', 'write'))
      return actionButton(this.#action, t('webhook.try-now'), {
        kind: 'primary',
        onClick: () => void this.#tryNow(failed),
      });
    const { items = [], isMore = false } = this.#exhausted.value ?? {};
    if (items.length > 0)
      return actionButton(
        this.#action,
        this.#sent === undefined
          ? t(isMore ? 'webhook.send-again-some' : 'webhook.send-again', { count: items.length })
          : t('webhook.sending-again', { sent: this.#sent, all: items.length }),
        { kind: 'primary', onClick: () => void this.#sendAgain(items) },
      );
    return isWriter ? plainButton(t('test.title'), () => this.#test(endpoint), 'primary') : nothing;
  }

  /** The other actions. */
  #menu({ endpoint, unfinished }: Shown): TemplateResult | typeof nothing {
    const { portal } = this;
    const { t } = portal.texts;
    const isWriter = portal.can('webhooks', 'write');
    const isEnabled = endpoint.state === 'enabled';
    const hasFailed = (this.#exhausted.value?.items.length ?? 0) > 0 || unfinished?.failure !== undefined;
    const isTestPrimary = endpoint.health.status !== 'paused' && !hasFailed;
    const items: readonly (MenuItem | false)[] = [
      isWriter && isEnabled && !isTestPrimary && { label: t('test.title'), act: () => this.#test(endpoint) },
      isEnabled &&
        portal.can('deliveries', 'write') && {
          label: t('replay.title'),
          act: () => portal.openLater((dialogs) => dialogs.replay(endpoint, this.#reload)),
        },
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

  #outcome({ endpoint, unfinished }: Shown): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    const { failure, dueAt } = unfinished ?? {};
    if (dueAt !== undefined) this.#ticker.tick();
    const last = failure?.attempt ?? this.#newest.value?.last;
    const tone = last && isFailed(last) ? 'bad' : 'good';
    return card(
      t('webhook.health'),
      html`<p>${healthText(texts, endpoint)} ${unfinished ? unfinishedText(texts, unfinished) : nothing}</p>
        ${
          last
            ? html`<div class="why" part="why">
              <p class="row spread">
                <strong class=${tone}>${outcomeText(texts, last)}</strong>
                <span class="muted small">${t('attempt.last')} ${exactly(texts, last.at)} · ${texts.duration(last.durationMs)}</span>
              </p>
              ${last.kind === 'answered' ? quote(t('attempt.answer'), last.body) : nothing}
              ${isFailed(last) ? html`<p class="muted">${adviceFor(texts, last)}</p>` : nothing}
            </div>`
            : nothing
        }
        ${
          failure
            ? html`<p>
              ${link(portal, { screen: 'deliveries', id: failure.delivery.id }, t('home.see-delivery'))}
            </p>`
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
      withData(texts, this.#counts, (counts) => {
        if (!counts) return html``;
        const { succeeded, failed, share } = totalOf(counts.hours);
        const isDaily = this.period !== 'day';
        return html`<p class="row small">
            ${badge('good', t('chart.succeeded-count', { count: succeeded }))}
            ${failed === 0 ? nothing : badge('bad', t('chart.failed-count', { count: failed }))}
            ${share === undefined ? nothing : html`<span class="muted">${texts.percent(share)}</span>`}
            ${counts.isComplete ? nothing : html`<span class="muted">${t('chart.incomplete')}</span>`}
          </p>
          ${chart(portal, label, isDaily ? byDay(counts.hours) : counts.hours, isDaily)}`;
      }),
      choices(portal, t('chart.period'), [
        [place('day'), t('home.day'), this.period === 'day'],
        [place('week'), t('home.week'), this.period === 'week'],
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
        [t('form.url'), html`<span class="url">${endpoint.url}</span>`],
        [t('form.events'), texts.list(endpoint.events)],
        [
          t('form.key'),
          endpoint.deliveryHeaderName ? html`<code>${endpoint.deliveryHeaderName}: ••••</code>` : t('form.key-none'),
        ],
        [t('form.standard'), t(endpoint.standardWebhooks ? 'yes' : 'no')],
        [t('form.children'), t(endpoint.includeChildren ? 'yes' : 'no')],
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
      withData(portal.texts, this.#newest, ({ items }) =>
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
    return html`${heading(portal, value ? endpointName(value.endpoint) : t('webhook'), {
      from: [{ screen: 'webhooks' }, t('webhooks')],
      state: value ? healthBadge(texts, value.endpoint) : nothing,
      actions: value ? html`${this.#primary(value)} ${this.#menu(value)}` : nothing,
    })}
    ${failureOf(texts, this.#action)}
    ${withData(
      texts,
      this.#endpoint,
      (shown) => html`${
        shown.endpoint.rotating
          ? notice(
              'info',
              t('rotate.half'),
              portal.can('webhooks', 'write')
                ? plainButton(t('rotate.continue'), () =>
                    portal.openLater((dialogs) => dialogs.rotateWebhook(shown.endpoint, this.#reload)),
                  )
                : nothing,
            )
          : nothing
      }
        <div class="grid sides">
          <div class="column">${this.#outcome(shown)} ${this.#chart()} ${this.#deliveries()}</div>
          <div class="column">${this.#settings(shown.endpoint)}</div>
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
    .period=${period === 'week' ? period : 'day'}
  ></partnerkit-webhook>`;
