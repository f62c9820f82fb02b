import { describe, expect, test, vi } from 'vitest';
import { createReceiver, memorySeenKeys, signBody, signingKey, verifySignature } from '../src/index.ts';
import vectors from './signature-vectors.json' with { type: 'json' };
import { verdict } from './support/ask.ts';
import { bytesOf, request } from './support/platform.ts';

const passes = (...asked: Parameters<typeof verifySignature>): boolean => verifySignature(...asked) === 'valid';

test('the cases exist and have different signatures', () => {
  expect(vectors.cases).toHaveLength(16);
  expect(new Set(vectors.cases.map(({ signature }) => signature)).size).toBe(16);
});

describe.each(vectors.cases)('$name', ({ secret, body, bodyBytes, signature }) => {
  const bytes = bytesOf(body);
  const key = signingKey(secret);

  test('the signature verifies for the bytes and for their text', () => {
    expect(bytes).toHaveLength(bodyBytes);
    expect(passes(bytes, signature, [key])).toBe(true);
    expect(passes(body, signature, [key])).toBe(true);
    expect(signBody(key, bytes)).toBe(signature);
  });

  test('no other body, secret or spelling verifies', () => {
    expect(passes(bytesOf(`${body} `), signature, [key])).toBe(false);
    expect(passes(bytes, signature, [signingKey(`${secret} `)])).toBe(false);
    expect(passes(bytes, signature.toUpperCase(), [key])).toBe(false);
    expect(passes(bytes, undefined, [key])).toBe(false);
    expect(passes(bytes, signature, [])).toBe(false);
    for (const other of vectors.cases) {
      if (other.signature !== signature) expect(passes(bytes, other.signature, [key])).toBe(false);
    }
  });

  test('the receiver accepts it: 204 for an envelope, else 400, never 401', async () => {
    const otherwise = vi.fn();
    const receiver = createReceiver({ secrets: [secret], seen: memorySeenKeys(), on: {}, otherwise });
    const isEnvelope = body.includes('"objectName"');
    expect(await verdict(receiver, request(bytes, { 'x-webhook-signature': signature }))).toBe(
      isEnvelope ? '204' : '400 no_envelope',
    );
    expect(otherwise.mock.calls).toEqual(isEnvelope ? [[JSON.parse(body)]] : []);
  });
});
