import { z } from 'zod';
import { documentation } from '#documentation';
import type { Code } from '../../api/operations/codes.ts';
import { secondsView } from '../../base/fields/values.ts';
import { reportedChargebackView } from '../fields/chargeback.ts';
import { evidenceView } from '../fields/evidence.ts';
import type { CommandRule, RequestKind } from '../kinds/define-kind.ts';
import type { Place } from './place.ts';

/** `PaymentRequest` → `payment request`. */
export const spaced = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
export const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
/** `a payment request`. */
export const withArticle = (name: string): string => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${spaced(name)}`;
/** The group that operations on it are shown in. */
export const tagOf = (name: string): string => `${capital(spaced(name))}s`;

/** `Cancel a payment request`, `Set payment url of a payment request`. */
export const summaryOf = (command: string, name: string): string => {
  const words = capital(spaced(command));
  return `${words}${words.includes(' ') ? ' of' : ''} ${withArticle(name)}`;
};

/** What a command does, and which fields it may change in a state. */
export const descriptionOf = ({ description, only = {} }: CommandRule): string =>
  [
    description,
    ...Object.entries(only).map(
      ([state, fields = []]) =>
        `While it is \`${state}\`, only these can change: ${fields.map((field) => `\`${field}\``).join(', ')}.`,
    ),
  ].join(' ');

/** Schema of a page of items, which have a name. */
export const page = (item: z.ZodType) =>
  z
    .object({
      items: z.array(item),
      next: z
        .string()
        .optional()
        .register(documentation, { description: 'Cursor of the next page, for `after`. Absent on the last page.' }),
    })
    .register(documentation, { name: `${documentation.get(item)?.name}Page` });

const actor = z.union([
  z.object({ type: z.literal('client'), id: z.string() }),
  z.object({ type: z.literal('user'), id: z.string() }),
  z.object({ type: z.literal('host'), id: z.string().optional() }),
  z.object({ type: z.literal('rule'), command: z.string() }),
]);
/** Schema of an entry of a history. */
export const historyEntry = z
  .object({
    type: z.string(),
    command: z.string(),
    status: z.string(),
    version: z.int(),
    by: actor,
    reason: z.object({ code: z.string(), text: z.string().optional() }).optional(),
    evidence: evidenceView.optional(),
    chargeback: reportedChargebackView.optional(),
    cashOutId: z.string().optional(),
    transactionId: z.string().optional(),
    createdAt: secondsView(),
  })
  .register(documentation, { name: 'HistoryEntry', description: 'A command that was given on an object.' });

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
  z
    .object({ ...kind.view.shape, status: z.enum(kind.states as [string, ...string[]]) })
    .register(documentation, { name: kind.name });
