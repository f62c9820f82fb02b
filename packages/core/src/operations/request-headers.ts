import { err, ok, type Result } from 'neverthrow';
import { type RequestHead, singleHeader } from '../http/route.ts';
import type { CodedFailure } from './failure.ts';

type Headed = Pick<RequestHead, 'headers'>;
const bad = (detail: string): Result<never, CodedFailure> => err({ code: 'bad_request', detail });
const etags = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;

/** The versions that `If-Match` names (RFC 9110 §13.1.1). `undefined`: any. @internal */
export const readIfMatch = ({ headers }: Headed): Result<readonly number[] | undefined, CodedFailure> => {
  const header = headers['if-match'];
  if (header === undefined) return ok(undefined);
  const text = typeof header === 'string' ? header : header.join(', ');
  if (text.trim() === '*') return ok(undefined);
  const tags = text.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => etags.test(tag))) return bad('If-Match: an ETag as it was answered, or *.');
  // Weak and unknown tags match nothing.
  return ok(tags.flatMap((tag) => (/^"[1-9]\d{0,14}"$/.test(tag) ? [Number(tag.slice(1, -1))] : [])));
};

/** The tag without its mark of weakness. */
const opaque = (tag: string): string => tag.replace(/^W\//, '');

/**
 * Whether `If-None-Match` names an entity tag (RFC 9110 §13.1.2), by weak comparison. A malformed header names none.
 * @internal
 */
export const matchesIfNoneMatch = ({ headers }: Headed, etag: string): boolean => {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  const text = typeof header === 'string' ? header : header.join(', ');
  return text.trim() === '*' || text.split(',').some((tag) => opaque(tag.trim()) === opaque(etag));
};

/** Reads the idempotency key, if any: 1 to 255 visible ASCII characters. @internal */
export const readIdempotencyKey = (
  { headers }: Headed,
  isRequired = false,
): Result<string | undefined, CodedFailure> => {
  if (headers['idempotency-key'] === undefined)
    return isRequired ? bad('Idempotency-Key: missing; this request needs one.') : ok(undefined);
  const key = singleHeader(headers, 'idempotency-key');
  return key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key)
    ? ok(key)
    : bad('Idempotency-Key: once, 1 to 255 visible ASCII characters.');
};
