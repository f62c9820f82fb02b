import type { Reason, Recipient } from './record.ts';

/** The input of commands that take none. @public */
export type NoInput = Readonly<Record<string, never>>;

/** The input of commands that may say why. @public */
export interface WithReason {
  readonly reason?: Reason | undefined;
}

/** What every object may be given. @public */
export interface Identified {
  /** The partner's own number or name for it: 1 to 256 bytes. */
  readonly reference?: string | undefined;
  /** At most 20 pairs: keys of 1 to 40 characters, texts of 1 to 500. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A change of what every object may be given (RFC 7396): `null` removes. @public */
export interface IdentifiedChange {
  readonly reference?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

/** What payment requests and security deposits are created from. @public */
export interface RequestInput extends Identified {
  /** 1 to 256 bytes. Absent: the template's. */
  readonly name?: string | undefined;
  /** 1 to 500 characters. Absent: the template's. */
  readonly description?: string | undefined;
  /** ISO 4217. Absent: the template's. */
  readonly currency?: string | undefined;
  readonly recipient: Recipient;
  /** Of the same account: gives what is absent. */
  readonly templateId?: string | undefined;
  /** A calendar date: `2027-03-31`. */
  readonly dueDate?: string | undefined;
}

/** A change of a payment request or a security deposit (RFC 7396): at least one field; `null` removes it. @public */
export interface RequestChange extends IdentifiedChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  /** Goes together with an amount. */
  readonly currency?: string | undefined;
  readonly recipient?: { readonly email?: string | undefined; readonly name?: string | null | undefined } | undefined;
  readonly dueDate?: string | null | undefined;
}

/** What a template is created from. @public */
export interface TemplateInput extends Identified {
  readonly name: string;
  readonly description?: string | undefined;
  /** ISO 4217; goes together with an amount. */
  readonly currency?: string | undefined;
}

/** A change of a template (RFC 7396): at least one field; `null` removes it. @public */
export interface TemplateChange extends IdentifiedChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  /** Goes together with an amount. */
  readonly currency?: string | undefined;
}

/** The sum of a payment request: a decimal number, no finer than its currency. @public */
export interface Amount {
  /** A change of it keeps the currency. */
  readonly amount?: number | undefined;
}

/** The sum of a security deposit: a decimal number, no finer than its currency. @public */
export interface DepositAmount {
  /** A change of it keeps the currency. */
  readonly depositAmount?: number | undefined;
}

/** The period that a deposit secures, as calendar dates: `to` is not before `from`. @public */
export interface Stay {
  readonly stay?: { readonly from: string; readonly to: string } | undefined;
}

/** A change of the period (RFC 7396). @public */
export interface StayChange {
  readonly stay?: { readonly from?: string | undefined; readonly to?: string | undefined } | null | undefined;
}

/** What a cash-out is created from. @public */
export interface CashOutInput extends Identified {
  readonly depositId: string;
  /** A decimal number, in the deposit's currency. */
  readonly amount: number;
  /** 1 to 500 characters: what it is for. */
  readonly description?: string | undefined;
}

/** The commands on a payment request, and what each takes. @public */
export interface PaymentCommands {
  readonly change: RequestChange & Amount;
  /** An HTTPS address where the recipient pays. */
  readonly setPaymentUrl: { readonly paymentUrl: string };
  readonly cancel: WithReason;
  readonly succeed: NoInput;
  readonly failTransaction: WithReason;
  /** `amount`: a decimal number. Absent: all that is left. */
  readonly refund: WithReason & Amount;
}

/** The commands on a security deposit, and what each takes. @public */
export interface DepositCommands {
  readonly change: RequestChange & DepositAmount & StayChange;
  /** An HTTPS address where the recipient makes the deposit. */
  readonly setPaymentUrl: { readonly paymentUrl: string };
  readonly cancel: WithReason;
  /** `name`: what the recipient is called. */
  readonly registerUser: { readonly name?: string | undefined };
  readonly succeedTransaction: NoInput;
  readonly failTransaction: WithReason;
  readonly cancelTransaction: WithReason;
  readonly succeedDeposit: NoInput;
  readonly checkIn: NoInput;
  readonly checkOut: NoInput;
  readonly finish: NoInput;
  readonly litigate: WithReason;
  readonly resume: WithReason;
  readonly fail: WithReason;
}

/** The commands on a cash-out, and what each takes. @public */
export interface CashOutCommands {
  readonly change: IdentifiedChange & { readonly description?: string | null | undefined };
  readonly cancel: WithReason;
  /** `claim`: what the recipient says against it, 1 to 500 characters. */
  readonly claim: { readonly claim?: string | undefined };
  readonly offer: { readonly amount: number; readonly description?: string | undefined };
  readonly deny: WithReason;
  readonly accept: NoInput;
  /** `amount`: what the dispute is settled at, a decimal number in the deposit's currency. */
  readonly settle: WithReason & { readonly amount: number };
  readonly escrow: NoInput;
  readonly complete: NoInput;
  readonly fail: WithReason;
}

/** The commands on a template, and what each takes. @public */
export interface TemplateCommands<A> {
  readonly change: TemplateChange & A;
  readonly delete: NoInput;
}
