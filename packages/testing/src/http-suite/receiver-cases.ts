import { problemType, titles } from './answers.ts';
import type { WireRequest } from './exchange.ts';
import type { HttpCase } from './http-case.ts';
import type { Platform } from './platform.ts';

const event = '{"timestamp":1732147200,"data":{"id":"p"},"objectName":"RequestPayment","type":"payed"}';
const hook =
  (headers: (platform: Platform) => WireRequest['headers'], body = event) =>
  (platform: Platform): WireRequest => ({
    method: 'POST',
    target: '/webhooks',
    headers: { 'content-type': 'application/json', ...headers(platform) },
    body,
  });
const refusedHook = (status: number, code: string, detail: string) => ({
  status,
  body: JSON.stringify({ title: titles[status], status, code, detail }),
  headers: problemType,
});

/** The cases of a receiver's route at `/webhooks`; skipped where none is mounted. @internal */
export const receiverCases: readonly HttpCase[] = [
  {
    name: 'a webhook',
    request: hook(({ sign }) => ({ 'X-WEBHOOK-SIGNATURE': sign(event) })),
    status: 204,
    body: '',
    headers: {},
  },
  {
    name: 'the same webhook again',
    request: hook(({ sign }) => ({ 'x-webhook-signature': sign(event) })),
    status: 204,
    body: '',
    headers: {},
  },
  {
    name: 'a webhook with a wrong signature',
    request: hook(({ sign }) => ({ 'x-webhook-signature': sign(`${event} `) })),
    ...refusedHook(401, 'wrong_signature', 'The signature is missing or does not fit the body.'),
  },
  {
    name: 'a webhook without a signature',
    request: hook(() => ({})),
    ...refusedHook(401, 'missing_signature', 'The signature is missing or does not fit the body.'),
  },
  {
    name: 'a webhook that is no envelope',
    request: hook(({ sign }) => ({ 'x-webhook-signature': sign('[]') }), '[]'),
    ...refusedHook(400, 'no_envelope', 'The body is not a webhook envelope.'),
  },
];
