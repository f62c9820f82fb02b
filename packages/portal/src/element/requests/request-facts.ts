import { html, nothing, type TemplateResult } from 'lit';
import { facts } from '../parts/facts.ts';
import { card } from '../parts/heading.ts';
import { link } from '../parts/link.ts';
import type { Content } from '../parts/notice.ts';
import { exactly } from '../parts/time.ts';
import type { CashOut, PaymentRequest, Portal, SecurityDeposit } from '../portal.ts';
import { amountText, placeOfRequest, type RequestItem, type RequestKind, stateText } from './kinds.ts';

/** The fields that only some kinds have. */
type Own = Partial<Omit<PaymentRequest & SecurityDeposit & CashOut, 'status'>>;

/** The cash-outs of a deposit. */
const cashOutList = (portal: Portal, all: NonNullable<Own['cashOuts']>): Content =>
  all.length === 0
    ? nothing
    : html`<ul class="plain">
        ${all.map(
          ({ id, amount, currency, status }) =>
            html`<li>
              ${link(portal, placeOfRequest('cash-outs', id), portal.texts.money(amount, currency))}
              <span class="muted">${stateText(portal.texts, status)}</span>
            </li>`,
        )}
      </ul>`;

/** The chargebacks of a request: how far each is, why, and until when evidence is asked for. */
const chargebackList = ({ texts }: Portal, all: NonNullable<Own['chargebacks']>): Content =>
  all.length === 0
    ? nothing
    : html`<ul class="plain">
        ${all.map(
          ({ processorReference, stage, reason, respondBy }) =>
            html`<li>
              <code>${processorReference}</code>
              ${stage === undefined ? nothing : html` · <code>${stage}</code>`}
              ${reason === undefined ? nothing : html` · <code>${reason.code}</code> ${reason.text ?? nothing}`}
              ${
                respondBy === undefined
                  ? nothing
                  : html`<br /><span class="muted">${texts.t('requests.respond-by', { at: texts.dateTime(respondBy) })}</span>`
              }
            </li>`,
        )}
      </ul>`;

/** The details of a payment request, a deposit or a cash-out. @internal */
export const requestFacts = (portal: Portal, kind: RequestKind, item: RequestItem): TemplateResult => {
  const { texts } = portal;
  const { t, money } = texts;
  const { recipient, currency, reference, description } = item;
  const { refundedAmount, collectedAmount, dueDate, stay, paymentUrl, cashOuts, depositId, sums, chargebacks }: Own =
    item;
  const given = (name: string, value: Content | undefined): readonly [string, Content] | undefined =>
    value === undefined || value === nothing ? undefined : [name, value];
  const sum = (amount: number | undefined): string | undefined =>
    amount === undefined ? undefined : money(amount, currency);
  return card(
    t('delivery.about'),
    facts([
      [t('requests.amount'), amountText(texts, item)],
      given(t('requests.collected'), sum(collectedAmount)),
      given(t('requests.refunded'), sum(refundedAmount)),
      given(t('requests.returned'), sum(sums?.returned)),
      given(t('requests.missing'), sum(sums?.missing)),
      given(t('requests.chargebacks'), chargebacks && chargebackList(portal, chargebacks)),
      given(t('requests.reason'), item.reason && html`<code>${item.reason.code}</code> ${item.reason.text ?? nothing}`),
      [
        t('requests.recipient'),
        recipient.name === undefined ? recipient.email : html`${recipient.name}<br />${recipient.email}`,
      ],
      given(t('requests.description'), description),
      given(t('requests.reference'), reference),
      given(t('requests.due'), dueDate),
      given(t('requests.stay'), stay && `${stay.from} – ${stay.to}`),
      given(
        t('requests.deposit'),
        depositId && link(portal, placeOfRequest('security-deposits', depositId), html`<code>${depositId}</code>`),
      ),
      given(t('requests.cash-outs'), cashOuts && cashOutList(portal, cashOuts)),
      given(t('requests.payment-page'), paymentUrl && html`<span class="url">${paymentUrl}</span>`),
      [t('created'), exactly(texts, item.createdAt)],
      [t('requests.id'), html`<code>${item.id}</code>`],
    ]),
    kind === 'security-deposits'
      ? link(portal, { screen: 'requests', filter: { show: 'cash-outs', depositId: item.id } }, t('requests.cash-outs'))
      : nothing,
  );
};
