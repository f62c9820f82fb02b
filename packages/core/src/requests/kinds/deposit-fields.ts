import { z } from 'zod';
import {
  derived,
  described,
  fixedOptional,
  fromTemplate,
  givenOnce,
  hidden,
  optional,
  required,
  setLater,
  shownAs,
  storedAs,
  value,
} from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { moment, textView } from '../../base/fields/values.ts';
import { type EpochMs, toSeconds } from '../../base/runtime/time.ts';
import { depositedOf } from '../books/laws.ts';
import { transactionFields } from '../books/transaction-fields.ts';
import { identifiers, values } from '../fields/fields.ts';
import { type MinorUnits, type RequestMoney, toDecimal } from '../fields/money.ts';
import type { CashOutSummary } from './cash-out-summary.ts';
import { chargebackField } from './chargebacks.ts';
import type { RecordOf } from './define-kind.ts';
import { payingFields } from './paying.ts';
import { proposedFields } from './proposed-term.ts';
import { sendingFields } from './sending.ts';
import { termFields } from './term.ts';

const seconds = (at: EpochMs | undefined): number | undefined => (at === undefined ? undefined : toSeconds(at));
const decimal = (amount: MinorUnits | undefined, currency: string): number | undefined =>
  amount === undefined ? undefined : toDecimal({ amount, currency });
const cashOuts = value('All of its cash-outs, oldest first; at most 50.', {
  input: z.custom<readonly CashOutSummary[]>(),
  view: z.array(
    z.object({
      id: textView('cash_out_1'),
      status: textView('requested'),
      amount: described(z.number(), 'What it withdraws, in its `currency`.'),
      currency: textView('EUR', 'ISO 4217.'),
      collectedAmount: described(z.number(), 'What was collected of it.').optional(),
      refundedAmount: described(z.number(), 'The sum of its refunds.').optional(),
      reference: textView('INV-2027-0042', "The partner's own number or name for it.").optional(),
    }),
  ),
});

interface Moments {
  readonly registeredAt?: EpochMs;
  readonly checkedInAt?: EpochMs;
  readonly checkedOutAt?: EpochMs;
}

/** The fields of a security deposit. */
export const depositFields = {
  name: fromTemplate(values.name),
  description: optional(values.description),
  depositAmount: storedAs<never>()(shownAs(fromTemplate(values.amount), toDecimal)),
  amount: hidden<MinorUnits>('The deposited amount.'),
  currency: fromTemplate(values.currency),
  recipient: required(values.recipient),
  templateId: fixedOptional(values.templateId),
  variables: givenOnce(values.variables),
  dueDate: optional(values.dueDate),
  stay: optional(values.stay),
  ...payingFields,
  ...sendingFields,
  ...termFields,
  ...proposedFields,
  registeredAt: shownAs(
    setLater(moment('When the recipient last entered personal information.')),
    ({ registeredAt }: Moments) => seconds(registeredAt),
  ),
  checkedInAt: shownAs(setLater(moment('When the entry inspection was recorded.')), ({ checkedInAt }: Moments) =>
    seconds(checkedInAt),
  ),
  checkedOutAt: shownAs(setLater(moment('When the exit inspection was recorded.')), ({ checkedOutAt }: Moments) =>
    seconds(checkedOutAt),
  ),
  cashOuts: shownAs(derived(cashOuts), ({ cashOuts, currency }: CashedOut) =>
    cashOuts.map(({ id, status, amount, collectedAmount, refundedAmount, reference }) => ({
      id,
      status,
      amount: toDecimal({ amount, currency }),
      currency,
      ...present({
        collectedAmount: decimal(collectedAmount, currency),
        refundedAmount: decimal(refundedAmount, currency),
        reference,
      }),
    })),
  ),
  ...transactionFields(depositedOf),
  ...chargebackField,
  ...identifiers,
};
type CashedOut = Pick<RequestMoney, 'currency'> & { readonly cashOuts: readonly CashOutSummary[] };
/** The states of a security deposit; `finished`, `cancelled` and `error` are final. @public */
export type DepositStatus = 'pending' | 'in_progress' | 'litigation' | 'finished' | 'cancelled' | 'error';

/**
 * A security deposit, as stored. `amount` is the deposited amount.
 * The guide on requests describes each field.
 * @public
 */
export interface SecurityDeposit extends RecordOf<typeof depositFields, DepositStatus> {}
