import { err, ok, type Result } from 'neverthrow';
import { hasDuplicateKeys } from '../runtime/duplicate-keys.ts';
import { fromUtf8 } from '../runtime/text.ts';
import { changeTypes, readContentType } from './content-type.ts';
import { refuseRounded } from './exact-numbers.ts';
import type { RouteFailure } from './failure.ts';
import { namesPrototype } from './names-prototype.ts';
import { refused } from './refused.ts';
import { type HttpRequest, singleHeader } from './route.ts';

const bad = (detail: string): Result<never, RouteFailure> => err(refused('bad_request', detail));
/** A 415 names the accepted types (RFC 9110 §15.5.16). */
const unreadable = (detail: string, accepted: Readonly<Record<string, string>>) =>
  err(refused('unsupported_media_type', detail, { headers: accepted }));
const prototypeNamed = 'A field of the body is called __proto__.';

/** A JSON body. @internal */
export interface JsonBody {
  /** `undefined` when there is no body. */
  readonly value: unknown;
  /** The body's text. */
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

/** Reads the JSON body of a request. @internal */
export const readJson = ({ method, headers, body }: HttpRequest): Result<JsonBody, RouteFailure> => {
  // The route has already refused incomplete bodies.
  if ('tooLarge' in body || 'aborted' in body) return err({ code: 'too_large' });
  if ('parsed' in body) return textOf(body.parsed);
  if (body.length === 0) return ok({ value: undefined, text: '' });
  if ((singleHeader(headers, 'content-encoding') ?? 'identity') !== 'identity')
    return unreadable('Send the body without Content-Encoding.', { 'accept-encoding': 'identity' });
  const accepted = method === 'PATCH' ? changeTypes : ['application/json'];
  const { type, isUtf8 } = readContentType(headers);
  if (!accepted.includes(type) || !isUtf8)
    return unreadable('Send the body as application/json, in UTF-8.', {
      accept: accepted.join(', '),
      // RFC 5789 §2.2
      ...(method === 'PATCH' ? { 'accept-patch': accepted.join(', ') } : {}),
    });
  const text = fromUtf8(body);
  if (text === undefined) return bad('The body is not UTF-8.');
  try {
    const value: unknown = JSON.parse(text);
    if (hasDuplicateKeys(text, value)) return bad('A field of the body is repeated.');
    if (namesPrototype(value)) return bad(prototypeNamed);
    const exact = refuseRounded(text);
    return ok({ value: exact === text ? value : JSON.parse(exact), text });
  } catch {
    return bad('The body is not valid JSON.');
  }
};
