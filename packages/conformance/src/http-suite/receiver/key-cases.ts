import { receiverKeys } from '../partner/platform.ts';
import { bad, type HttpCase } from '../support/http-case.ts';
import { confirmed, event, hook, missing, wrongKey } from './requests.ts';

const keyed = (
  header: keyof typeof receiverKeys,
  how: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
  answer = wrongKey,
): HttpCase => {
  const name = `a webhook with ${how}, where ${header} is required`;
  const body = event(name);
  return {
    name,
    request: hook(({ sign }) => ({ 'x-webhook-signature': sign(body), ...headers }), body, `/webhooks/${header}`),
    ...answer,
  };
};

const ofHeader = (header: keyof typeof receiverKeys): readonly HttpCase[] => {
  const right = receiverKeys[header];
  return [
    keyed(header, 'no key', {}),
    keyed(header, 'an empty key', { [header]: '' }),
    keyed(header, 'a wrong key', { [header]: right.replace(/.$/, 'x') }),
    keyed(header, 'its key in upper case', { [header]: right.toUpperCase() }),
    keyed(header, 'its key and text after it', { [header]: `${right}x` }),
    keyed(header, 'a key of 10,000 characters', { [header]: right.padEnd(10_000, 'x') }),
    keyed(header, 'a key in Latin-1', { [header]: 'é'.repeat(right.length) }),
    keyed(header, 'two keys, both right', { [header]: [right, right] }),
    keyed(header, 'two keys, of which the first is right', { [header]: [right, 'x'] }),
    keyed(header, 'its key in another header', { 'x-other-key': right }),
  ];
};

const unsigned = event('unsigned');

/** Requests to a receiver that requires an API key. */
export const keyCases: readonly HttpCase[] = [
  keyed('X-API-Key', 'the right key', { 'x-api-key': receiverKeys['X-API-Key'] }, confirmed),
  keyed('Authorization', 'the right key', { authorization: receiverKeys.Authorization }, confirmed),
  ...bad('webhook key', [
    ...ofHeader('X-API-Key'),
    ...ofHeader('Authorization'),
    {
      name: 'a webhook with the right key and no signature',
      request: hook(() => ({ 'x-api-key': receiverKeys['X-API-Key'] }), unsigned, '/webhooks/X-API-Key'),
      ...missing,
    },
  ]),
];
