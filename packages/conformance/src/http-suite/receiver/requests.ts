import type { Platform } from '../partner/platform.ts';
import { problemType, titles } from '../support/answers.ts';
import type { WireRequest } from '../support/exchange.ts';
import type { HttpCase } from '../support/http-case.ts';

// Requests of platforms to a receiver, and their responses.

type Headers = NonNullable<WireRequest['headers']>;

/** An envelope with its own id: no case is a duplicate of another. */
export const event = (id: string): string =>
  `{"timestamp":1732147200,"data":{"id":${JSON.stringify(id)}},"objectName":"RequestPayment","type":"payed"}`;

export const hook =
  (
    headers: (platform: Platform) => Headers,
    body: string | Uint8Array,
    path = '/webhooks',
  ): ((platform: Platform) => WireRequest) =>
  (platform) => ({
    method: 'POST',
    target: path,
    headers: { 'content-type': 'application/json', ...headers(platform) },
    body,
  });

/** Any body, correctly signed. */
export const signed = (body: string | Uint8Array, headers: Headers = {}) =>
  hook(({ sign }) => ({ 'x-webhook-signature': sign(body), ...headers }), body);

const refusedHook = (status: number, code: string, detail: string): Pick<HttpCase, 'status' | 'body' | 'headers'> => ({
  status,
  body: JSON.stringify({ title: titles[status], status, code, detail }),
  headers: problemType,
});

export const confirmed = { status: 204, body: '', headers: {} };
const unauthorized = (code: string, detail: string): Pick<HttpCase, 'status' | 'body' | 'headers'> => ({
  ...refusedHook(401, code, detail),
  headers: { ...problemType, 'www-authenticate': 'Webhook realm="receiver"' },
});
export const wrong = unauthorized('wrong_signature', 'The signature is missing or does not fit the body.');
export const missing = unauthorized('missing_signature', 'The signature is missing or does not fit the body.');
export const wrongKey = unauthorized('wrong_delivery_header', 'The delivery header is missing or wrong.');
export const noEnvelope = refusedHook(400, 'no_envelope', 'The body is not a webhook envelope.');
export const tooLarge = refusedHook(413, 'too_large', 'The body is larger than a webhook can be.');
const refusedMethod = refusedHook(405, 'method_not_allowed', 'Webhooks are sent by POST.');
export const notPosted = { ...refusedMethod, headers: { ...refusedMethod.headers, allow: 'POST' } };
