import { z } from 'zod';
import { documentation } from '#documentation';
import { changeTypes } from '../../http/content-type.ts';
import type { AccountOperation } from '../../http/operation.ts';
import { pageQuery } from '../../http/query.ts';
import { secondsView } from '../view.ts';

/** How the document names a resource, and the schemas of what it reads and shows. @internal */
export interface ResourceDocument {
  /** Singular, in Pascal case. */
  readonly name: string;
  /** The partner's view. */
  readonly view: z.ZodType;
  /** The input that creates an object. */
  readonly created: z.ZodType;
  /** The input of each command. */
  readonly inputs: Readonly<Record<string, z.ZodType>>;
}

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

/** The rules that refuse a command although the state allows it, by command. */
const refusals: Readonly<Record<string, readonly string[]>> = {
  create: ['exceeds_deposit', 'object_too_large', 'reference_taken', 'too_many_cash_outs', 'wrong_state'],
  change: ['object_too_large', 'reference_taken', 'wrong_state'],
  checkIn: ['already_done', 'wrong_state'],
  checkOut: ['already_done', 'not_checked_in', 'wrong_state'],
  finish: ['open_cash_outs', 'wrong_state'],
  litigate: ['no_dispute', 'wrong_state'],
  offer: ['exceeds_deposit', 'wrong_state'],
  accept: ['amount_mismatch', 'wrong_state'],
  settle: ['exceeds_deposit', 'wrong_state'],
  refund: ['exceeds_payment', 'wrong_state'],
};

/** The commands that must name the version that they are meant for. */
const needsVersion: readonly string[] = ['accept', 'complete'];

const problemsOf = (command: string, method: string) => ({
  400: ['invalid_input'],
  409: [
    ...(refusals[command] ?? ['wrong_state']),
    'changed_meanwhile',
    ...(method === 'POST' ? ['idempotency_conflict'] : []),
  ],
  ...(command === 'create' ? {} : { 412: ['version_mismatch'] }),
  413: ['too_large'],
  415: ['unsupported_media_type'],
  ...(needsVersion.includes(command) ? { 428: ['version_required'] } : {}),
});

/** Describes a command. @internal */
export const describeCommand = (
  { name, view, created, inputs }: ResourceDocument,
  command: string,
  method: string,
  isSimulated: boolean,
): AccountOperation => {
  const isNew = command === 'create';
  const body = isNew ? created : (inputs[command] ?? z.strictObject({}).default({}));
  const summary = summaryOf(command, name);
  return {
    operationId: `${isSimulated ? 'simulate' : ''}${isSimulated ? capital(command) : command}${name}`,
    summary: isSimulated ? `${summary}, in a test environment` : summary,
    tag: tagOf(name),
    requestHeaders: [
      ...(isNew ? [] : ['If-Match' as const]),
      ...(method === 'POST' ? ['Idempotency-Key' as const] : []),
    ],
    body,
    isBodyOptional: body.safeParse(undefined).success,
    ...(method === 'PATCH' ? { bodyTypes: changeTypes } : {}),
    responses:
      command === 'delete'
        ? { 204: { description: `The ${spaced(name)} is deleted.` } }
        : {
            [isNew ? 201 : 200]: {
              description: `The ${spaced(name)}.`,
              schema: view,
              headers: isNew ? { ...etag, ...location } : etag,
            },
          },
    problems: problemsOf(command, method),
    hasOwnProblems: true,
  };
};

/** Describes the reading of one object. @internal */
export const describeFind = ({ name, view }: ResourceDocument): AccountOperation => ({
  operationId: `get${name}`,
  summary: `Read ${withArticle(name)}`,
  tag: tagOf(name),
  requestHeaders: ['If-None-Match'],
  responses: {
    200: { description: `The ${spaced(name)}.`, schema: view, headers: etag },
    304: { description: 'It has the version that `If-None-Match` names.', headers: etag },
  },
});

/** Describes a list. @internal */
export const describeList = ({ name, view }: ResourceDocument, query: z.ZodObject): AccountOperation => ({
  operationId: `list${name}s`,
  summary: `List ${spaced(name)}s`,
  tag: tagOf(name),
  query,
  responses: { 200: { description: 'A page of the list.', schema: page(view) } },
  problems: { 400: ['invalid_cursor', 'invalid_query'] },
});

/** Describes a history. @internal */
export const describeHistory = ({ name }: ResourceDocument): AccountOperation => ({
  operationId: `list${name}Events`,
  summary: `List the history of ${withArticle(name)}`,
  tag: tagOf(name),
  query: pageQuery,
  responses: { 200: { description: 'A page of the history.', schema: page(historyEntry) } },
  problems: { 400: ['invalid_cursor', 'invalid_query'] },
});
