import type { Recipient } from './record.ts';

/** The input of commands that take none. @public */
export type NoInput = Readonly<Record<string, never>>;

/** What payment requests and security deposits are made from. @public */
export interface AskedInput {
  /** 1 to 256 bytes. Absent: the template's. */
  readonly name?: string | undefined;
  /** 1 to 500 characters. Absent: the template's. */
  readonly description?: string | undefined;
  /** ISO 4217; goes together with the amount. */
  readonly currency?: string | undefined;
  readonly recipient: Recipient;
  /** Of the same account: gives what is absent. */
  readonly templateId?: string | undefined;
}

/** A change of a payment request or a security deposit: what is given, at least one field. @public */
export interface AskedChange {
  readonly name?: string | undefined;
  /** `null` takes it away. */
  readonly description?: string | null | undefined;
  readonly currency?: string | undefined;
  readonly recipient?: Recipient | undefined;
}

/** What a template is made from. @public */
export interface TemplateInput {
  readonly name: string;
  readonly description?: string | undefined;
  readonly currency?: string | undefined;
}

/** A change of a template: what is given, at least one field. @public */
export interface TemplateChange {
  readonly name?: string | undefined;
  /** `null` takes it away. */
  readonly description?: string | null | undefined;
  readonly currency?: string | undefined;
}

/** The sum of a payment request: a decimal number, no finer than the currency, which goes with it. @public */
export interface Amount {
  readonly amount?: number | undefined;
}

/** The sum of a security deposit: a decimal number, no finer than the currency, which goes with it. @public */
export interface DepositAmount {
  readonly depositAmount?: number | undefined;
}

/** What a cash-out is made from, and what a new offer says. @public */
export interface CashOutInput {
  /** A decimal number, in the deposit's currency. */
  readonly amount: number;
  /** 1 to 500 characters. */
  readonly reason?: string | undefined;
}

/** The commands on a payment request, and what each takes. @public */
export interface PaymentCommands {
  readonly change: AskedChange & Amount;
  readonly cancel: NoInput;
  readonly succeed: NoInput;
  readonly failTransaction: NoInput;
}

/** The commands on a security deposit, and what each takes. @public */
export interface DepositCommands {
  readonly change: AskedChange & DepositAmount;
  readonly cancel: NoInput;
  /** `name`: what the recipient is called. */
  readonly registerUser: { readonly name?: string | undefined };
  readonly succeedTransaction: NoInput;
  readonly failTransaction: NoInput;
  readonly cancelTransaction: NoInput;
  readonly succeedDeposit: NoInput;
  readonly checkIn: NoInput;
  readonly checkOut: NoInput;
  readonly finish: NoInput;
  readonly fail: NoInput;
}

/** The commands on a cash-out, and what each takes. @public */
export interface CashOutCommands {
  readonly cancel: NoInput;
  /** `claim`: what the recipient says against it, 1 to 500 characters. */
  readonly claim: { readonly claim?: string | undefined };
  readonly offer: CashOutInput;
  readonly deny: NoInput;
  readonly accept: NoInput;
  readonly escrow: NoInput;
  readonly complete: NoInput;
  readonly fail: NoInput;
}

/** The commands on a template, and what each takes. @public */
export interface TemplateCommands<A> {
  readonly change: TemplateChange & A;
  readonly delete: NoInput;
}
