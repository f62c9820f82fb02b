import { problemType, titles } from './answers.ts';
import type { WireRequest } from './exchange.ts';
import { bad, type HttpCase } from './http-case.ts';
import type { Platform } from './platform.ts';

const event = '{"timestamp":1732147200,"data":{"id":"p"},"objectName":"RequestPayment","type":"payed"}';
const hook =
  (headers: (platform: Platform) => WireRequest['headers'], body: string | Uint8Array = event) =>
  (platform: Platform): WireRequest => ({
    method: 'POST',
    target: '/webhooks',
    headers: { 'content-type': 'application/json', ...headers(platform) },
    body,
  });
const signed = (body: string | Uint8Array) => hook(({ sign }) => ({ 'x-webhook-signature': sign(body) }), body);
const refusedHook = (status: number, code: string, detail: string) => ({
  status,
  body: JSON.stringify({ title: titles[status], status, code, detail }),
  headers: problemType,
});
const wrong = refusedHook(401, 'wrong_signature', 'The signature is missing or does not fit the body.');
const missing = refusedHook(401, 'missing_signature', 'The signature is missing or does not fit the body.');
const noEnvelope = refusedHook(400, 'no_envelope', 'The body is not a webhook envelope.');
const confirmed = { status: 204, body: '', headers: {} };

const signatures: readonly HttpCase[] = [
  {
    name: 'a webhook with the signature of another body',
    request: hook(({ sign }) => ({ 'x-webhook-signature': sign(`${event} `) })),
    ...wrong,
  },
  {
    name: 'a webhook with a signature cut short',
    request: hook(({ sign }) => ({ 'x-webhook-signature': sign(event).slice(1) })),
    ...wrong,
  },
  {
    name: 'a webhook with two signatures',
    request: hook(({ sign }) => ({ 'x-webhook-signature': [sign(event), sign(event)] })),
    ...wrong,
  },
  { name: 'a webhook without a signature', request: hook(() => ({})), ...missing },
  {
    name: 'a webhook with the signature in the query',
    request: (platform) => ({
      ...hook(() => ({}))(platform),
      target: `/webhooks?x-webhook-signature=${platform.sign(event)}`,
    }),
    ...missing,
  },
];

const envelopes: readonly HttpCase[] = [
  { name: 'a webhook that is no envelope', request: signed('[]'), ...noEnvelope },
  { name: 'a webhook without a body', request: signed(''), ...noEnvelope },
  { name: 'a webhook that is not UTF-8', request: signed(Uint8Array.of(0x7b, 0xff, 0x7d)), ...noEnvelope },
  { name: 'a webhook nested 4,000 deep', request: signed('['.repeat(4_000) + ']'.repeat(4_000)), ...noEnvelope },
  {
    name: 'a webhook whose timestamp is a text',
    request: signed(event.replace('1732147200', '"1732147200"')),
    ...noEnvelope,
  },
  { name: 'a webhook whose data.id is a number', request: signed(event.replace('"p"', '7')), ...noEnvelope },
  {
    name: 'a webhook of more than 512 KiB',
    request: signed('x'.repeat(524_289)),
    ...refusedHook(413, 'too_large', 'The body is larger than a webhook can be.'),
  },
];

/** The cases of a receiver's route at `/webhooks`; skipped where none is mounted. @internal */
export const receiverCases: readonly HttpCase[] = [
  { name: 'a webhook', request: hook(({ sign }) => ({ 'X-WEBHOOK-SIGNATURE': sign(event) })), ...confirmed },
  { name: 'the same webhook again', request: signed(event), ...confirmed },
  ...bad('webhook', [...signatures, ...envelopes]),
];
