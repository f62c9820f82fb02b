import {
  cashOutMachine,
  depositMachine,
  depositTemplateMachine,
  paymentMachine,
  paymentTemplateMachine,
  type Recipient,
  type RequestFilter,
  type StoredRecord,
} from '@partnerkit/core/requests';

/** A record with the fields that lists filter by. @internal */
export type Row = StoredRecord & {
  readonly recipient?: Recipient;
  readonly templateId?: string;
  readonly depositId?: string;
};

/** How the rows of one kind of objects are stored and searched. @internal */
export interface RequestKind {
  /** In the column `kind`. */
  readonly name: string;
  readonly statuses: readonly string[];
  /** The field in the column `parent_id`. */
  readonly parent?: 'templateId' | 'depositId';
}

/** The kinds of objects. @internal */
export const requestKinds = {
  payments: { name: 'payment', statuses: paymentMachine.states, parent: 'templateId' },
  deposits: { name: 'deposit', statuses: depositMachine.states, parent: 'templateId' },
  cashOuts: { name: 'cash_out', statuses: cashOutMachine.states, parent: 'depositId' },
  paymentTemplates: { name: 'payment_template', statuses: paymentTemplateMachine.states },
  depositTemplates: { name: 'deposit_template', statuses: depositTemplateMachine.states },
} satisfies Record<string, RequestKind>;

/** E-mail addresses are searched in any case. @internal */
export const emailKey = (email: string): string => email.toLowerCase();

/** What stands in `parent_id`; `null`: nothing. @internal */
export const parentOf = ({ parent }: RequestKind, row: Pick<Row & RequestFilter, 'templateId' | 'depositId'>) =>
  (parent && row[parent]) ?? null;
