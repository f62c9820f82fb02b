import { ok, type Result } from '#result';
import { hidden, optional, setLater } from '../../base/fields/field.ts';
import { inSeconds, moment, time } from '../../base/fields/values.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { withOptional, withReason } from '../fields/fields.ts';
import type { RequestPolicies } from '../record/policies.ts';
import { type CommandContext, isPastDue, type StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import type { DueRule } from './due-rule.ts';

/** When a request is sent to its recipient, and reminded of. */
export const sendingFields = {
  sendAt: inSeconds(optional(time('When it is to be sent to the recipient. Absent: it was, or at once.'))),
  sentAt: inSeconds(setLater(moment('When it was sent by `sendAt`.'))),
  remindedAt: inSeconds(setLater(moment('When the recipient was last reminded.'))),
  reminders: hidden<number | undefined>('The number of reminders since it was sent.'),
};

/** The sent fields of a record. */
export interface Sending {
  readonly sendAt?: EpochMs;
  readonly sentAt?: EpochMs;
  readonly remindedAt?: EpochMs;
  readonly reminders?: number;
}

/** Records that it was sent: reminders begin anew. */
const send = <R extends StoredRequest & Sending>(
  request: R,
  _input: object,
  { now: sentAt }: CommandContext,
): Result<R, CommandRefusal> =>
  ok(withOptional<Sending, R>(request, { sendAt: undefined, sentAt, remindedAt: undefined, reminders: undefined }));

/** The next reminder, and its number from 0. Those that were due before an import count as given. */
const nextReminder = (
  request: StoredRequest & Sending,
  { reminders: times = [] }: RequestPolicies,
): { readonly number: number; readonly at: EpochMs } | undefined => {
  const { createdAt, sentAt = createdAt, remindedAt = sentAt, reminders = 0 } = request;
  // After a late one, the next does not follow at once.
  const since = remindedAt - (times[reminders - 1] ?? 0);
  const number = times.findIndex((after, index) => index >= reminders && !isPastDue(request, since + after));
  const after = times[number];
  return after === undefined ? undefined : { number, at: since + after };
};

const remind = <R extends StoredRequest & Sending>(
  request: R,
  _input: object,
  { now: remindedAt, policies }: CommandContext,
): Result<R, CommandRefusal> => {
  const given = nextReminder(request, policies)?.number ?? request.reminders ?? 0;
  return ok({ ...request, remindedAt, reminders: given + 1 });
};

/** What is common to both commands. */
const sending = { by: 'host', from: ['pending'], event: 'update', input: withReason } as const;

/** The commands that send a pending request and remind of it. The message is the host's. */
export const sendingCommands = {
  send: {
    ...sending,
    description: 'Records that the host sends the request to the recipient; given by rule at `sendAt`.',
    apply: send,
  },
  remind: {
    ...sending,
    description: 'Records that the host reminds the recipient; given by rule at the times of the option `reminders`.',
    apply: remind,
  },
} as const;

/** The rules that give them. */
export const sendingRules = {
  sendAt: ({ status, sendAt }) =>
    status === 'pending' && sendAt !== undefined
      ? { at: sendAt, command: 'send', input: { reason: { code: 'send_at' } } }
      : undefined,
  reminder: (request, policies) => {
    const next = nextReminder(request, policies);
    if (request.status !== 'pending' || request.sendAt !== undefined || !next) return undefined;
    return { at: next.at, command: 'remind', input: { reason: { code: 'reminder' } }, isReminder: true };
  },
} satisfies Record<string, DueRule<StoredRequest & Sending>>;
