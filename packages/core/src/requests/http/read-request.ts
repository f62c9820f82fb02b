import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import type { RouteFailure } from '../../http/failure.ts';
import { type HttpRequest, singleHeader } from '../../http/route.ts';
import type { PageRequest } from '../../runtime/page.ts';
import { repeatsKey } from '../../runtime/repeats-key.ts';
import { fromUtf8, isIdentifier } from '../../runtime/text.ts';
import { second } from '../../runtime/time.ts';
import type { RequestFilter } from '../stores.ts';
import { refuseRounded } from './exact-numbers.ts';
import { refused } from './refused.ts';
import type { Resource } from './resource.ts';

const bad = (detail: string): Result<never, RouteFailure> => err(refused(400, 'bad_request', detail));
/** A 415 names what is accepted (RFC 9110 §15.5.16). */
const unreadable = (detail: string, header: 'accept' | 'accept-encoding', accepted: string) =>
  err(refused(415, 'unsupported_media_type', detail, undefined, { [header]: accepted }));

/** A body of JSON: its value, `undefined` when there is none, and its text. @internal */
export interface JsonBody {
  readonly value: unknown;
  readonly text: string;
}

const textOf = (parsed: unknown): Result<JsonBody, RouteFailure> => {
  try {
    return ok({ value: parsed, text: JSON.stringify(parsed) ?? '' });
  } catch {
    return bad('The body is no JSON.');
  }
};

/** @internal */
export const readJson = ({ headers, body }: HttpRequest): Result<JsonBody, RouteFailure> => {
  // The route has answered what was not read whole.
  if ('tooLarge' in body || 'aborted' in body) return err({ code: 'too_large' });
  if ('parsed' in body) return textOf(body.parsed);
  if (body.length === 0) return ok({ value: undefined, text: '' });
  if ((singleHeader(headers, 'content-encoding') ?? 'identity') !== 'identity')
    return unreadable('Send the body without Content-Encoding.', 'accept-encoding', 'identity');
  if (!/^application\/json *(; *charset="?utf-?8"? *)?$/i.test(singleHeader(headers, 'content-type') ?? ''))
    return unreadable('Send the body as application/json, in UTF-8.', 'accept', 'application/json');
  const text = fromUtf8(body);
  if (text === undefined) return bad('The body is not UTF-8.');
  try {
    const value: unknown = JSON.parse(text);
    if (repeatsKey(text, value)) return bad('A field of the body is repeated.');
    return ok({ value: JSON.parse(refuseRounded(text)), text });
  } catch {
    return bad('The body is not valid JSON.');
  }
};

const etags = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;

/** The versions that `If-Match` names (RFC 9110 §13.1.1). `undefined`: any. @internal */
export const readIfMatch = ({ headers }: HttpRequest): Result<readonly number[] | undefined, RouteFailure> => {
  const header = headers['if-match'];
  if (header === undefined) return ok(undefined);
  const text = typeof header === 'string' ? header : header.join(', ');
  if (text.trim() === '*') return ok(undefined);
  const tags = text.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => etags.test(tag))) return bad('If-Match: an ETag as it was answered, or *.');
  // A weak one, or one that we never gave, matches nothing.
  return ok(tags.flatMap((tag) => (/^"[1-9]\d{0,14}"$/.test(tag) ? [Number(tag.slice(1, -1))] : [])));
};

/** Whether `If-None-Match` names a version (RFC 9110 §13.1.2), by weak comparison. What is no list of ETags names none. @internal */
export const matchesIfNoneMatch = ({ headers }: Pick<HttpRequest, 'headers'>, version: number): boolean => {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  const text = typeof header === 'string' ? header : header.join(', ');
  return text.trim() === '*' || text.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${version}"`);
};

/** The idempotency key, if there is one. @internal */
export const readIdempotencyKey = ({ headers }: HttpRequest): Result<string | undefined, RouteFailure> => {
  if (headers['idempotency-key'] === undefined) return ok(undefined);
  const key = singleHeader(headers, 'idempotency-key');
  return key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key)
    ? ok(key)
    : bad('Idempotency-Key: once, 1 to 255 visible ASCII characters.');
};

const seconds = z
  .string()
  .regex(/^\d{1,11}$/, 'whole seconds since 1970.')
  .transform((text) => Number(text) * second);

/** Makes the reader of a list's query. @internal */
export const queryReader = ({
  states,
  byTemplate,
  paged,
}: Pick<Resource<object>, 'states' | 'byTemplate' | 'paged'>) => {
  const query = z.strictObject({
    status: z.enum(states as [string, ...string[]], `one of ${states.join(', ')}.`).optional(),
    createdFrom: seconds.optional(),
    createdTo: seconds.optional(),
    ...(byTemplate ? { templateId: z.string().refine(isIdentifier, 'the id of a template.').optional() } : {}),
    ...(paged
      ? {
          limit: z
            .string()
            .regex(/^([1-9]\d?|100)$/, '1 to 100.')
            .transform(Number)
            .optional(),
          after: z.string().optional(),
        }
      : {}),
  });
  return ({
    target,
  }: HttpRequest): Result<{ readonly page: PageRequest; readonly filter: RequestFilter }, RouteFailure> => {
    const [, text = ''] = /\?([^#]*)/.exec(target) ?? [];
    const sent = new URLSearchParams(text);
    const parsed = query.safeParse(Object.fromEntries(sent));
    const repeated = new Set([...sent.keys()].filter((name) => sent.getAll(name).length > 1));
    if (parsed.success && repeated.size === 0) {
      // What is in no query of this list is in none of its answers.
      const { limit, after, ...filter } = parsed.data as PageRequest & RequestFilter;
      return ok({
        page: { ...(limit === undefined ? {} : { limit }), ...(after === undefined ? {} : { after }) },
        filter,
      });
    }
    const wrong = (parsed.error?.issues ?? []).flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ parameter: key.slice(0, 64), detail: 'no such parameter.' }))
        : [{ parameter: issue.path.join('.'), detail: issue.message }],
    );
    const twice = [...repeated].map((name) => ({ parameter: name.slice(0, 64), detail: 'repeated; give it once.' }));
    const errors = [...twice, ...wrong.filter(({ parameter }) => !repeated.has(parameter))].slice(0, 32);
    return err(refused(400, 'invalid_query', 'Something in the query is wrong; errors says where.', errors));
  };
};
