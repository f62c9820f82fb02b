import {
  every,
  exactly,
  listOf,
  must,
  type OptionRule,
  type OptionRules,
  oneOf,
  optional,
  problem,
  wholeNumber,
} from '../../base/runtime/option-rules.ts';
import { type DurationMs, minute } from '../../base/runtime/time.ts';

/**
 * What happens by rule around `guaranteedUntil` of a running deposit, and before `capturableUntil` of an authorisation.
 * @public
 */
export interface GuaranteePolicy {
  /**
   * How long before the end the warning is published, in milliseconds: `update` with the reason `guarantee_ending`, or
   * `authorisation_ending`.
   */
  readonly warnBefore: DurationMs;
  /**
   * How the deposit ends, with the reason `guarantee_expired`.
   *
   * - `finish`: it is finished. While a cash-out is open, or during a dispute, the end waits for it, and says so:
   *   `update` with the same reason.
   * - `fail`: a global error, whatever is open.
   */
  readonly atEnd: 'finish' | 'fail';
}

/**
 * Until when one party must answer, and what its silence means.
 * @public
 */
export interface SilencePolicy<C extends string> {
  /** The time for an answer, in milliseconds. A new offer, or a new claim, begins it anew. */
  readonly answerWithin: DurationMs;
  /**
   * How long before the end it is announced: `update` with the reason `answer_due`. In milliseconds, less than
   * `answerWithin`. When the announcement is late, or the cash-out was changed after it, the end is as long after it.
   */
  readonly warnBefore: DurationMs;
  /** The command that silence leads to, with the reason `no_answer`. */
  readonly bySilence: C;
}

/**
 * Deadlines of cash-outs, by the party that must answer. An absent party has all the time that it needs.
 * @public
 */
export interface DisputePolicies {
  /**
   * The recipient answers a requested cash-out. Silence accepts the announced version (`accept`), or cancels the
   * cash-out (`cancel`).
   */
  readonly recipient?: SilencePolicy<'accept' | 'cancel'>;
  /** The partner answers a claim. Silence denies it (`deny`), or cancels the cash-out (`cancel`). */
  readonly partner?: SilencePolicy<'deny' | 'cancel'>;
}

/**
 * The longest terms that templates of security deposits may propose. A deposit that succeeds gets the proposed term
 * where the host gives none.
 * @public
 */
export interface TermPolicy {
  /** Until the end of the guarantee (`guaranteedForDays`), in milliseconds. */
  readonly guaranteedFor: DurationMs;
  /** Until the last cash-out (`claimForDays`), in milliseconds. */
  readonly claimFor: DurationMs;
}

/**
 * When a pending request is cancelled by rule, with the reason `expired`: never while money is booked for it, nor after
 * a debit of it was returned.
 * @public
 */
export interface ExpiryPolicy {
  /** The time after the end of its `dueDate` in UTC, in milliseconds. @defaultValue it does not end by it */
  readonly afterDueDate?: DurationMs;
  /** The time after `paymentUrlExpiresAt`, in milliseconds. @defaultValue it does not end by it */
  readonly afterPaymentUrl?: DurationMs;
}

/**
 * What `createRequests` does by rule. Absent: nothing.
 * @public
 */
export interface RequestPolicies {
  /** The warning before the end of a guarantee, and its end. @defaultValue none */
  readonly guarantee?: GuaranteePolicy;
  /** The longest terms that templates may propose. @defaultValue they propose none: the platform alone gives terms */
  readonly proposedTerms?: TermPolicy;
  /** Deadlines of cash-outs. @defaultValue none */
  readonly disputes?: DisputePolicies;
  /**
   * When a pending request is reminded of (`remind`): the times after it was sent, or created without `sendAt`, in
   * milliseconds, in ascending order; at most 10. @defaultValue none
   */
  readonly reminders?: readonly DurationMs[];
  /** When a pending request is cancelled. @defaultValue never */
  readonly expire?: ExpiryPolicy;
  /**
   * The state that `succeed` leads to when its transaction pays less than is left. `pending`: it is told as `update`
   * with the reason `partially_paid`, and `succeed` works again. @defaultValue 'payed'
   */
  readonly partialPayments?: 'payed' | 'pending';
}

/** Days or hours in the place of milliseconds are less. */
const leastTime = minute;
const time = must(
  `must be a whole number of milliseconds, at least a minute (${leastTime}): write 14 * day for two weeks.`,
  (value) => Number.isSafeInteger(value) && (value as number) >= leastTime,
);
const timeAfter = optional(every(wholeNumber(0), (value) => (value === 0 ? [] : time(value))));
const silence = (...commands: readonly [string, string]): OptionRule =>
  every(exactly({ answerWithin: time, warnBefore: time, bySilence: oneOf(...commands) }), (policy) => {
    const { answerWithin, warnBefore } = policy as SilencePolicy<string>;
    return warnBefore < answerWithin
      ? []
      : problem('must be less than answerWithin: silence is announced within the time for the answer.', 'warnBefore');
  });
const reminders = every(
  listOf(time, 'must be a list of times in milliseconds.'),
  must('must have at most 10 times.', (times) => (times as readonly unknown[]).length <= 10),
  must('must be in ascending order: each is the time after the request was sent.', (given) => {
    const times = given as readonly DurationMs[];
    return times.every((each, at) => at === 0 || each > (times[at - 1] ?? 0));
  }),
);

/** The rules of the options. */
export const policyRules = {
  guarantee: optional(
    exactly({ warnBefore: time, atEnd: oneOf('finish', 'fail') } satisfies OptionRules<keyof GuaranteePolicy>),
  ),
  proposedTerms: optional(exactly({ guaranteedFor: time, claimFor: time } satisfies OptionRules<keyof TermPolicy>)),
  disputes: optional(
    exactly({
      recipient: optional(silence('accept', 'cancel')),
      partner: optional(silence('deny', 'cancel')),
    } satisfies OptionRules<keyof DisputePolicies>),
  ),
  reminders: optional(reminders),
  expire: optional(
    exactly({ afterDueDate: timeAfter, afterPaymentUrl: timeAfter } satisfies OptionRules<keyof ExpiryPolicy>),
  ),
  partialPayments: optional(oneOf('payed', 'pending')),
} satisfies OptionRules<keyof RequestPolicies>;
