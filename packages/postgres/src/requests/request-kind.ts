import {
  type RequestFilter,
  type RequestRecipient,
  requestMachines,
  type StoredRequest,
} from '@partnerkit/core/requests';

/** A record with the fields of filters. */
export type Row = StoredRequest & {
  readonly recipient?: RequestRecipient;
  readonly templateId?: string;
  readonly depositId?: string;
};

/** How one kind of objects is stored and searched. */
export interface RequestKind {
  /** The value of the column `kind`. */
  readonly name: string;
  /** All states. */
  readonly statuses: readonly string[];
  /** The field stored in the column `parent_id`. */
  readonly parent?: 'templateId' | 'depositId';
}

/** The kinds of objects. */
export const requestKinds = {
  payments: { name: 'payment', statuses: requestMachines.payments.states, parent: 'templateId' },
  deposits: { name: 'deposit', statuses: requestMachines.deposits.states, parent: 'templateId' },
  cashOuts: { name: 'cash_out', statuses: requestMachines.cashOuts.states, parent: 'depositId' },
  paymentTemplates: { name: 'payment_template', statuses: requestMachines.paymentTemplates.states },
  depositTemplates: { name: 'deposit_template', statuses: requestMachines.depositTemplates.states },
} satisfies Record<string, RequestKind>;

/** E-mail addresses are compared ignoring case. */
export const emailKey = (email: string): string => email.toLowerCase();

/** The value of `parent_id`, or `null`. */
export const parentOf = ({ parent }: RequestKind, row: Pick<Row & RequestFilter, 'templateId' | 'depositId'>) =>
  (parent && row[parent]) ?? null;
