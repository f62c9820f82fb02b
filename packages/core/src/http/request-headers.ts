import { err, ok, type Result } from 'neverthrow';
import type { RouteFailure } from './failure.ts';
import { refused } from './refused.ts';
import { type HttpRequest, singleHeader } from './route.ts';

const bad = (detail: string): Result<never, RouteFailure> => err(refused('bad_request', detail));
const etags = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;

/** The versions that `If-Match` names (RFC 9110 §13.1.1). `undefined`: any. @internal */
export const readIfMatch = ({ headers }: HttpRequest): Result<readonly number[] | undefined, RouteFailure> => {
  const header = headers['if-match'];
  if (header === undefined) return ok(undefined);
  const text = typeof header === 'string' ? header : header.join(', ');
  if (text.trim() === '*') return ok(undefined);
  const tags = text.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => etags.test(tag))) return bad('If-Match: an ETag as it was answered, or *.');
  // Weak and unknown tags match nothing.
  return ok(tags.flatMap((tag) => (/^"[1-9]\d{0,14}"$/.test(tag) ? [Number(tag.slice(1, -1))] : [])));
};

/**
 * Whether `If-None-Match` names a version (RFC 9110 §13.1.2), by weak comparison. A malformed header names none.
 * @internal
 */
export const matchesIfNoneMatch = ({ headers }: Pick<HttpRequest, 'headers'>, version: number): boolean => {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  const text = typeof header === 'string' ? header : header.join(', ');
  return text.trim() === '*' || text.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${version}"`);
};

/** Reads the idempotency key, if any: 1 to 255 visible ASCII characters. @internal */
export const readIdempotencyKey = ({ headers }: HttpRequest): Result<string | undefined, RouteFailure> => {
  if (headers['idempotency-key'] === undefined) return ok(undefined);
  const key = singleHeader(headers, 'idempotency-key');
  return key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key)
    ? ok(key)
    : bad('Idempotency-Key: once, 1 to 255 visible ASCII characters.');
};
