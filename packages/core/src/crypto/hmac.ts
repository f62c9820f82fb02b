import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A key made ready once: hashing with it is six times faster than with its bytes. @internal */
export interface HmacKey {
  readonly key: KeyObject;
}

/** @internal */
export const hmacKey = (bytes: Uint8Array): HmacKey => ({ key: createSecretKey(bytes) });

/** HMAC-SHA-1 (RFC 2104), 40 lowercase hex digits. A string is taken as its UTF-8 bytes. @internal */
export const hmacSha1 = ({ key }: HmacKey, body: string | Uint8Array): string =>
  (typeof body === 'string'
    ? createHmac('sha1', key).update(body, 'utf8')
    : createHmac('sha1', key).update(body)
  ).digest('hex');

/** HMAC-SHA-256 of `before` and then `body`, in Base64. @internal */
export const hmacSha256 = ({ key }: HmacKey, before: string, body: string | Uint8Array): string => {
  const hmac = createHmac('sha256', key).update(before, 'utf8');
  return (typeof body === 'string' ? hmac.update(body, 'utf8') : hmac.update(body)).digest('base64');
};
