import { err, ok, type Result } from '#result';
import { changeTypes, isEncoded, readContentType } from '../../base/http/content-type.ts';
import { refuseRounded } from '../../base/http/exact-numbers.ts';
import { namesPrototype } from '../../base/http/names-prototype.ts';
import type { HttpRequest } from '../../base/http/route.ts';
import { hasDuplicateKeys } from '../../base/runtime/duplicate-keys.ts';
import { fromUtf8 } from '../../base/runtime/text.ts';
import type { CodedFailure } from './failure.ts';

const bad = (detail: string): Result<never, CodedFailure> => err({ code: 'bad_request', detail });
/** A 415 names the accepted types (RFC 9110 §15.5.16). */
const unreadable = (detail: string, headers: Readonly<Record<string, string>>): Result<never, CodedFailure> =>
  err({ code: 'unsupported_media_type', detail, headers });
const prototypeNamed = 'A field of the body is called __proto__.';

const acceptedBy = (method: string): readonly string[] => (method === 'PATCH' ? changeTypes : ['application/json']);

/** The headers of a 415 with the types that a method accepts: of PATCH also `Accept-Patch` (RFC 5789 §2.2). */
export const acceptHeaders = (method: string): Readonly<Record<string, string>> => {
  const accept = acceptedBy(method).join(', ');
  return { accept, ...(method === 'PATCH' ? { 'accept-patch': accept } : {}) };
};

export interface JsonBody {
  /** `undefined` when there is no body. */
  readonly value: unknown;
  /** The body's text. */
  readonly text: string;
}

const textOf = (parsed: unknown): Result<JsonBody, CodedFailure> => {
  try {
    const text = JSON.stringify(parsed) ?? '';
    return namesPrototype(parsed) ? bad(prototypeNamed) : ok({ value: parsed, text });
  } catch {
    return bad('The body is no JSON.');
  }
};

/** Detail of the failure for an aborted body. */
export const abortedBody = 'The connection closed before the whole body had come.';

/** Why a body is incomplete, if it is. */
export const incompleteBody = ({ body }: HttpRequest): CodedFailure | undefined => {
  if ('tooLarge' in body) return { code: 'too_large' };
  return 'aborted' in body ? { code: 'bad_request', detail: abortedBody } : undefined;
};

/** Reads the JSON body of a request. */
export const readJson = (request: HttpRequest): Result<JsonBody, CodedFailure> => {
  const incomplete = incompleteBody(request);
  if (incomplete) return err(incomplete);
  const { method, headers, body } = request;
  if ('tooLarge' in body || 'aborted' in body) return err({ code: 'too_large' });
  if ('parsed' in body) return textOf(body.parsed);
  if (body.length === 0) return ok({ value: undefined, text: '' });
  if (isEncoded(headers))
    return unreadable('Send the body without Content-Encoding.', { 'accept-encoding': 'identity' });
  const { type, isUtf8 } = readContentType(headers);
  if (!acceptedBy(method).includes(type) || !isUtf8)
    return unreadable('Send the body as application/json, in UTF-8.', acceptHeaders(method));
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
