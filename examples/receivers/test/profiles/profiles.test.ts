import {
  createReceiver,
  ed25519,
  hmac,
  memorySeenKeys,
  type ReceiverProfile,
  standardWebhooks,
} from '@partnerkit/receiver';
import { expect, test } from 'vitest';
import { profileVectors } from './programs.ts';
import { profileSuite } from './suite.ts';

profileSuite('Python');

const bytesOf = (key: string): Uint8Array => Uint8Array.from(Buffer.from(key, 'base64url'));
const github = hmac({ header: 'X-Hub-Signature-256', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' });
const stripe = hmac({
  header: 'Stripe-Signature',
  algorithm: 'sha256',
  encoding: 'hex',
  content: ['timestamp', { text: '.' }, 'body'],
  prefix: [{ text: 't=' }, 'timestamp', { text: ',v1=' }],
});

test.each(profileVectors)('@partnerkit/receiver: $form: $name: $genuine', async (vector) => {
  const { form, now, keys, endpoints, body, headers, genuine } = vector;
  const [first = '', ...others] = keys;
  const keyed = (): ReceiverProfile => {
    const [one, ...more] = keys.map((key, index) => ({ id: `k${index}`, publicKey: bytesOf(key) }));
    return { signatures: [ed25519({ keys: [one ?? expect.unreachable(), ...more] })] };
  };
  const profile =
    form === 'ed25519' ? keyed() : { signatures: [{ github, stripe, standard: standardWebhooks() }[form]] };
  const clock = { now: () => now * 1_000, sleep: () => expect.unreachable() };
  const receiver = createReceiver({
    secrets: form === 'ed25519' ? [] : [first, ...others],
    profiles: [profile],
    endpoints,
    seen: memorySeenKeys({ clock }),
    clock,
    on: {},
  });
  const request = { method: 'POST', target: '/', headers, body: Buffer.from(body) };
  const { status } = await receiver.handle(request);
  // What is genuine and no envelope is answered 400.
  expect(status !== 401).toBe(genuine);
});
