import { html, nothing, type TemplateResult } from 'lit';
import { type Page, readAll } from '../api.ts';
import { adviceFor, outcomeText } from '../explanation.ts';
import { endpointName, healthBadge, healthText, waitingText } from '../health.ts';
import { loadAlertAddress } from '../later.ts';
import { Action } from '../parts/action.ts';
import { badge } from '../parts/badge.ts';
import { actionButton, plainButton } from '../parts/button.ts';
import { chart, sparkline } from '../parts/chart.ts';
import { codeBlock, quote } from '../parts/copyable.ts';
import { card, heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { type Content, failureOf, notice } from '../parts/notice.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import { table } from '../parts/table.ts';
import { Ticker } from '../parts/ticker.ts';
import { ago, exactly } from '../parts/time.ts';
import { withData } from '../parts/with-data.ts';
import type { ApiKey, Delivery, Endpoint, EndpointStatistics, Portal } from '../portal.ts';
import { endsSoon, lastUse } from '../secrets.ts';
import { barsOf, failureOfEndpoint, slowestOf, totalOf } from '../statistics.ts';

/** A webhook with its figures of a day. */
interface Overview {
  readonly endpoint: Endpoint;
  readonly day: EndpointStatistics | undefined;
  readonly week: EndpointStatistics | undefined;
}

/** A login with a key, as a command. The secret is a variable of the shell. @internal */
export const loginCommand = (apiUrl: string, keyId: string): string =>
  [
    `curl -sS ${apiUrl}/login \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{"grant_type":"client_credentials","client_id":"${keyId}","client_secret":"'"$CLIENT_SECRET"'","scope":"USER"}'`,
  ].join('\n');

/** What a partner needs in ten seconds. */
class Home extends ScreenPart {
  readonly #action = new Action(this);
  readonly #ticker = new Ticker(this);
  readonly #keys = new Resource<readonly ApiKey[]>(this, {
    name: () => 'keys',
    every: 30_000,
    read: async (api, signal) => (this.portal.can('keys', 'read') ? readAll<ApiKey>(api, 'api-keys', signal) : []),
  });
  readonly #webhooks = new Resource<readonly Overview[]>(this, {
    name: () => 'home',
    every: 15_000,
    read: async (api, signal) => {
      const { can } = this.portal;
      if (!can('webhooks', 'read')) return [];
      const figuresOf = async (period: string): Promise<readonly EndpointStatistics[]> =>
        can('deliveries', 'read')
          ? (await api.call<Page<EndpointStatistics>>('GET', ['statistics'], { query: { period }, signal })).body.items
          : [];
      const [endpoints, days, weeks] = await Promise.all([
        readAll<Endpoint>(api, 'endpoints', signal),
        figuresOf('24h'),
        figuresOf('7d'),
      ]);
      return endpoints.map((endpoint) => ({
        endpoint,
        day: days.find(({ endpointId }) => endpointId === endpoint.id),
        week: weeks.find(({ endpointId }) => endpointId === endpoint.id),
      }));
    },
  });
  readonly #delivered = new Resource<boolean>(this, {
    name: () => 'home-delivered',
    read: async (api, signal) => {
      // Nobody else can tell: the step is not shown as left to do.
      if (!this.portal.can('deliveries', 'read')) return true;
      const query = { state: 'delivered', order: 'newest', limit: 1 };
      return (await api.call<Page<Delivery>>('GET', ['deliveries'], { query, signal })).body.items.length > 0;
    },
  });

  /** The card is loaded only for those who may read the address. */
  readonly #alerts = new Resource<Awaited<ReturnType<typeof loadAlertAddress>> | undefined>(this, {
    name: () => 'alerts-card',
    read: async () => (this.portal.can('alerts', 'read') ? loadAlertAddress() : undefined),
  });

  readonly #reload = (): void => {
    void this.#webhooks.load();
    void this.#keys.load();
    void this.#delivered.load();
  };

  /** The one step that helps a webhook which does not deliver. */
  #nextStep({ endpoint, day }: Overview): Content {
    const { api, can, texts } = this.portal;
    const { t } = texts;
    const post = (path: readonly string[]) => async (): Promise<void> => {
      if (await this.#action.run(() => api.call('POST', path))) this.portal.announce(t('saved'));
      this.#reload();
    };
    const act = (label: string, path: readonly string[]): TemplateResult =>
      actionButton(this.#action, label, { kind: 'primary', onClick: post(path) });
    const { status, sendingPausedSince } = endpoint.health;
    if (status === 'disabled' && can('webhooks', 'write'))
      return act(t('webhook.enable'), ['endpoints', endpoint.id, 'enable']);
    // Only the platform resumes what it paused.
    if (sendingPausedSince !== undefined) return nothing;
    if (status === 'paused' && can('webhooks', 'write'))
      return act(t('webhook.resume'), ['endpoints', endpoint.id, 'resume']);
    const failure = failureOfEndpoint(endpoint, day);
    if (failure && can('deliveries', 'write'))
      return act(t('webhook.try-now'), ['deliveries', failure.deliveryId, 'send-again']);
    return nothing;
  }

  #problem(overview: Overview): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { endpoint, day } = overview;
    const answer = failureOfEndpoint(endpoint, day);
    if (day?.nextAttemptAt !== undefined) this.#ticker.tick();
    return html`<div class="problem ${endpoint.health.status}" part="notice" data-problem=${endpoint.id}>
      <div>
        <p><strong>${endpointName(endpoint)}</strong> ${healthBadge(texts, endpoint)}</p>
        <p>${healthText(texts, endpoint)} ${waitingText(texts, endpoint, day)}</p>
        ${
          answer
            ? html`<p>
              <strong>${outcomeText(texts, answer)}.</strong> <span class="muted">${adviceFor(portal, answer)}</span>
            </p>`
            : nothing
        }
        ${answer?.kind === 'answered' ? quote(texts.t('attempt.answer'), answer.body) : nothing}
      </div>
      <div class="row">
        ${
          answer
            ? link(portal, { screen: 'deliveries', id: answer.deliveryId }, texts.t('home.see-delivery'))
            : link(portal, { screen: 'webhooks', id: endpoint.id }, texts.t('home.see-webhook'))
        }
        ${this.#nextStep(overview)}
      </div>
    </div>`;
  }

  #figures(all: readonly Overview[]): TemplateResult | typeof nothing {
    const { texts, session } = this.portal;
    const { t, number, percent, duration } = texts;
    const limit = duration(session.attemptTimeoutMs);
    const [days, weeks] = [all.flatMap(({ day }) => day ?? []), all.flatMap(({ week }) => week ?? [])];
    if (days.length === 0) return nothing;
    const isComplete = [...days, ...weeks].every((each) => each.isComplete);
    const figure = (name: string, figures: readonly EndpointStatistics[]): TemplateResult => {
      const { succeeded, failed, share } = totalOf(figures);
      const tone = share === undefined ? 'neutral' : share < 0.9 ? 'bad' : share < 0.99 ? 'warning' : 'good';
      return card(
        nothing,
        html`<h3 class="muted small">${name}</h3>
          <p class="row spread">
            <span class="figure">${number(succeeded)}</span>
            ${share === undefined ? nothing : badge(tone, percent(share))}
          </p>
          <p class="muted small">${share === undefined ? t('home.no-attempts') : t('home.failed', { count: failed })}</p>`,
      );
    };
    const slowest = slowestOf(weeks);
    const { medianMs = 0, p90Ms = 0 } = slowest?.durations ?? {};
    const slow = all.find(({ endpoint }) => endpoint.id === slowest?.endpointId);
    const answers = slow
      ? card(
          nothing,
          html`<h3 class="muted small">${t('home.answers')}</h3>
            <p class="row spread">
              <span class="figure">${duration(medianMs)}</span><span class="muted number">${duration(p90Ms)}</span>
            </p>
            <p class="muted small">${t('home.slowest', { webhook: endpointName(slow.endpoint), time: limit })}</p>`,
        )
      : nothing;
    return html`<div class="grid figures">
        ${figure(t('home.day-delivered'), days)} ${figure(t('home.week-delivered'), weeks)} ${answers} ${this.#nextEnd()}
      </div>
      ${isComplete ? nothing : html`<p class="muted small">${t('chart.incomplete')}</p>`}
      ${
        totalOf(days).share === undefined
          ? nothing
          : card(t('chart.day'), chart(this.portal, t('chart.day'), barsOf(days), false))
      }`;
  }

  /** The secret that ends first. */
  #nextEnd(): TemplateResult | typeof nothing {
    const { texts } = this.portal;
    if (!this.portal.can('keys', 'read')) return nothing;
    const keys = this.#keys.value ?? [];
    const ending = keys.flatMap((key) => endsSoon(key) ?? []);
    const first = keys.find((key) => endsSoon(key) === Math.min(...ending));
    const used = keys.flatMap((key) => lastUse(key) ?? []);
    return card(
      nothing,
      html`<h3 class="muted small">${texts.t('keys')}</h3>
        <p class="row spread">
          <span class="figure">${texts.number(keys.length)}</span>
          ${first ? badge('warning', texts.t('home.ends')) : nothing}
        </p>
        <p class="muted small">
          ${
            first
              ? html`${texts.t('home.ends-of', { name: first.name })} ${exactly(texts, Math.min(...ending))}
                ${this.#rotate(first)}`
              : used.length > 0
                ? html`${texts.t('key.used')} ${ago(texts, Math.max(...used))}`
                : texts.t('key.unused')
          }
        </p>`,
    );
  }

  #rotate(key: ApiKey): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    if (!portal.can('keys', 'write')) return link(portal, { screen: 'keys' }, t('keys'));
    return plainButton(
      t('key.rotate'),
      () => portal.openLater((dialogs) => dialogs.rotateKey(key, this.#reload)),
      'small',
    );
  }

  #list(all: readonly Overview[]): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    return card(
      t('webhooks'),
      table<Overview>({
        label: t('webhooks'),
        name: 'webhooks',
        items: all,
        keyOf: ({ endpoint }) => endpoint.id,
        columns: [
          {
            name: t('webhook'),
            cell: ({ endpoint }) =>
              link(portal, { screen: 'webhooks', id: endpoint.id }, endpointName(endpoint), { look: 'url' }),
          },
          { name: t('state'), cell: ({ endpoint }) => healthBadge(texts, endpoint) },
          {
            name: t('home.day'),
            cell: ({ day }) => {
              if (!day) return nothing;
              const { succeeded, failed } = totalOf([day]);
              const numbers = t('chart.bar', { succeeded, failed });
              return html`${sparkline(numbers, barsOf([day]))} <span class="muted small">${numbers}</span>`;
            },
          },
        ],
      }),
      portal.can('webhooks', 'write')
        ? link(portal, { screen: 'webhooks', id: 'new' }, t('webhook.add'), { look: 'button' })
        : nothing,
    );
  }

  /** What a partner does first. A step that is done says so. */
  #firstSteps(keys: readonly ApiKey[], all: readonly Overview[], isDelivered: boolean): TemplateResult {
    const { portal } = this;
    const { can, apiUrl } = portal;
    const { t } = portal.texts;
    const [key] = keys.filter(({ disabled }) => !disabled);
    const [webhook] = all;
    const steps: readonly {
      readonly name: string;
      readonly text: string;
      readonly isDone: boolean;
      readonly act: Content;
    }[] = [
      {
        name: t('first.key'),
        text: t('first.key-text'),
        isDone: key !== undefined,
        act: can('keys', 'write')
          ? plainButton(
              t('key.add'),
              () => portal.openLater((dialogs) => dialogs.addKey(this.#reload)),
              key ? 'plain' : 'primary',
            )
          : nothing,
      },
      {
        name: t('first.call'),
        text: t('first.call-text'),
        isDone: keys.some((each) => lastUse(each) !== undefined),
        act: key ? codeBlock(portal, t('first.call'), loginCommand(apiUrl, key.id)) : nothing,
      },
      {
        name: t('first.webhook'),
        text: t('first.webhook-text'),
        isDone: webhook !== undefined,
        act: can('webhooks', 'write')
          ? link(portal, { screen: 'webhooks', id: 'new' }, t('webhook.add'), {
              look: key && !webhook ? 'button primary' : 'button',
            })
          : nothing,
      },
      {
        name: t('first.test'),
        text: t('first.test-text'),
        isDone: isDelivered,
        act:
          webhook && can('webhooks', 'write')
            ? plainButton(
                t('test.title'),
                () => portal.openLater((dialogs) => dialogs.test(webhook.endpoint, this.#reload)),
                'primary',
              )
            : nothing,
      },
    ];
    return card(
      t('first'),
      html`<ol class="steps">
        ${steps.map(
          ({ name, text, isDone, act }) =>
            html`<li class=${isDone ? 'done' : ''}>
              <h4>${name} ${isDone ? badge('good', t('first.done')) : nothing}</h4>
              ${isDone ? nothing : html`<p class="muted">${text}</p>${act}`}
            </li>`,
        )}
      </ol>`,
    );
  }

  #content(all: readonly Overview[], keys: readonly ApiKey[], isDelivered: boolean): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    const problems = all.filter(({ endpoint }) => endpoint.health.status !== 'delivering');
    const rotating = all.filter(({ endpoint }) => endpoint.rotating);
    const isNew = all.length === 0 || (portal.can('keys', 'read') && keys.length === 0) || !isDelivered;
    return html`${failureOf(portal.texts, this.#action)}
      ${all.length > 0 && problems.length === 0 ? notice('success', t('home.healthy')) : nothing}
      ${problems.map((overview) => this.#problem(overview))}
      ${rotating.map(({ endpoint }) =>
        notice(
          'info',
          t('home.rotating', { webhook: endpointName(endpoint) }),
          link(portal, { screen: 'webhooks', id: endpoint.id }, t('rotate.continue')),
        ),
      )}
      ${isNew ? this.#firstSteps(keys, all, isDelivered) : nothing}
      ${all.length === 0 ? nothing : html`${this.#figures(all)} ${this.#list(all)}`}`;
  }

  override render(): TemplateResult {
    const { portal } = this;
    return html`${heading(portal, portal.session.accountName ?? portal.texts.t('home'))}
      ${withData(portal.texts, this.#webhooks, (all) =>
        // All at once: nothing that a person reads moves when the rest arrives.
        withData(portal.texts, this.#keys, (keys) =>
          withData(portal.texts, this.#delivered, (isDelivered) => this.#content(all, keys, isDelivered)),
        ),
      )}
      ${
        portal.can('alerts', 'read')
          ? withData(portal.texts, this.#alerts, (loaded) => html`${loaded?.alertAddress(portal)}`)
          : nothing
      }`;
  }
}

define('partnerkit-home', Home);

/** @internal */
export const screen = (portal: Portal): TemplateResult => html`<partnerkit-home .portal=${portal}></partnerkit-home>`;
