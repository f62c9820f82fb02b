import { html, nothing, type TemplateResult } from 'lit';
import type { Query } from '../api.ts';
import { plainButton } from '../parts/button.ts';
import { chips, choices } from '../parts/chips.ts';
import { textField } from '../parts/field.ts';
import { fieldText, localTime, secondsOf } from '../parts/form-values.ts';
import { heading } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import { type Content, emptyState } from '../parts/notice.ts';
import { PagedList } from '../parts/paged-list.ts';
import { define, ScreenPart } from '../parts/portal-part.ts';
import { table } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import type { Place } from '../place.ts';
import type { Portal } from '../portal.ts';
import { openCommand } from '../requests/command-dialog.ts';
import type { InputSchema } from '../requests/input-fields.ts';
import {
  amountText,
  kindOf,
  nameOf,
  placeOfRequest,
  type RequestItem,
  type RequestKind,
  requestBadge,
  requestKinds,
  statesOf,
  stateText,
} from '../requests/kinds.ts';
import { requestScreen } from './request.ts';

type Filter = Readonly<Record<string, string>>;

const filterNames = ['reference', 'recipientEmail', 'from', 'to'] as const;

const without = (filter: Filter, ...names: readonly string[]): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([name]) => !names.includes(name)));

const text: InputSchema = { type: 'string' };
/** What a new request needs at least. */
const newRequest = (amount: string): InputSchema => ({
  type: 'object',
  required: ['name', amount, 'currency', 'recipient'],
  properties: {
    name: { ...text, default: 'Weekend' },
    [amount]: { type: 'number', default: 120 },
    currency: { ...text, default: 'EUR' },
    recipient: {
      type: 'object',
      required: ['email'],
      properties: { email: { ...text, default: 'guest@example.com' } },
    },
  },
});
const amountOf: Readonly<Partial<Record<RequestKind, string>>> = {
  'payment-requests': 'amount',
  'security-deposits': 'depositAmount',
};

/** The payment requests, deposits or cash-outs of the account, with filters. */
class Requests extends ScreenPart {
  static override properties = { ...ScreenPart.properties, filter: { attribute: false } };

  declare filter: Filter;
  readonly #list = new PagedList<RequestItem>(this, { path: () => this.#kind, query: () => this.#query });

  get #kind(): RequestKind {
    return kindOf(this.filter['show']);
  }

  get #query(): Query {
    const { state: status, from: createdFrom, to: createdTo, reference, recipientEmail, depositId } = this.filter;
    const ofDeposit = this.#kind === 'cash-outs' ? { depositId } : {};
    return { status, createdFrom, createdTo, reference, recipientEmail, ...ofDeposit };
  }

  #place(filter: Filter): Place {
    return { screen: 'requests', ...(Object.keys(filter).length > 0 ? { filter } : {}) };
  }

  #apply(event: Event): void {
    event.preventDefault();
    const given = filterNames.map((name) => {
      const value = fieldText(event.target, name).trim();
      return [name, name === 'from' || name === 'to' ? String(secondsOf(value) ?? '') : value] as const;
    });
    const filled = Object.fromEntries(given.filter(([, value]) => value !== ''));
    this.portal.go(this.#place({ ...without(this.filter, ...filterNames), ...filled }));
  }

  #names(): Readonly<Record<string, string>> {
    const { t } = this.portal.texts;
    return {
      reference: t('requests.reference'),
      recipientEmail: t('requests.recipient'),
      depositId: t('requests.deposit'),
      from: t('filter.from'),
      to: t('filter.to'),
    };
  }

  #filterForm(): TemplateResult {
    const { t } = this.portal.texts;
    const names = this.#names();
    const value = (name: string): string => {
      const given = this.filter[name] ?? '';
      return (name === 'from' || name === 'to') && given !== '' ? localTime(Number(given)) : given;
    };
    return html`<details class="filters">
      <summary>${t('filter.more')}</summary>
      <form class="filter" part="filter" role="search" aria-label=${t('filter')} @submit=${this.#apply}>
        ${filterNames.map((name) =>
          textField(`filter-${name}`, name, names[name] ?? name, {
            type: name === 'from' || name === 'to' ? 'datetime-local' : 'text',
            value: value(name),
          }),
        )}
        <button type="submit" class="primary" part="button primary">${t('filter.apply')}</button>
      </form>
    </details>`;
  }

  #chips(): TemplateResult | typeof nothing {
    const { portal } = this;
    const names = this.#names();
    const shown = (name: string, value: string): string =>
      name === 'from' || name === 'to' ? portal.texts.dateTime(Number(value)) : value;
    return chips(
      portal,
      Object.entries(this.filter)
        .filter(([name]) => names[name] !== undefined)
        .map(([name, value]) => [this.#place(without(this.filter, name)), `${names[name]}: ${shown(name, value)}`]),
    );
  }

  #add(): Content {
    const { portal } = this;
    const { t } = portal.texts;
    const kind = this.#kind;
    const amount = amountOf[kind];
    if (amount === undefined || kind === 'cash-outs' || !portal.can('requests', 'write')) return nothing;
    return plainButton(
      t(`requests.add-${kind}`),
      () => {
        let id = '';
        openCommand(portal, {
          title: t(`requests.add-${kind}`),
          description: t('requests.add-text'),
          input: newRequest(amount),
          give: async (body) => {
            ({ id } = (await portal.api.call<{ id: string }>('POST', [kind], { body })).body);
          },
          onDone: () => portal.go(placeOfRequest(kind, id)),
        });
      },
      'primary',
    );
  }

  #rows(items: readonly RequestItem[]): TemplateResult {
    const { portal } = this;
    const { texts } = portal;
    const { t } = texts;
    const kind = this.#kind;
    return table<RequestItem>({
      label: t(`requests.${kind}`),
      name: 'requests',
      items,
      keyOf: ({ id }) => id,
      columns: [
        {
          name: t(`requests.${kind}`),
          cell: (item) => link(portal, placeOfRequest(kind, item.id), nameOf(texts, item)),
        },
        { name: t('state'), cell: ({ status }) => requestBadge(texts, status) },
        { name: t('requests.amount'), look: 'number', cell: (item) => amountText(texts, item) },
        { name: t('requests.recipient'), look: 'url', cell: ({ recipient }) => recipient.name ?? recipient.email },
        { name: t('created'), cell: ({ createdAt }) => ago(texts, createdAt) },
      ],
    });
  }

  #nothingFound(): TemplateResult {
    const { portal } = this;
    const { t } = portal.texts;
    const { show, ...others } = this.filter;
    const isFiltered = Object.keys(others).length > 0;
    const all = this.#place(show === undefined ? {} : { show });
    return emptyState(
      t('activity.none'),
      t(isFiltered ? 'activity.none-filtered' : 'requests.none-text'),
      isFiltered ? link(portal, all, t('filter.clear'), { look: 'button' }) : nothing,
    );
  }

  override render(): TemplateResult {
    const { portal, filter } = this;
    const { texts } = portal;
    const { t } = texts;
    const kind = this.#kind;
    return html`${heading(portal, t('requests'), { actions: html`${this.#list.exportButton} ${this.#add()}` })}
      <p class="muted">${t('requests.intro')}</p>
      <div class="row spread">
        ${choices(
          portal,
          t('activity.show'),
          requestKinds.map((each) => [
            this.#place({ ...without(filter, 'show', 'state', 'depositId'), show: each }),
            t(`requests.${each}`),
            each === kind,
          ]),
        )}
        ${choices(portal, t('state'), [
          [this.#place(without(filter, 'state')), t('filter.any'), filter['state'] === undefined],
          ...statesOf(kind).map(
            (state) => [this.#place({ ...filter, state }), stateText(texts, state), filter['state'] === state] as const,
          ),
        ])}
      </div>
      ${this.#chips()} ${this.#filterForm()}
      ${this.#list.render(
        (items) => this.#rows(items),
        () => this.#nothingFound(),
      )}`;
  }
}

define('partnerkit-requests', Requests);

/** @internal */
export const screen = (portal: Portal, { id, filter = {} }: Place): TemplateResult =>
  id === undefined
    ? html`<partnerkit-requests .portal=${portal} .filter=${filter}></partnerkit-requests>`
    : requestScreen(portal, kindOf(filter['show']), id);
