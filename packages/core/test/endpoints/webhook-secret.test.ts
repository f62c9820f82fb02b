import { describe, expect, test } from 'vitest';
import { createSealer } from '../../src/crypto/seal.ts';
import { endpointSealer, mintWebhookSecret } from '../../src/endpoints/webhook-secret.ts';
import { systemRandom } from '../../src/runtime/system.ts';
import { standardKey } from '../../src/signature/standard-webhooks.ts';
import { fixedRandom, seededRandom } from '../support/random.ts';

describe('mintWebhookSecret', () => {
  test('golden: whsec_ and 24 bytes in Base64', () => {
    expect(mintWebhookSecret(fixedRandom(0xff, 0))).toBe('whsec_/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A');
    expect(mintWebhookSecret(systemRandom)).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });

  test('serves both kinds of signature, and never comes twice', () => {
    const random = seededRandom();
    const secrets = Array.from({ length: 1_000 }, () => mintWebhookSecret(random));
    for (const secret of secrets) expect(() => standardKey(secret)).not.toThrow();
    expect(new Set(secrets).size).toBe(1_000);
  });
});

test('what was sealed for one account, endpoint or field opens for no other', () => {
  const sealer = endpointSealer(createSealer([{ id: 'k1', key: new Uint8Array(32) }], seededRandom()));
  const owner = { accountId: 'a', id: 'e' };
  const secret = sealer.sealSecret(owner, 'secret');
  const apiKey = sealer.sealApiKey(owner, 'key');
  expect([sealer.openSecret(owner, secret), sealer.openApiKey(owner, apiKey)]).toEqual(['secret', 'key']);
  for (const other of [
    { accountId: 'b', id: 'e' },
    { accountId: 'a', id: 'f' },
    { accountId: 'ae', id: '' },
    { accountId: 'e', id: 'a' },
  ]) {
    expect(() => sealer.openSecret(other, secret)).toThrow(Error);
    expect(() => sealer.openApiKey(other, apiKey)).toThrow(Error);
  }
  expect(() => sealer.openApiKey(owner, secret)).toThrow(Error);
  expect(() => sealer.openSecret(owner, apiKey)).toThrow(Error);
});
