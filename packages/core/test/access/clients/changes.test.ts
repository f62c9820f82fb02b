import { describe, expect, test } from 'vitest';
import { err } from '#result';
import {
  addSecret,
  expireSecret,
  revokeSecret,
  revokeTokens,
  setDisabled,
  update,
} from '../../../src/access/clients/changes.ts';
import type { Client, ClientSecret } from '../../../src/access/clients/client.ts';
import { start } from '../../support/clock.ts';

const secret = (id: string, change: Partial<ClientSecret> = {}): ClientSecret => ({
  id,
  digest: `digest of ${id}`,
  createdAt: 0,
  revoked: false,
  ...change,
});
const client = (...secrets: readonly ClientSecret[]): Client => ({
  id: 'c',
  accountId: 'a',
  name: 'Name',
  createdAt: 0,
  disabled: false,
  secrets,
  tokensNotBefore: 0,
  version: 3,
});
const idsAfter = (secrets: readonly ClientSecret[], endedBefore = start) =>
  addSecret(
    secret('new'),
    endedBefore,
  )(client(...secrets))
    ._unsafeUnwrap()
    .secrets.map(({ id }) => id);

describe('addSecret', () => {
  test('appends the secret', () => {
    expect(idsAfter([secret('a'), secret('b')])).toEqual(['a', 'b', 'new']);
  });

  test('at most five secrets are active', () => {
    const four = ['a', 'b', 'c', 'd'].map((id) => secret(id));
    expect(idsAfter(four)).toHaveLength(5);
    expect(addSecret(secret('new'), start)(client(...four, secret('e')))).toMatchObject(
      err({ code: 'too_many_secrets' }),
    );
  });

  test('removes revoked secrets, and expired secrets whose tokens have expired', () => {
    const dead = [
      secret('revoked', { revoked: true }),
      secret('ended', { expiresAt: start }),
      secret('older', { expiresAt: 1 }),
    ];
    const alive = [secret('ends later', { expiresAt: start + 1 }), secret('a')];
    expect(idsAfter([...dead, ...alive])).toEqual(['ends later', 'a', 'new']);
  });
});

describe('changes of one secret', () => {
  const before = client(secret('a', { label: 'old', lastUsedAt: 7 }), secret('b'));

  test('expireSecret sets the expiry and can set it again', () => {
    const once = expireSecret('a', 9)(before)._unsafeUnwrap();
    expect(once).toEqual({
      ...before,
      secrets: [{ ...secret('a', { label: 'old', lastUsedAt: 7 }), expiresAt: 9 }, secret('b')],
    });
    expect(expireSecret('a', 8)(once)._unsafeUnwrap().secrets[0]?.expiresAt).toBe(8);
  });

  test('revokeSecret revokes the secret and is idempotent', () => {
    const once = revokeSecret('b')(before)._unsafeUnwrap();
    expect(once.secrets.map(({ revoked }) => revoked)).toEqual([false, true]);
    expect(revokeSecret('b')(once)._unsafeUnwrap()).toEqual(once);
  });

  test('an unknown id is not_found', () => {
    expect(expireSecret('c', 9)(before)).toMatchObject(err({ code: 'not_found' }));
    expect(revokeSecret('c')(before)).toMatchObject(err({ code: 'not_found' }));
  });
});

test('update, disable and enable change one field each', () => {
  const before = client(secret('a'));
  expect(update({ name: 'New' })(before)._unsafeUnwrap()).toEqual({ ...before, name: 'New' });
  expect(setDisabled(true)(before)._unsafeUnwrap()).toEqual({ ...before, disabled: true });
  expect(setDisabled(false)({ ...before, disabled: true })._unsafeUnwrap()).toEqual(before);
});

describe('revokeTokens', () => {
  test('refuses tokens issued before the next second, also by a server whose clock is a minute ahead', () => {
    expect(revokeTokens(start + 999)(client())._unsafeUnwrap().tokensNotBefore).toBe(start / 1_000 + 61);
    expect(revokeTokens(start)(client())._unsafeUnwrap().tokensNotBefore).toBe(start / 1_000 + 61);
  });

  test('never moves back when the clock does', () => {
    const later = { ...client(), tokensNotBefore: start };
    expect(revokeTokens(1)(later)._unsafeUnwrap().tokensNotBefore).toBeGreaterThanOrEqual(start);
  });
});

test('no change mutates its argument', () => {
  const before = client(secret('a'));
  const copy = structuredClone(before);
  for (const change of [
    addSecret(secret('b'), 0),
    expireSecret('a', 1),
    revokeSecret('a'),
    setDisabled(true),
    update({ name: 'x' }),
    revokeTokens(1),
  ]) {
    change(before)._unsafeUnwrap();
  }
  expect(before).toEqual(copy);
});
