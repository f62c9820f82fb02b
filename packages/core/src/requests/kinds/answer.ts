import { ok, type Result } from '#result';
import { hidden, setLater, shownAs } from '../../base/fields/field.ts';
import { inSeconds, moment } from '../../base/fields/values.ts';
import { type EpochMs, toSeconds } from '../../base/runtime/time.ts';
import { withOptional, withReason } from '../fields/fields.ts';
import type { DisputePolicies, SilencePolicy } from '../record/policies.ts';
import { type CommandContext, type CreateContext, isPastDue, type StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import type { DueRule } from './due-rule.ts';

/** The party that must answer, by the state of the cash-out. */
const parties: Readonly<Record<string, keyof DisputePolicies>> = { requested: 'recipient', claimed: 'partner' };

/** A cash-out that may wait for an answer. */
export interface Awaiting {
  readonly answerBy?: EpochMs;
  readonly pausedAt?: EpochMs;
  readonly announced?: number;
}

/** Until when a party must answer. */
export const answerFields = {
  answerBy: shownAs(
    setLater(
      moment(
        'Until when the recipient answers it (`requested`), or the partner the claim (`claimed`). Absent: no deadline, or paused.',
      ),
    ),
    ({ status, answerBy, pausedAt }: StoredRequest & Awaiting) =>
      answerBy === undefined || pausedAt !== undefined || !(status in parties) ? undefined : toSeconds(answerBy),
  ),
  pausedAt: inSeconds(setLater(moment('Since when the time for the answer is paused.'))),
  announced: hidden<number | undefined>('The version for which the consequence of silence was announced.'),
};

const policyOf = ({ status }: StoredRequest, disputes: DisputePolicies = {}): SilencePolicy<string> | undefined => {
  const party = parties[status];
  return party && disputes[party];
};

/** Begins the time for the answer of a party. A pause goes on. */
export const beginAnswer = <R extends object>(
  party: keyof DisputePolicies,
  { now, policies }: Pick<CreateContext, 'now' | 'policies'>,
  cashOut: R,
): R => {
  const within = policies.disputes?.[party]?.answerWithin;
  const waiting = cashOut as R & Awaiting;
  return withOptional<Awaiting, R & Awaiting>(waiting, {
    answerBy: within === undefined ? undefined : now + within,
    pausedAt: waiting.pausedAt === undefined ? undefined : now,
  });
};

type Applied<R> = Result<R, CommandRefusal>;

/** The end is never sooner after the announcement than the policy says. */
const announce = <R extends StoredRequest & Awaiting>(
  cashOut: R,
  _input: object,
  { now, policies }: CommandContext,
): Applied<R> => {
  const { answerBy, version } = cashOut;
  const { warnBefore = 0 } = policyOf(cashOut, policies.disputes) ?? {};
  const ends = answerBy === undefined ? {} : { answerBy: Math.max(answerBy, now + warnBefore) };
  return ok({ ...cashOut, ...ends, announced: version + 1 });
};

const pause = <R extends StoredRequest & Awaiting>(cashOut: R, _input: object, { now }: CommandContext): Applied<R> =>
  ok({ ...cashOut, pausedAt: cashOut.pausedAt ?? now });

const go = <R extends StoredRequest & Awaiting>(cashOut: R, _input: object, { now }: CommandContext): Applied<R> => {
  const { pausedAt = now, answerBy } = cashOut;
  const later = answerBy === undefined ? undefined : answerBy + now - pausedAt;
  return ok(withOptional<Awaiting, R>(cashOut, { answerBy: later, pausedAt: undefined }));
};

const common = { by: 'host', event: 'update', within: ['in_progress', 'litigation'], input: withReason } as const;

/** The commands on the time for an answer. */
export const answerCommands = {
  warnOfSilence: {
    ...common,
    from: ['requested', 'claimed'],
    description: 'Announces what silence will lead to; given by rule before `answerBy`.',
    apply: announce,
  },
  pauseDeadline: {
    ...common,
    from: ['requested', 'claimed', 'denied'],
    description: 'Pauses the time for the answer: nothing follows from silence.',
    apply: pause,
  },
  resumeDeadline: {
    ...common,
    from: ['requested', 'claimed', 'denied'],
    description: 'Ends the pause: `answerBy` is as much later as the pause took.',
    apply: go,
  },
} as const;

/** What follows from silence: it is announced, then it counts for the announced version alone. */
export const answerRules = {
  answerDue: (cashOut, { disputes }) => {
    const { answerBy, pausedAt, announced, version } = cashOut;
    const policy = policyOf(cashOut, disputes);
    if (!policy || answerBy === undefined || pausedAt !== undefined || announced === version) return undefined;
    const before = answerBy - policy.warnBefore;
    // Silence that ends after an import still counts, and is announced first.
    return {
      at: isPastDue(cashOut, before) ? answerBy : before,
      command: 'warnOfSilence',
      input: { reason: { code: 'answer_due' } },
    };
  },
  noAnswer: (cashOut, { disputes }) => {
    const { answerBy: at, pausedAt, announced, version } = cashOut;
    const policy = policyOf(cashOut, disputes);
    if (!policy || at === undefined || pausedAt !== undefined || announced !== version) return undefined;
    return { at, command: policy.bySilence, input: { reason: { code: 'no_answer' } }, ifVersion: version };
  },
} satisfies Record<string, DueRule<StoredRequest & Awaiting>>;
