import { err, ok, type Result } from '#result';
import { type RequestHead, singleHeader } from '../../base/http/route.ts';
import type { CodedFailure } from './failure.ts';

type Headed = Pick<RequestHead, 'headers'>;
const bad = (detail: string): Result<never, CodedFailure> => err({ code: 'bad_request', detail });

/** Reads the idempotency key, if any: 1 to 255 visible ASCII characters. */
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
