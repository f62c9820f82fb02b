import { z } from 'zod';
import { documentation } from '#documentation';
import type { Code } from '../../operations/codes.ts';
import type { AccountOperation } from '../../operations/operation.ts';
import { pageQuery } from '../../operations/query.ts';
import type { CommandRule, RequestKind } from '../define-kind.ts';
import { secondsView } from '../view.ts';
import { bodyIn, type Place } from './place.ts';

const spaced = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const withArticle = (name: string): string => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${spaced(name)}`;
/** The group that operations on it are shown in. */
const tagOf = (name: string): string => `${capital(spaced(name))}s`;

/** `Cancel a payment request`, `Set payment url of a payment request`. */
const summaryOf = (command: string, name: string): string => {
  const words = capital(spaced(command));
  return `${words}${words.includes(' ') ? ' of' : ''} ${withArticle(name)}`;
};

const page = (item: z.ZodType) =>
  z.object({
    items: z.array(item),
    next: z
      .string()
      .optional()
      .register(documentation, { description: 'Cursor of the next page, for `after`. Absent on the last page.' }),
  });

const actor = z.union([
  z.object({ type: z.literal('client'), id: z.string() }),
  z.object({ type: z.literal('user'), id: z.string() }),
  z.object({ type: z.literal('host'), id: z.string().optional() }),
  z.object({ type: z.literal('rule'), command: z.string() }),
]);
const historyEntry = z
  .object({
    type: z.string(),
    command: z.string(),
    status: z.string(),
    version: z.int(),
    by: actor,
    reason: z.object({ code: z.string(), text: z.string().optional() }).optional(),
    cashOutId: z.string().optional(),
    createdAt: secondsView,
  })
  .register(documentation, { id: 'HistoryEntry', description: 'A command that was given on an object.' });

const etag = { ETag: 'The version, for `If-Match`.' };
const location = { Location: 'The path of the new object.' };

/** The codes that a command can be refused with, beside those of every command. */
const refusalsOf = (
  command: string,
  { from, within, refuses = [] }: CommandRule,
  { states, isExtended = false }: RequestKind,
): readonly Code[] => {
  const isNew = command === 'create';
  // A deleted object is not stored, so no command meets one.
  const isAlwaysAllowed = isNew || states.every((state) => state === 'deleted' || from.includes(state));
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
const viewIn = ({ of: { kind } }: Place<object>): z.ZodType =>
  z
    .object({ ...kind.view.shape, status: z.enum(kind.states as [string, ...string[]]) })
    .register(documentation, { id: kind.name });

/** Describes a command. @internal */
export const describeCommand = (
  place: Place<object>,
  command: string,
  method: string,
  isSimulated: boolean,
): AccountOperation<undefined, z.ZodType> => {
  const { name, rules, of } = place;
  const rule = rules[command] as CommandRule;
  const isNew = command === 'create';
  const body = bodyIn(place, command);
  const summary = summaryOf(command, name);
  return {
    operationId: `${isSimulated ? 'simulate' : ''}${isSimulated ? capital(command) : command}${name}`,
    summary: isSimulated ? `${summary}, in a test environment` : summary,
    description: rule.description,
    tag: tagOf(name),
    ...(isNew ? {} : { condition: 'If-Match' }),
    idempotent: method === 'POST',
    body,
    // The command reads it inside its transaction.
    readsBodyItself: true,
    answers:
      command === 'delete'
        ? { 204: { description: `The ${spaced(name)} is deleted.` } }
        : {
            [isNew ? 201 : 200]: {
              description: `The ${spaced(name)}.`,
              schema: viewIn(place),
              headers: isNew ? { ...etag, ...location } : etag,
            },
          },
    refuses: refusalsOf(command, rule, of.kind),
    // The hook of the host.
    refusesMore: true,
  };
};

/** Describes the reading of one object. @internal */
export const describeFind = (place: Place<object>): AccountOperation<undefined, undefined> => ({
  operationId: `get${place.name}`,
  summary: `Read ${withArticle(place.name)}`,
  tag: tagOf(place.name),
  condition: 'If-None-Match',
  answers: {
    200: { description: `The ${spaced(place.name)}.`, schema: viewIn(place), headers: etag },
    304: { description: 'It has the version that `If-None-Match` names.', headers: etag },
  },
});

/** Describes a list. @internal */
export const describeList = <Q extends z.ZodObject>(
  place: Place<object>,
  query: Q,
): AccountOperation<Q, undefined> => ({
  operationId: `list${place.name}s`,
  summary: `List ${spaced(place.name)}s`,
  tag: tagOf(place.name),
  query,
  answers: { 200: { description: 'A page of the list.', schema: page(viewIn(place)) } },
  refuses: ['invalid_cursor'],
});

/** Describes a history. @internal */
export const describeHistory = ({ name }: Place<object>): AccountOperation<typeof pageQuery, undefined> => ({
  operationId: `list${name}Events`,
  summary: `List the history of ${withArticle(name)}`,
  tag: tagOf(name),
  query: pageQuery,
  answers: { 200: { description: 'A page of the history.', schema: page(historyEntry) } },
  refuses: ['invalid_cursor'],
});
