import type { RequestKindName } from '../record/names.ts';
import { type CashOutCommands, type CashOutInput, cashOut } from './cash-out.ts';
import type { CashOut } from './cash-out-fields.ts';
import type { RequestKind } from './define-kind.ts';
import { type DepositCommands, type DepositInput, deposit } from './deposit.ts';
import type { SecurityDeposit } from './deposit-fields.ts';
import {
  type DepositTemplate,
  type DepositTemplateCommands,
  type DepositTemplateInput,
  depositTemplate,
} from './deposit-template.ts';
import { type PaymentCommands, type PaymentRequest, type PaymentRequestInput, payment } from './payment.ts';
import {
  type PaymentTemplate,
  type PaymentTemplateCommands,
  type PaymentTemplateInput,
  paymentTemplate,
} from './payment-template.ts';

/**
 * The types of each kind: its object as signals name it, its stored record, the input of `create`, the input of each
 * command, and the filters that only its lists have.
 * @public
 */
export interface RequestTypes {
  /** Payment requests. */
  readonly payments: {
    readonly object: 'RequestPayment';
    readonly record: PaymentRequest;
    readonly input: PaymentRequestInput;
    readonly commands: PaymentCommands;
    readonly filter: 'recipientEmail' | 'templateId';
  };
  /** Security deposits. */
  readonly deposits: {
    readonly object: 'RequestSecurityDeposit';
    readonly record: SecurityDeposit;
    readonly input: DepositInput;
    readonly commands: DepositCommands;
    readonly filter: 'recipientEmail' | 'templateId';
  };
  /** Cash-outs of security deposits. */
  readonly cashOuts: {
    readonly object: 'CashOut';
    readonly record: CashOut;
    readonly input: CashOutInput;
    readonly commands: CashOutCommands;
    readonly filter: 'recipientEmail' | 'depositId';
  };
  /** Templates of payment requests. */
  readonly paymentTemplates: {
    readonly object: 'ModelRequestPayment';
    readonly record: PaymentTemplate;
    readonly input: PaymentTemplateInput;
    readonly commands: PaymentTemplateCommands;
    readonly filter: never;
  };
  /** Templates of security deposits. */
  readonly depositTemplates: {
    readonly object: 'ModelRequestSecurityDeposit';
    readonly record: DepositTemplate;
    readonly input: DepositTemplateInput;
    readonly commands: DepositTemplateCommands;
    readonly filter: never;
  };
}

type Kinds = {
  readonly [K in RequestKindName]: RequestKind<RequestTypes[K]['record']> & {
    readonly object: RequestTypes[K]['object'];
    readonly filters: readonly RequestTypes[K]['filter'][];
  };
};

/** The kinds of objects, as hosts name them. */
export const kinds = {
  payments: payment,
  deposits: deposit,
  cashOuts: cashOut,
  paymentTemplates: paymentTemplate,
  depositTemplates: depositTemplate,
} as const satisfies Kinds;
