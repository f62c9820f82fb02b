import { expect, test } from 'vitest';
import { viewClient } from '../../../src/access/clients/client.ts';

test('a view is the client without digests', () => {
  const secret = { id: 's', label: 'l', createdAt: 1, expiresAt: 2, revoked: true, lastUsedAt: 3 };
  const client = { id: 'c', accountId: 'a', name: 'n', createdAt: 1, disabled: true, tokensNotBefore: 4, version: 5 };
  const stored = { ...client, secrets: [{ ...secret, digest: 'd' }] };
  expect(viewClient(stored)).toEqual({ ...client, secrets: [secret] });
  expect(stored.secrets[0]?.digest).toBe('d');
});
