import { html, nothing, type TemplateResult } from 'lit';
import { type Page, readAll } from '../api.ts';
import { endpointName } from '../health.ts';
import { Action } from '../parts/action.ts';
import { actionButton, plainButton } from '../parts/button.ts';
import { stateBadge } from '../parts/delivery-list.ts';
import { card, heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { type Content, failureOf } from '../parts/notice.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { Resource } from '../parts/resource.ts';
import { table } from '../parts/table.ts';
import { clockTime, exactly } from '../parts/time.ts';
import { timeline } from '../parts/timeline.ts';
import { withData } from '../parts/with-data.ts';
import type { Delivery, Endpoint, HistoryEntry, Portal, PossibleCommand, PublishedEvent } from '../portal.ts';
import { openCommand } from '../requests/command-dialog.ts';
import { needsInput } from '../requests/input-fields.ts';
import {
  commandText,
  nameOf,
  placeOfRequest,
  possibleText,
  type RequestItem,
  type RequestKind,
  requestBadge,
  stateText,
} from '../requests/kinds.ts';
import { requestFacts } from '../requests/request-facts.ts';

const shownEvents = 20;
const shownHistory = 50;

/** An object with what happened to it. */
interface Detail {
  readonly item: RequestItem;
  readonly etag: string | undefined;
  /** The path below which its commands are given. */
  readonly base: readonly string[];
  readonly commands: readonly PossibleCommand[];
  /** Newest first. */
  readonly history: readonly HistoryEntry[];
  /** Newest first. */
  readonly events: readonly PublishedEvent[];
  readonly deliveries: readonly Delivery[];
}

/** Payment requests have events of their own; those of a cash-out are events of its deposit. */
const eventsOf = (item: RequestItem, kind: RequestKind) =>
  'depositId' in item
    ? { objectName: 'RequestSecurityDeposit', objectId: item.depositId }
    : { objectName: kind === 'payment-requests' ? 'RequestPayment' : 'RequestSecurityDeposit', objectId: item.id };

/** One payment request, deposit or cash-out: its history, its events, and the commands that its state allows. */
class RequestScreen extends ScreenPart {
  static override properties = {
    ...ScreenPart.properties,
    kind: { attribute: false },
    requestId: { attribute: false },
  };

  declare kind: RequestKind;
  declare requestId: string;
  readonly #action = new Action(this);

  readonly #detail = new Resource<Detail>(this, {
    name: () => `request-${this.kind}-${this.requestId}`,
    every: 2_000,
    read: async (api, signal) => {
      const { portal, kind, requestId } = this;
      const { body: item, etag } = await api.call<RequestItem>('GET', [kind, requestId], { signal });
      const base =
        'depositId' in item ? ['security-deposits', item.depositId, 'cash-outs', requestId] : [kind, requestId];
      const of = { ...eventsOf(item, kind), order: 'newest' };
      const list = async <T>(path: readonly string[], query: object): Promise<readonly T[]> =>
        (await api.call<Page<T>>('GET', path, { query: { ...query }, signal })).body.items;
      const ifDeliveries = async <T>(path: string, limit: number): Promise<readonly T[]> =>
        portal.can('deliveries', 'read') ? list<T>([path], { ...of, limit }) : [];
      const [commands, history, events, deliveries] = await Promise.all([
        portal.can('requests', 'write') ? list<PossibleCommand>([...base, 'commands'], {}) : [],
        list<HistoryEntry>([kind, requestId, 'events'], { order: 'newest', limit: shownHistory }),
        ifDeliveries<PublishedEvent>('events', shownEvents),
        ifDeliveries<Delivery>('deliveries', 100),
      ]);
      return { item, etag, base, commands, history, events, deliveries };
    },
  });
  readonly #endpoints = new Resource<readonly Endpoint[]>(this, {
    name: () => 'endpoints',
    read: async (api, signal) =>
      this.portal.can('webhooks', 'read') ? readAll<Endpoint>(api, 'endpoints', signal) : [],
  });

  /** Gives a command for the version that the person sees. Returns the id of what it made. */
  async #give({ base, etag }: Detail, { method, path, command }: PossibleCommand, body: object): Promise<string> {
    const segments = path.split('/').filter((segment) => segment !== '');
    const options = { body, ...(command === 'create' ? {} : { ifMatch: etag }) };
    const answer = await this.portal.api.call<{ id: string }>(method, [...base, ...segments], options);
    return answer.body.id;
  }

  #done(command: PossibleCommand, id: string | undefined): void {
    const { portal } = this;
    portal.announce(portal.texts.t('command.done', { command: possibleText(portal.texts, command) }));
    if (command.command === 'create' && id !== undefined) portal.go(placeOfRequest('cash-outs', id));
    else void this.#detail.load();
  }

  /** Asks for the input, then gives the command. */
  #ask(detail: Detail, command: PossibleCommand): void {
    let id: string | undefined;
    openCommand(this.portal, {
      title: possibleText(this.portal.texts, command),
      description: command.description,
      input: command.input,
      give: async (input) => {
        id = await this.#give(detail, command, input);
      },
      onDone: () => this.#done(command, id),
    });
  }

  async #giveNow(detail: Detail, command: PossibleCommand): Promise<void> {
    if (await this.#action.run(() => this.#give(detail, command, {}))) this.#done(command, undefined);
    // Somebody else may have changed it.
    else void this.#detail.load();
  }

  /** The commands of the platform and the guest, in a test environment. */
  #sandbox(detail: Detail): TemplateResult | typeof nothing {
    const { texts } = this.portal;
    const { t } = texts;
    const simulated = detail.commands.filter(({ isSimulated }) => isSimulated);
    if (simulated.length === 0) return nothing;
    return card(
      t('sandbox'),
      html`<p class="muted">${t('sandbox.text')}</p>
        <ul class="plain commands" data-list="simulated">
          ${simulated.map((command) => this.#simulated(detail, command))}
        </ul>`,
    );
  }

  #simulated(detail: Detail, command: PossibleCommand): TemplateResult {
    const { texts } = this.portal;
    const { t } = texts;
    const name = possibleText(texts, command);
    const ask = (): void => this.#ask(detail, command);
    const hasMore = !needsInput(command.input) && Object.keys(command.input.properties ?? {}).length > 0;
    return html`<li>
      ${
        needsInput(command.input)
          ? plainButton(`${name} …`, ask)
          : actionButton(this.#action, name, { onClick: () => void this.#giveNow(detail, command) })
      }
      <p class="muted small">${command.description}</p>
      ${
        hasMore
          ? html`<button
              type="button"
              class="small"
              aria-label=${t('command.details-of', { command: name })}
              @click=${ask}
            >
              ${t('command.details')}
            </button>`
          : nothing
      }
    </li>`;
  }

  #actions(detail: Detail): Content {
    const own = detail.commands.filter(({ isSimulated }) => !isSimulated);
    return html`${own.map((command) =>
      plainButton(possibleText(this.portal.texts, command), () => this.#ask(detail, command)),
    )}`;
  }

  #webhook({ id, endpointId, state }: Delivery): TemplateResult {
    const { portal } = this;
    const found = (this.#endpoints.value ?? []).find((endpoint) => endpoint.id === endpointId);
    const name = found ? endpointName(found) : portal.texts.t('webhook');
    return html`<span class="row">${link(portal, { screen: 'deliveries', id }, name)} ${stateBadge(portal, state)}</span>`;
  }

  #events({ events, deliveries }: Detail): TemplateResult | typeof nothing {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    if (!portal.can('deliveries', 'read')) return nothing;
    const content = table<PublishedEvent>({
      label: t('requests.events'),
      name: 'events',
      items: events,
      keyOf: ({ id }) => id,
      columns: [
        {
          name: t('event'),
          cell: ({ id, type }) =>
            link(portal, { screen: 'deliveries', filter: { eventId: id } }, html`<code>${type}</code>`),
        },
        {
          name: t('event.time'),
          cell: ({ timestamp }) =>
            timestamp === undefined ? t('explain.not_dispatched_yet') : clockTime(texts, timestamp),
        },
        {
          name: t('deliveries'),
          cell: ({ id, timestamp }) => {
            const made = deliveries.filter(({ eventId }) => eventId === id);
            if (made.length > 0) return html`${made.map((each) => this.#webhook(each))}`;
            return timestamp === undefined ? nothing : html`<span class="muted">${t('requests.no-webhook')}</span>`;
          },
        },
      ],
    });
    return card(
      t('requests.events'),
      events.length === 0 ? html`<p class="muted">${t('requests.events-none')}</p>` : content,
    );
  }

  #history({ history }: Detail): TemplateResult {
    const { texts } = this.portal;
    const { t } = texts;
    return card(
      t('requests.history'),
      timeline(
        t('requests.history'),
        history.toReversed().map(({ command, createdAt, status, by, type, reason }) => ({
          tone: 'neutral',
          title: commandText(texts, command),
          beside: exactly(texts, createdAt),
          content: html`<p class="muted small">
            ${stateText(texts, status)} · ${t(`requests.by-${by.type}`)} · <code>${type}</code>${
              reason ? html` · <code>${reason.code}</code> ${reason.text ?? nothing}` : nothing
            }
          </p>`,
        })),
      ),
    );
  }

  override render(): TemplateResult {
    const { portal, kind } = this;
    const { texts } = portal;
    const { t } = texts;
    const { value } = this.#detail;
    return html`${heading(portal, value ? nameOf(texts, value.item) : t(`requests.${kind}`), {
      from: [{ screen: 'requests', filter: { show: kind } }, t(`requests.${kind}`)],
      state: value ? requestBadge(texts, value.item.status) : nothing,
      actions: value ? this.#actions(value) : nothing,
    })}
    ${withData(
      texts,
      this.#detail,
      (detail) =>
        html`${failureOf(texts, this.#action)}
          <div class="grid sides">
          <div class="column">${this.#sandbox(detail)} ${this.#events(detail)} ${this.#history(detail)}</div>
          <div class="column">${requestFacts(portal, kind, detail.item)}</div>
        </div>`,
    )}`;
  }
}

define('partnerkit-request', RequestScreen);

/** @internal */
export const requestScreen = (portal: Portal, kind: RequestKind, requestId: string): TemplateResult =>
  html`<partnerkit-request .portal=${portal} .kind=${kind} .requestId=${requestId}></partnerkit-request>`;
