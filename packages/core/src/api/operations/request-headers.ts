import { err, ok, type Result } from '#result';
import { type RequestHead, singleHeader } from '../../base/http/route.ts';
import type { CodedFailure } from './failure.ts';

/** The header of an answer with a version. */
export const etag = { ETag: 'The version, for `If-Match` and `If-None-Match`.' };

/** The header of a page. */
export const nextPage = { Link: 'The next page, with the relation `next` (RFC 8288). Absent on the last page.' };

type Headed = Pick<RequestHead, 'headers'>;
const bad = (detail: string): Result<never, CodedFailure> => err({ code: 'bad_request', detail });

/** A key as a structured string (RFC 9651 §3.3.3), whose parameters have no meaning, or without quotes. */
const keyForm = /^(?:"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"(?: *;.*)?|([\x21\x23-\x7e][\x21-\x7e]*))$/;
const maxKeyLength = 255;

/**
 * Reads the idempotency key, if any: 1 to 255 ASCII characters. With or without quotes, it is the same key
 * (draft-ietf-httpapi-idempotency-key-header §2.1).
 */
export const readIdempotencyKey = (
  { headers }: Headed,
  isRequired = false,
): Result<string | undefined, CodedFailure> => {
  if (headers['idempotency-key'] === undefined)
    return isRequired ? bad('Idempotency-Key: missing; this request needs one.') : ok(undefined);
  const [, quoted, plain] = keyForm.exec(singleHeader(headers, 'idempotency-key') ?? '') ?? [];
  const key = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
  return key !== '' && key.length <= maxKeyLength
    ? ok(key)
    : bad('Idempotency-Key: once, 1 to 255 visible ASCII characters, with or without double quotes around them.');
};
