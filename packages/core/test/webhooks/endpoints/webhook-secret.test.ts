import { describe, expect, test } from 'vitest';
import { createSealer, type Sealed } from '../../../src/base/crypto/seal.ts';
import { systemRandom } from '../../../src/base/runtime/system.ts';
import { endpointSealer, mintWebhookSecret } from '../../../src/webhooks/endpoints/webhook-secret.ts';
import { standardKey } from '../../../src/webhooks/signature/standard-webhooks.ts';
import { fixedRandom, seededRandom } from '../../support/random.ts';

describe('mintWebhookSecret', () => {
  test('golden: whsec_ and 24 bytes in Base64', () => {
    expect(mintWebhookSecret(fixedRandom(0xff, 0))).toBe('whsec_/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A');
    expect(mintWebhookSecret(systemRandom)).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });

  test('serves both kinds of signature and is never repeated', () => {
    const random = seededRandom();
    const secrets = Array.from({ length: 1_000 }, () => mintWebhookSecret(random));
    for (const secret of secrets) expect(() => standardKey(secret)).not.toThrow();
    expect(new Set(secrets).size).toBe(1_000);
  });
});

const sealer = endpointSealer(createSealer([{ id: 'k1', key: new Uint8Array(32) }], seededRandom()));
const owner = { accountId: 'a', id: 'e', url: 'https://x.example/hooks' };

test('a value sealed for one account, endpoint or field opens for no other', () => {
  const secret = sealer.sealSecret(owner, 'secret');
  const value = sealer.sealDeliveryHeader(owner, { name: 'X-Key', value: 'key' });
  const openDeliveryHeader = (to: typeof owner, sealed: Sealed) =>
    sealer.openDeliveryHeader(to, { name: 'X-Key', value: sealed });
  expect([sealer.openSecret(owner, secret), openDeliveryHeader(owner, value)]).toEqual(['secret', 'key']);
  for (const change of [
    { accountId: 'b', id: 'e' },
    { accountId: 'a', id: 'f' },
    { accountId: 'ae', id: '' },
    { accountId: 'e', id: 'a' },
  ]) {
    const other = { ...owner, ...change };
    expect(() => sealer.openSecret(other, secret)).toThrow(Error);
    expect(() => openDeliveryHeader(other, value)).toThrow(Error);
  }
  expect(() => openDeliveryHeader(owner, secret)).toThrow(Error);
  expect(() => sealer.openSecret(owner, value)).toThrow(Error);
});

test('an API key opens for its origin and header only', () => {
  const value = sealer.sealDeliveryHeader(owner, { name: 'X-Key', value: 'key' });
  const same = { ...owner, url: 'https://x.example:443/other?path' };
  expect(sealer.openDeliveryHeader(same, { name: 'x-KEY', value })).toBe('key');
  for (const url of ['https://y.example/hooks', 'https://x.example:444/hooks', 'http://x.example/hooks']) {
    expect(() => sealer.openDeliveryHeader({ ...owner, url }, { name: 'X-Key', value })).toThrow('does not open');
  }
  expect(() => sealer.openDeliveryHeader(owner, { name: 'X-Other', value })).toThrow('does not open');
});
