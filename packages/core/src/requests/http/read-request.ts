import { err, ok, type Result } from 'neverthrow';
import type { RouteFailure } from '../../http/failure.ts';
import { type HttpRequest, singleHeader } from '../../http/route.ts';
import { repeatsKey } from '../../runtime/repeats-key.ts';
import { fromUtf8 } from '../../runtime/text.ts';
import { refuseRounded } from './exact-numbers.ts';
import { namesPrototype } from './names-prototype.ts';
import { refused } from './refused.ts';

const bad = (detail: string): Result<never, RouteFailure> => err(refused(400, 'bad_request', detail));
/** A 415 names what is accepted (RFC 9110 §15.5.16). */
const unreadable = (detail: string, accepted: Readonly<Record<string, string>>) =>
  err(refused(415, 'unsupported_media_type', detail, undefined, accepted));
const prototypeNamed = 'A field of the body is called __proto__.';

/** A body of JSON: its value, `undefined` when there is none, and its text. @internal */
export interface JsonBody {
  readonly value: unknown;
  readonly text: string;
}

const textOf = (parsed: unknown): Result<JsonBody, RouteFailure> => {
  try {
    const text = JSON.stringify(parsed) ?? '';
    return namesPrototype(parsed) ? bad(prototypeNamed) : ok({ value: parsed, text });
  } catch {
    return bad('The body is no JSON.');
  }
};

/** The media types of a change: both have the meaning of RFC 7396. */
const patchTypes = 'application/json, application/merge-patch+json';

/** @internal */
export const readJson = ({ method, headers, body }: HttpRequest): Result<JsonBody, RouteFailure> => {
  // The route has answered what was not read whole.
  if ('tooLarge' in body || 'aborted' in body) return err({ code: 'too_large' });
  if ('parsed' in body) return textOf(body.parsed);
  if (body.length === 0) return ok({ value: undefined, text: '' });
  if ((singleHeader(headers, 'content-encoding') ?? 'identity') !== 'identity')
    return unreadable('Send the body without Content-Encoding.', { 'accept-encoding': 'identity' });
  const accepted = method === 'PATCH' ? patchTypes : 'application/json';
  const type = /^([^;]*?) *(; *charset="?utf-?8"? *)?$/i.exec(singleHeader(headers, 'content-type') ?? '')?.[1] ?? '';
  if (!accepted.split(', ').includes(type.toLowerCase()))
    return unreadable('Send the body as application/json, in UTF-8.', {
      accept: accepted,
      // RFC 5789 §2.2
      ...(method === 'PATCH' ? { 'accept-patch': accepted } : {}),
    });
  const text = fromUtf8(body);
  if (text === undefined) return bad('The body is not UTF-8.');
  try {
    const value: unknown = JSON.parse(text);
    if (repeatsKey(text, value)) return bad('A field of the body is repeated.');
    if (namesPrototype(value)) return bad(prototypeNamed);
    const exact = refuseRounded(text);
    return ok({ value: exact === text ? value : JSON.parse(exact), text });
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
