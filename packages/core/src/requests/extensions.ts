import { cashOutView } from './cashouts/cash-out.ts';
import { depositView } from './deposits/deposit.ts';
import { createExtension, type Extension, type RequestExtensions } from './extension.ts';
import { paymentView } from './payments/payment.ts';
import { depositTemplateView, paymentTemplateView } from './templates/template.ts';

const views = {
  payments: paymentView,
  deposits: depositView,
  cashOuts: cashOutView,
  paymentTemplates: paymentTemplateView,
  depositTemplates: depositTemplateView,
} as const;
/** Stored fields that partners do not see under the same name. */
const stored = ['accountId', 'environment', 'version', 'createdBy', 'updatedBy', 'money', 'amount', 'cashOut'];

/**
 * The extensions of all kinds.
 * @throws TypeError when a field of the host has the name of a built-in field.
 * @internal
 */
export const createExtensions = (
  extend: RequestExtensions | undefined,
): Readonly<Record<keyof RequestExtensions, Extension>> => {
  const of = (kind: keyof RequestExtensions): Extension =>
    createExtension(kind, extend?.[kind], [...Object.keys(views[kind].shape), ...stored]);
  return {
    payments: of('payments'),
    deposits: of('deposits'),
    cashOuts: of('cashOuts'),
    paymentTemplates: of('paymentTemplates'),
    depositTemplates: of('depositTemplates'),
  };
};
