import type { Reason, Recipient } from './record.ts';

/** The input of a command without fields: `{}`. @public */
export type NoInput = Readonly<Record<string, never>>;

/** The input of a command that accepts a reason. @public */
export interface WithReason {
  /** Why the command is given; stored with the object and in its history. @defaultValue none */
  readonly reason?: Reason | undefined;
}

/** The fields by which a partner identifies an object. Every object accepts them. @public */
export interface Identified {
  /** The partner's own number or name for the object: 1 to 256 bytes without control characters. */
  readonly reference?: string | undefined;
  /** The partner's own data: at most 20 pairs, keys of 1 to 40 characters, values of 1 to 500. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A change of {@link Identified} by JSON Merge Patch (RFC 7396): `null` removes a value. @public */
export interface IdentifiedChange {
  /** The new reference: 1 to 256 bytes without control characters. `null` removes it. */
  readonly reference?: string | null | undefined;
  /** Pairs to set. A `null` value removes that pair; `null` as a whole removes all of them. */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

/** The fields common to a new payment request and a new security deposit. @public */
export interface RequestInput extends Identified {
  /** 1 to 256 bytes. Required without a template. @defaultValue the template's */
  readonly name?: string | undefined;
  /** 1 to 500 characters. @defaultValue the template's */
  readonly description?: string | undefined;
  /** ISO 4217. Goes together with an amount. @defaultValue the template's */
  readonly currency?: string | undefined;
  /** The person who pays or deposits. */
  readonly recipient: Recipient;
  /** A template of the same account and environment; its values fill in the absent fields. */
  readonly templateId?: string | undefined;
  /** A calendar date, such as `2027-03-31`. */
  readonly dueDate?: string | undefined;
}

/** A change of a payment request or security deposit by RFC 7396: at least one field; `null` removes one. @public */
export interface RequestChange extends IdentifiedChange {
  /** 1 to 256 bytes. Cannot be removed. */
  readonly name?: string | undefined;
  /** 1 to 500 characters. `null` removes it. */
  readonly description?: string | null | undefined;
  /** ISO 4217. Goes together with an amount. */
  readonly currency?: string | undefined;
  /** Changes of the recipient. `name: null` removes the name; the e-mail address cannot be removed. */
  readonly recipient?:
    | {
        /** The new e-mail address: at most 254 characters. */
        readonly email?: string | undefined;
        /** The new name: 1 to 256 bytes. `null` removes it. */
        readonly name?: string | null | undefined;
      }
    | undefined;
  /** A calendar date, such as `2027-03-31`. `null` removes it. */
  readonly dueDate?: string | null | undefined;
}

/** The fields of a new template, apart from its amount. @public */
export interface TemplateInput extends Identified {
  /** 1 to 256 bytes; also the default name of requests created from the template. */
  readonly name: string;
  /** 1 to 500 characters. */
  readonly description?: string | undefined;
  /** ISO 4217. Goes together with an amount. */
  readonly currency?: string | undefined;
}

/** A change of a template by RFC 7396: at least one field; `null` removes one. @public */
export interface TemplateChange extends IdentifiedChange {
  /** 1 to 256 bytes. Cannot be removed. */
  readonly name?: string | undefined;
  /** 1 to 500 characters. `null` removes it. */
  readonly description?: string | null | undefined;
  /** ISO 4217. Goes together with an amount. */
  readonly currency?: string | undefined;
}

/** The amount of a payment request, of its template, or of a refund. @public */
export interface Amount {
  /**
   * A decimal number above 0, with no more decimals than its currency. A change without `currency` keeps the currency.
   */
  readonly amount?: number | undefined;
}

/** The amount of a security deposit or of its template. @public */
export interface DepositAmount {
  /**
   * A decimal number above 0, with no more decimals than its currency. A change without `currency` keeps the currency.
   */
  readonly depositAmount?: number | undefined;
}

/** The period that a security deposit covers. @public */
export interface Stay {
  /** First and last calendar date of the period. */
  readonly stay?:
    | {
        /** First date, such as `2027-03-31`. */
        readonly from: string;
        /** Last date: `from` or later. */
        readonly to: string;
      }
    | undefined;
}

/** A change of the period by RFC 7396. @public */
export interface StayChange {
  /** Dates to change; `null` removes the period. */
  readonly stay?:
    | {
        /** The new first date. */
        readonly from?: string | undefined;
        /** The new last date: `from` or later. */
        readonly to?: string | undefined;
      }
    | null
    | undefined;
}

/** The fields of a new cash-out. @public */
export interface CashOutInput extends Identified {
  /** The deposit that it withdraws from; the deposit is `in_progress`. */
  readonly depositId: string;
  /** A decimal number above 0, in the deposit's currency. */
  readonly amount: number;
  /** What the cash-out is for: 1 to 500 characters. */
  readonly description?: string | undefined;
}

/** The commands on a payment request, each with its input. @public */
export interface PaymentCommands {
  /** Changes fields. From `pending`; the state stays. Event `update`. */
  readonly change: RequestChange & Amount;
  /** Sets the HTTPS address where the recipient pays. From `pending`; the state stays. Event `update`. Host only. */
  readonly setPaymentUrl: {
    /** An HTTPS address of at most 2,048 characters. */
    readonly paymentUrl: string;
  };
  /** Cancels the request. `pending` → `cancelled`. Event `cancel`. */
  readonly cancel: WithReason;
  /** Records the payment. `pending` → `payed`. Event `payed`. Host only. */
  readonly succeed: NoInput;
  /**
   * Records a failed transaction; the payer may retry. From `pending`; the state stays. Event `transaction_failed`.
   * Host only.
   */
  readonly failTransaction: WithReason;
  /**
   * Refunds a part or, without `amount`, the rest. From `payed`; a full refund leads to `refunded`. Event `update`.
   * Host only. Refunds above the payment are refused with `exceeds_payment`.
   */
  readonly refund: WithReason & Amount;
}

/** The commands on a security deposit, each with its input. @public */
export interface DepositCommands {
  /** Changes fields. From `pending`; the state stays. Event `update`. */
  readonly change: RequestChange & DepositAmount & StayChange;
  /**
   * Sets the HTTPS address where the recipient deposits. From `pending`; the state stays. Event `update`. Host only.
   */
  readonly setPaymentUrl: {
    /** An HTTPS address of at most 2,048 characters. */
    readonly paymentUrl: string;
  };
  /** Cancels the request. `pending` → `cancelled`. Event `cancel`. */
  readonly cancel: WithReason;
  /** Records personal information. From `pending`; the state stays. Event `user_register`. Host only. */
  readonly registerUser: {
    /** The recipient's name: 1 to 256 bytes. Absent: the name stays. */
    readonly name?: string | undefined;
  };
  /**
   * Records a transaction. From `pending`, `in_progress`, `litigation`; the state stays. Event
   * `new_transaction_success`. Host only.
   */
  readonly succeedTransaction: NoInput;
  /**
   * Records a failed one. From `pending`, `in_progress`, `litigation`; the state stays. Event `transaction_failed`.
   * Host only.
   */
  readonly failTransaction: WithReason;
  /**
   * Records a transaction cancelled manually. From `pending`, `in_progress`, `litigation`; the state stays.
   * Event `new_transaction_manual_cancel`. Host only.
   */
  readonly cancelTransaction: WithReason;
  /** Records the deposit. `pending` → `in_progress`. Event `deposit_success`. Host only. */
  readonly succeedDeposit: NoInput;
  /**
   * Records the entry inspection. From `in_progress`; the state stays. Event `check_in`. A second one: `already_done`.
   */
  readonly checkIn: NoInput;
  /**
   * Records the exit inspection. From `in_progress`; the state stays. Event `check_out`.
   * Refused with `not_checked_in` before `checkIn`, and with `already_done` the second time.
   */
  readonly checkOut: NoInput;
  /**
   * Ends the deposit. `in_progress` → `finished`. Event `finish`. Refused with `open_cash_outs` while a cash-out is
   * open.
   */
  readonly finish: NoInput;
  /**
   * Opens the dispute. `in_progress` → `litigation`. Event `litigation`. Host only; also follows from the cash-out
   * command `deny`. Refused with `no_dispute` when no cash-out is in dispute.
   */
  readonly litigate: WithReason;
  /**
   * Ends the dispute. `litigation` → `in_progress`. Event `update`. Host only; also follows when the last disputed
   * cash-out is cancelled, accepted, settled, completed or failed.
   */
  readonly resume: WithReason;
  /** Records a global error. From `pending`, `in_progress`, `litigation` → `error`. Event `global_error`. Host only. */
  readonly fail: WithReason;
}

/**
 * The commands on a cash-out, each with its input. The deposit is `in_progress` or `litigation`; events are those of
 * the deposit.
 * @public
 */
export interface CashOutCommands {
  /**
   * Changes fields. From `requested`, `claimed`, `denied`, `accepted`, `settled`, `escrowed`; the state stays. Event
   * `update`.
   */
  readonly change: IdentifiedChange & {
    /** 1 to 500 characters. `null` removes it. */
    readonly description?: string | null | undefined;
  };
  /** Cancels it. From `requested`, `claimed`, `denied` → `cancelled`. Event `cashout_cancel`. */
  readonly cancel: WithReason;
  /** Records the recipient's claim. `requested` → `claimed`. Event `cashout_reclamation`. Host only. */
  readonly claim: {
    /** The recipient's statement: 1 to 500 characters. */
    readonly claim?: string | undefined;
  };
  /**
   * Makes a new offer. From `requested`, `claimed`, `denied` → `requested`. Event `cashout_new_offer`. May be refused
   * with `exceeds_deposit`.
   */
  readonly offer: {
    /** The new amount: a decimal number above 0, in the deposit's currency. */
    readonly amount: number;
    /** 1 to 500 characters. Absent: the description stays. */
    readonly description?: string | undefined;
  };
  /**
   * Denies the claim. `claimed` → `denied`. Event `cashout_owner_deny_reclamation`. The deposit moves to `litigation`.
   */
  readonly deny: WithReason;
  /**
   * Records the recipient's consent to one offer: names its `amount`, or its version as `ifVersion`. From `requested`,
   * `claimed`, `denied` → `accepted`. Event `cashout_recipient_accept`. Host only. Refused with `version_required` when
   * it names neither, and with `amount_mismatch` or `version_mismatch` when the offer has changed.
   */
  readonly accept: {
    /** The amount that the recipient accepts. Required without `ifVersion`. */
    readonly amount?: number | undefined;
  };
  /**
   * Settles the dispute. From `requested`, `claimed`, `denied` → `settled`, while the deposit is in `litigation`. Event
   * `update`. Host only. May be refused with `exceeds_deposit`.
   */
  readonly settle: WithReason & {
    /** The settled amount: a decimal number above 0, in the deposit's currency. */
    readonly amount: number;
  };
  /** Records that the amount is escrowed. From `accepted`, `settled` → `escrowed`. Event `update`. Host only. */
  readonly escrow: NoInput;
  /**
   * Completes it. From `denied`, `accepted`, `settled`, `escrowed` → `done`. Event `cashout_done`. Host only. A denied
   * one needs `ifVersion`; otherwise: `version_required`.
   */
  readonly complete: NoInput;
  /**
   * Records a failure. From every state but `done`, `cancelled`, `failed` → `failed`. Event `cashout_failed`. Host
   * only.
   */
  readonly fail: WithReason;
}

/** The commands on a template, each with its input. @public */
export interface TemplateCommands<A> {
  /** Changes fields. From `active`; the state stays. Event `update`. Requests created before keep their values. */
  readonly change: TemplateChange & A;
  /** Deletes the template with its history. `active` → `deleted`. Event `deletion`. */
  readonly delete: NoInput;
}
