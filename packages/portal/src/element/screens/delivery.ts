import { html, nothing, type TemplateResult } from 'lit';
import { ApiError, isApiError, type Page, readAll } from '../api.ts';
import { adviceFor, explanationText, outcomeText } from '../explanation.ts';
import { endpointName } from '../health.ts';
import { Action } from '../parts/action.ts';
import { badge } from '../parts/badge.ts';
import { actionButton, plainButton } from '../parts/button.ts';
import { codeBlock, copy, quote } from '../parts/copyable.ts';
import { stateBadge } from '../parts/delivery-list.ts';
import { facts } from '../parts/facts.ts';
import { card, heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { failureOf } from '../parts/notice.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import { Ticker } from '../parts/ticker.ts';
import { clockTime, exactly } from '../parts/time.ts';
import { type TimelinePoint, timeline } from '../parts/timeline.ts';
import { withData } from '../parts/with-data.ts';
import type { Attempt, Delivery, Endpoint, EventWithBody, Explanation, Portal } from '../portal.ts';
import { curlCommand, formatted, sentRequest } from '../sent-request.ts';
import { isFailed } from '../statistics.ts';

interface Detail {
  readonly delivery: Delivery;
  /** Deliveries of the same event. */
  readonly others: readonly Delivery[];
  readonly attempts: readonly Attempt[];
  /** Absent: a pruned event cannot be explained. */
  readonly explanation: Explanation | undefined;
  readonly event: EventWithBody | undefined;
  /** Absent: it was deleted, or the session may not read it. */
  readonly endpoint: Endpoint | undefined;
  readonly endpoints: readonly Endpoint[];
}

/** Whether the page knows the format of its requests: the platform may have another one for such a webhook. */
const isUsual = (endpoint: Endpoint | undefined): endpoint is Endpoint & { readonly url: string } =>
  endpoint?.url !== undefined && endpoint.profile === undefined;

/** One event for one endpoint: what was sent, when, and what became of it. */
class DeliveryScreen extends ScreenPart {
  static override properties = {
    ...ScreenPart.properties,
    deliveryId: { attribute: false },
    isRaw: { state: true },
  };

  declare deliveryId: string;
  declare isRaw: boolean;
  readonly #action = new Action(this);
  readonly #ticker = new Ticker(this);

  readonly #detail = new Resource<Detail>(this, {
    name: () => `delivery-${this.deliveryId}`,
    every: 5_000,
    read: async (api, signal) => {
      const query = { eventId: this.eventId, limit: 100 };
      const [{ body: listed }, attempts, endpoints, event] = await Promise.all([
        api.call<Page<Delivery>>('GET', ['deliveries'], { query, signal }),
        api.call<Page<Attempt>>('GET', ['deliveries', this.deliveryId, 'attempts'], { signal }),
        this.portal.can('webhooks', 'read') ? readAll<Endpoint>(api, 'endpoints', signal) : [],
        this.#whileStored(api.call<EventWithBody>('GET', ['events', this.eventId], { signal })),
      ]);
      const delivery = listed.items.find(({ id }) => id === this.deliveryId);
      if (!delivery) throw new ApiError('not_found', 'No such delivery.');
      const { endpointId } = delivery;
      const path = ['events', this.eventId, 'explanations', endpointId];
      const explained = await this.#whileStored(api.call<Explanation>('GET', path, { signal }));
      const explanation = explained?.body;
      return {
        delivery,
        others: listed.items.filter(({ id }) => id !== this.deliveryId),
        attempts: attempts.body.items,
        // Of a delivery that was sent again, the newer one is explained.
        explanation:
          explanation && 'deliveryId' in explanation && explanation.deliveryId !== this.deliveryId
            ? undefined
            : explanation,
        event: event?.body,
        endpoint: endpoints.find(({ id }) => id === endpointId),
        endpoints,
      };
    },
  });

  /** The id of a delivery begins with that of its event. */
  get eventId(): string {
    return this.deliveryId.split('.')[0] ?? '';
  }

  /** What is read of an event; `undefined` once it is no longer stored. */
  async #whileStored<T>(reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (cause) {
      if (isApiError(cause) && ['not_found', 'no_such_event', 'no_such_endpoint'].includes(cause.code))
        return undefined;
      throw cause;
    }
  }

  async #sendAgain(): Promise<void> {
    const { portal } = this;
    let sent = this.deliveryId;
    const isSent = await this.#action.run(async () => {
      const path = ['deliveries', this.deliveryId, 'send-again'];
      ({ deliveryId: sent } = (await portal.api.call<{ deliveryId: string }>('POST', path)).body);
    });
    if (isSent) portal.announce(portal.texts.t('delivery.sent-again'));
    // A finished delivery stays as it is; the new one is another.
    if (isSent && sent !== this.deliveryId) portal.go({ screen: 'deliveries', id: sent });
    else void this.#detail.load();
  }

  #attempts(attempts: readonly Attempt[], explanation: Explanation | undefined): TemplateResult {
    const { texts } = this.portal;
    const { t, duration } = texts;
    const points = attempts.map((attempt, index): TimelinePoint => {
      const former = attempts[index - 1];
      const gap = former && attempt.at - former.at;
      const tone = !isFailed(attempt) ? 'good' : attempt.kind === 'failed' ? 'warning' : 'bad';
      return {
        tone,
        title: outcomeText(texts, attempt),
        beside: html`${clockTime(texts, attempt.at)}${
          gap === undefined ? nothing : html` · ${t('attempt.gap', { gap: duration(gap * 1_000) })}`
        }
        · ${duration(attempt.durationMs)}`,
        content: attempt.kind === 'answered' ? quote(t('attempt.answer'), attempt.body) : nothing,
      };
    });
    const due = explanation?.kind === 'waiting' ? explanation.dueAt : undefined;
    if (due !== undefined) this.#ticker.tick();
    const left = due === undefined ? 0 : due * 1_000 - Date.now();
    const next: readonly TimelinePoint[] =
      due === undefined
        ? []
        : [
            {
              tone: 'neutral',
              title: left > 0 ? t('health.next', { in: duration(left) }) : t('health.next-now'),
              beside: clockTime(texts, due),
            },
          ];
    return points.length + next.length === 0
      ? html`<p class="muted">${t('attempt.none')}</p>`
      : timeline(t('attempts'), [...points, ...next]);
  }

  #request({ event, endpoint }: Detail): TemplateResult | typeof nothing {
    const { portal } = this;
    const { t, number } = portal.texts;
    if (!event) return card(t('request'), html`<p class="muted">${t('explain.pruned')}</p>`);
    const { body } = event;
    if (body === undefined) return card(t('request'), html`<p class="muted">${t('explain.not_dispatched_yet')}</p>`);
    const tab = (isRaw: boolean, label: string): TemplateResult =>
      html`<button type="button" class="small" aria-pressed=${(this.isRaw ?? false) === isRaw ? 'true' : 'false'} @click=${() => {
        this.isRaw = isRaw;
      }}>${label}</button>`;
    const request = isUsual(endpoint) ? sentRequest(endpoint, event) : undefined;
    return card(
      t('request'),
      html`${
        request
          ? html`<pre tabindex="0" role="group" aria-label=${t('request.headers')}>${[
              `POST ${request.path}`,
              ...request.headers.map(([name, value]) => `${name}: ${value}`),
            ].join('\n')}</pre>
            <p class="muted small">${t('request.rebuilt')}</p>`
          : html`<p class="muted small">${t('request.unknown')}</p>`
      }
        ${codeBlock(portal, t('event.body'), this.isRaw ? body : formatted(body))}
        <p class="muted small">${t('request.size', { bytes: number(new TextEncoder().encode(body).length) })}</p>`,
      html`<span class="row" role="group" aria-label=${t('event.body')}>
        ${tab(false, t('request.formatted'))} ${tab(true, t('request.raw'))}
      </span>`,
    );
  }

  #facts({ delivery, others, event, endpoint, endpoints }: Detail): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    const about = delivery.event;
    const nameOf = (endpointId: string): TemplateResult | string => {
      const found = endpoints.find(({ id }) => id === endpointId);
      return found ? link(portal, { screen: 'webhooks', id: found.id }, endpointName(found)) : t('webhook.deleted');
    };
    const objectPlace = about && {
      screen: 'deliveries' as const,
      filter: { objectName: about.objectName, objectId: about.objectId },
    };
    return card(
      t('delivery.about'),
      facts([
        [t('webhook'), endpoint ? nameOf(endpoint.id) : t('webhook.deleted')],
        about && objectPlace
          ? [t('filter.object-id'), link(portal, objectPlace, html`<code>${about.objectId}</code>`)]
          : undefined,
        event?.occurredAt === undefined ? undefined : [t('event.occurred'), exactly(texts, event.occurredAt)],
        about ? [t('event.time'), exactly(texts, about.timestamp)] : undefined,
        event?.childAccountId === undefined
          ? undefined
          : [t('event.child'), html`<code>${event.childAccountId}</code>`],
        [t('filter.event'), html`<code>${delivery.eventId}</code>`],
        [t('delivery.id'), html`<code>${delivery.id}</code>`],
        others.length === 0
          ? undefined
          : [
              t('event.others'),
              html`<ul class="plain">
                ${others.map(
                  ({ id, endpointId, state }) =>
                    html`<li>
                      ${link(
                        portal,
                        { screen: 'deliveries', id },
                        endpointName(endpoints.find((each) => each.id === endpointId) ?? { url: t('webhook.deleted') }),
                      )}
                      ${stateBadge(portal, state)}
                    </li>`,
                )}
              </ul>`,
            ],
      ]),
    );
  }

  #content(detail: Detail): TemplateResult {
    const { texts } = this.portal;
    const { t } = texts;
    const { attempts, explanation } = detail;
    const last = attempts.at(-1);
    const advice = last && isFailed(last) ? adviceFor(this.portal, last) : '';
    return html`${failureOf(texts, this.#action)}
      <div class="grid sides">
        <div class="column">
          ${card(
            t('delivery.why'),
            html`<p>${explanation ? explanationText(texts, explanation) : t(detail.event ? 'delivery.replaced' : 'explain.pruned')}</p>
              ${advice === '' ? nothing : html`<p class="muted">${advice}</p>`}`,
          )}
          ${card(t('attempts'), this.#attempts(attempts, explanation))} ${this.#request(detail)}
        </div>
        <div class="column">${this.#facts(detail)}</div>
      </div>`;
  }

  #actions({ event, endpoint }: Detail): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    const request =
      event?.body !== undefined && isUsual(endpoint)
        ? { url: endpoint.url, sent: sentRequest(endpoint, event) }
        : undefined;
    return html`${
      request
        ? plainButton(t('request.curl'), () => void copy(portal, curlCommand(request.url, request.sent)))
        : nothing
    }
    ${
      portal.can('deliveries', 'write')
        ? actionButton(this.#action, t('delivery.send-again'), {
            kind: 'primary',
            onClick: () => void this.#sendAgain(),
          })
        : nothing
    }`;
  }

  override render(): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    const { value } = this.#detail;
    const about = value?.delivery.event;
    return html`${heading(portal, about ? `${about.objectName}.${about.type}` : t('delivery'), {
      from: [{ screen: 'deliveries' }, t('deliveries')],
      state: value
        ? html`${stateBadge(portal, value.delivery.state)} ${value.event?.isTest ? badge('neutral', t('event.test')) : nothing}`
        : nothing,
      actions: value ? this.#actions(value) : nothing,
    })}
    ${withData(portal.texts, this.#detail, (detail) => this.#content(detail))}`;
  }
}

define('partnerkit-delivery', DeliveryScreen);

/** @internal */
export const deliveryScreen = (portal: Portal, deliveryId: string): TemplateResult =>
  html`<partnerkit-delivery .portal=${portal} .deliveryId=${deliveryId}></partnerkit-delivery>`;
