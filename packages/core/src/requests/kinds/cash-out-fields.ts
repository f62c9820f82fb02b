import { z } from 'zod';
import { derived, described, fixed, optional, saying, setLater, shownAs, value } from '../../base/fields/field.ts';
import { moment, secondsView, text, textView } from '../../base/fields/values.ts';
import { type EpochMs, toSeconds } from '../../base/runtime/time.ts';
import { evidenceField } from '../fields/evidence.ts';
import { amount as amountOf, identifiers, longText, values } from '../fields/fields.ts';
import { type MinorUnits, type RequestMoney, toDecimal } from '../fields/money.ts';
import { answerFields } from './answer.ts';
import type { CashOutStatus } from './cash-out-summary.ts';
import type { RecordOf } from './define-kind.ts';

/** The values that commands on a cash-out take. */
export const cashOutValues = {
  claim: longText("The recipient's statement in the last claim: 1 to 500 characters.", 'The lamp was broken before.'),
  amount: saying(values.amount, "A decimal number above 0, in the deposit's currency."),
  document: text("The host's name for the document: 1 to 256 bytes.", 'LOSS-2027-0042'),
  description: saying(values.description, 'What the cash-out is for: 1 to 500 characters.'),
};
const { claim, amount, description } = cashOutValues;

/**
 * What cannot be collected of a cash-out.
 * @public
 */
export interface Irrecoverable {
  /** In the smallest unit of the currency. */
  readonly amount: MinorUnits;
  /** The host's name for the document that says so. */
  readonly document: string;
  /** When the host recorded it. */
  readonly since: EpochMs;
}

export const cashOutFields = {
  depositId: fixed(text('The deposit that it withdraws from.', 'deposit_1')),
  amount: shownAs(fixed(amount), toDecimal),
  currency: derived(saying(values.currency, "ISO 4217: the deposit's currency.")),
  recipient: derived(saying(values.recipient, "The deposit's recipient when the cash-out was created.")),
  description: optional(description),
  claim: setLater(claim),
  evidence: evidenceField,
  claimedAt: shownAs(
    setLater(moment('When the recipient last claimed against it.')),
    ({ claimedAt }: { readonly claimedAt?: EpochMs }) => (claimedAt === undefined ? undefined : toSeconds(claimedAt)),
  ),
  collectedAmount: shownAs(
    setLater(amountOf('What was collected of `amount`. Absent: nothing, but of one that is `done` all of it.')),
    ({ collectedAmount: amount, currency }: Collected) => decimal(amount, currency),
  ),
  refundedAmount: shownAs(
    setLater(amountOf('The sum of its refunds. Absent: no refund.')),
    ({ refundedAmount: amount, currency }: Collected) => decimal(amount, currency),
  ),
  irrecoverable: shownAs(
    setLater(
      value('The rest cannot be collected: its amount, the document that says so, and since when.', {
        input: z.custom<Irrecoverable>(),
        view: z.object({
          amount: described(z.number(), 'The rest, in the currency of the cash-out.'),
          document: textView('LOSS-2027-0042', 'The name that the platform gave the document.'),
          since: described(secondsView(), 'Since when. Seconds since 1970-01-01T00:00:00Z.'),
        }),
      }),
    ),
    ({ irrecoverable, currency }: Collected) =>
      irrecoverable && {
        amount: toDecimal({ amount: irrecoverable.amount, currency }),
        document: irrecoverable.document,
        since: toSeconds(irrecoverable.since),
      },
  ),
  ...answerFields,
  ...identifiers,
};
type Collected = Pick<RequestMoney, 'currency'> & {
  readonly collectedAmount?: MinorUnits;
  readonly refundedAmount?: MinorUnits;
  readonly irrecoverable?: Irrecoverable;
};
const decimal = (amount: MinorUnits | undefined, currency: string): number | undefined =>
  amount === undefined ? undefined : toDecimal({ amount, currency });
/**
 * A cash-out of a security deposit, as stored, in the deposit's currency.
 * The guide on requests describes each field.
 * @public
 */
export interface CashOut extends RecordOf<typeof cashOutFields, CashOutStatus> {}
