import { createHmac } from 'node:crypto';
import type { HttpHeaders, HttpRequest } from '@partnerkit/core';
import { start } from './clock.ts';

/** The other side, written anew from the specification: it shares no code with what is tested. */

const keyBytes = Buffer.from(Array.from({ length: 24 }, (_, index) => index * 9 + 1));
const nextKeyBytes = Buffer.from(Array.from({ length: 24 }, (_, index) => 255 - index * 7));

export const secret = `whsec_${keyBytes.toString('base64')}`;
/** The one that comes after {@link secret}. */
export const nextSecret = `whsec_${nextKeyBytes.toString('base64')}`;
/** Of no form: it signs `X-WEBHOOK-SIGNATURE` alone. */
export const plainSecret = 'clé-très-secrète';
export const deliveryHeader = { name: 'X-API-Key', value: 'pk_live_51H8x-the-api-key' } as const;
/** What handlers, stores and schemas throw in these tests; an answer must not repeat it. */
export const confidential = 'password=hunter2 at db.internal:5432';

/** Nothing of these may ever be in an answer. */
export const neverTold = [secret, nextSecret, plainSecret, deliveryHeader.value, confidential, 'hunter2'];

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export interface Sent {
  readonly timestamp: number;
  readonly data: { readonly id: string; readonly [field: string]: unknown };
  readonly objectName: string;
  readonly type: string;
}

/** A payment that was payed. */
export const payed: Sent = {
  timestamp: start / 1_000,
  data: { id: 'pay_9', amount: 120, label: 'Gîte des Érables' },
  objectName: 'RequestPayment',
  type: 'payed',
};

/** `X-WEBHOOK-SIGNATURE` of a body (specification §5.3). */
export const sha1 = (body: Uint8Array, key: string = secret): string =>
  createHmac('sha1', Buffer.from(key, 'utf8')).update(body).digest('hex');

/** One signature of Standard Webhooks: the key is what the secret's Base64 stands for. */
export const sha256 = (body: Uint8Array, id: string, timestamp: string, key: string = secret): string => {
  const hmac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'));
  return `v1,${hmac.update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
};

export const legacy = (body: Uint8Array, key?: string): HttpHeaders => ({ 'x-webhook-signature': sha1(body, key) });

export interface StandardParts {
  readonly id?: string;
  /** Milliseconds. */
  readonly at?: number;
  readonly keys?: readonly string[];
}

export const standard = (body: Uint8Array, { id = 'msg_1', at = start, keys = [secret] }: StandardParts = {}) => {
  const timestamp = String(Math.floor(at / 1_000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => sha256(body, id, timestamp, key)).join(' '),
  };
};

/** A delivery as an adapter hands it over. */
export const request = (body: HttpRequest['body'], headers: HttpHeaders = {}, method = 'POST'): HttpRequest => ({
  method,
  target: '/webhooks',
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

/** Any text, signed well. */
export const signed = (body: string | Uint8Array, key?: string): HttpRequest => {
  const bytes = typeof body === 'string' ? bytesOf(body) : body;
  return request(bytes, legacy(bytes, key));
};

/** A genuine delivery of an event. */
export const delivery = (event: object = payed): HttpRequest => signed(JSON.stringify(event));
