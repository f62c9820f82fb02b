import { z } from 'zod';
import { documentation } from '#documentation';
import type { Code } from '../../api/operations/codes.ts';
import { described } from '../../base/fields/field.ts';
import { secondsView } from '../../base/fields/values.ts';
import { reportedChargebackView } from '../fields/chargeback.ts';
import { evidenceView } from '../fields/evidence.ts';
import { values } from '../fields/fields.ts';
import { type CommandRule, exampleOf, exampleTime, type RequestKind } from '../kinds/define-kind.ts';
import type { Place } from './place.ts';

/** `PaymentRequest` → `payment request`, `CashOut` → `cash-out`. */
export const spaced = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace('cash out', 'cash-out');
export const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
/** `a payment request`. */
export const withArticle = (name: string): string => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${spaced(name)}`;
/** The group that operations on it are shown in. */
export const tagOf = (name: string): string => `${capital(spaced(name))}s`;

/** What commands do, where their name is no verb alone. */
const phrases: Readonly<Record<string, string>> = {
  setPaymentUrl: 'Sets the payment URL of',
  remind: 'Reminds the recipient of',
  succeed: 'Reports the payment of',
  succeedTransaction: 'Reports a transaction of',
  failTransaction: 'Reports a failed transaction of',
  cancelTransaction: 'Reports a cancelled transaction of',
  returnTransaction: 'Reports a returned debit of',
  updateChargeback: 'Reports what became of a chargeback of',
  giveEvidence: 'Gives evidence for a chargeback of',
  registerUser: 'Records personal information for',
  succeedDeposit: 'Reports the payment of',
  setTerm: 'Sets the term of',
  warnOfEnd: 'Warns of the end of',
  checkIn: 'Records the entry inspection of',
  checkOut: 'Records the exit inspection of',
  litigate: 'Opens the dispute of',
  resume: 'Ends the dispute of',
  fail: 'Reports the failure of',
  claim: 'Records the claim of the recipient of',
  offer: 'Makes a new offer for',
  deny: 'Rejects the claim against',
  accept: 'Records the consent of the recipient of',
  warnOfSilence: 'Announces the consequence of silence on',
  pauseDeadline: 'Pauses the time to answer',
  resumeDeadline: 'Resumes the time to answer',
  escrow: 'Records the escrow of',
  collect: 'Records a later collection of',
  markIrrecoverable: 'Records the irrecoverable rest of',
};

/** `cancel` → `Cancels`, `deny` → `Denies`, `finish` → `Finishes`. */
export const thirdPerson = (verb: string): string =>
  capital(verb.endsWith('y') ? `${verb.slice(0, -1)}ies` : `${verb}${verb.endsWith('sh') ? 'es' : 's'}`);

/** `Cancels a payment request`, `Sets the payment URL of a payment request`. */
export const summaryOf = (command: string, name: string): string =>
  `${phrases[command] ?? thirdPerson(command)} ${withArticle(name)}`;

const mark = (name: string): string => `\`${name}\``;
const marked = (names: readonly string[]): string => names.map(mark).join(', ');
const oneOf = (names: readonly string[]): string =>
  [marked(names.slice(0, -1)), ...names.slice(-1).map(mark)].filter(Boolean).join(' or ');

/** What a command does, and which fields it may change in a state. States with the same fields are together. */
export const descriptionOf = ({ description, only = {} }: CommandRule): string => {
  const byFields = new Map<string, string[]>();
  for (const [state, fields = []] of Object.entries(only)) {
    const key = marked(fields);
    byFields.set(key, [...(byFields.get(key) ?? []), state]);
  }
  const rules = [...byFields].map(
    ([fields, states]) => `In the state ${oneOf(states)}, only these can change: ${fields}.`,
  );
  return [description, ...rules].join(' ');
};

const actor = z.union([
  z.object({ type: z.literal('client'), id: z.string() }),
  z.object({ type: z.literal('user'), id: z.string() }),
  z.object({ type: z.literal('host'), id: z.string().optional() }),
  z.object({ type: z.literal('rule'), command: z.string() }),
]);
/** Schema of an entry of a history. */
export const historyEntry = z
  .object({
    type: described(z.string(), 'The type of the event that was sent.'),
    command: described(z.string(), 'The command that was given.'),
    status: described(z.string(), 'The status after it.'),
    version: described(z.int(), 'The version after it: that of the `ETag`.'),
    by: described(actor, 'Who gave it: `client` is an API key, `user` a person, `host` the platform, `rule` the time.'),
    reason: described(values.reason.view, 'Why it was given.').optional(),
    evidence: described(evidenceView, 'The evidence that came with it.').optional(),
    chargeback: described(reportedChargebackView, 'What it reported of a chargeback.').optional(),
    cashOutId: described(z.string(), 'The cash-out that it was given on.').optional(),
    transactionId: described(z.string(), 'The transaction that it recorded.').optional(),
    createdAt: secondsView(),
  })
  .register(documentation, {
    name: 'HistoryEntry',
    description: 'A command that was given on an object.',
    example: {
      ...{ type: 'creation', command: 'create', status: 'pending', version: 1 },
      ...{ by: { type: 'client', id: 'client_1' }, createdAt: exampleTime },
    },
  });

export const location = { Location: 'The path of the new object.' };

/** The codes that a command can be refused with, beside those of every command. */
export const refusalsOf = (
  command: string,
  { from, only, within, refuses = [] }: CommandRule,
  { states, isExtended = false }: RequestKind,
): readonly Code[] => {
  const isNew = command === 'create';
  // A deleted object is not stored, so no command meets one.
  const isAlwaysAllowed = isNew || (!only && states.every((state) => state === 'deleted' || from.includes(state)));
  return [
    ...(refuses as readonly Code[]),
    ...(isNew || command === 'change' ? (['reference_taken'] as const) : []),
    ...((isNew || command === 'change') && isExtended ? (['object_too_large'] as const) : []),
    ...(isAlwaysAllowed && !within ? [] : (['wrong_state'] as const)),
    // A new cash-out changes its deposit.
    ...(isNew && !within ? [] : (['changed_meanwhile'] as const)),
  ];
};

/** The partner's view of the objects of a place; the document names their states. */
export const viewIn = ({ of: { kind } }: Place<object>): z.ZodType =>
  z.object({ ...kind.view.shape, status: z.enum(kind.states as [string, ...string[]]) }).register(documentation, {
    name: kind.name,
    example: exampleOf(kind),
  });
