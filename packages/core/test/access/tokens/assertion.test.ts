import { beforeEach, describe, expect, test } from 'vitest';
import { minute } from '../../../src/base/runtime/time.ts';
import { start } from '../../support/clock.ts';
import { platform } from '../../support/kit.ts';
import { assertion, claimsOf, issuer, namedTokens, p256, present } from './support/assertions.ts';

const now = start / 1_000;
const unlimited = { points: 1_000, window: minute };

const begin = () => {
  const limits = { failedLogins: { perAddress: unlimited, perClientAndAddress: unlimited } };
  return platform({ tokens: namedTokens().tokens, limits });
};
let made: ReturnType<typeof begin>;
let clientId: string;
beforeEach(async () => {
  made = begin();
  const jwks = { keys: [{ ...p256, kid: 'own' }] };
  clientId = (await made.kit.clients.create('acc_a', { name: 'key', jwks }))._unsafeUnwrap().client.id;
});

const logIn = async (changes: object): Promise<number> =>
  (await present(made.kit, assertion(claimsOf(clientId, changes)))).status;
const refusal = async () => (await made.kit.clients.find('acc_a', clientId))._unsafeUnwrap().lastRefusal?.reason;

/** The last value that is granted, the first that is refused, and the reason. */
describe.each<readonly [what: string, last: object, first: object, reason: string]>([
  [
    '5 minutes to exp, by a clock that is 30 s behind',
    { exp: now + 330 },
    { exp: now + 330.001 },
    'wrong_assertion_claims',
  ],
  [
    'an exp that has passed, by a clock that is 30 s ahead',
    { exp: now - 29.999 },
    { exp: now - 30 },
    'expired_assertion',
  ],
  ['an nbf that is to come', { nbf: now + 30 }, { nbf: now + 30.001 }, 'wrong_assertion_claims'],
  ['an iat that is to come', { iat: now + 30 }, { iat: now + 30.001 }, 'wrong_assertion_claims'],
  ['an iat of long ago', { iat: now - 330 }, { iat: now - 330.001 }, 'wrong_assertion_claims'],
  ['the bytes of a jti', { jti: 'é'.repeat(64) }, { jti: `${'é'.repeat(64)}x` }, 'wrong_assertion_claims'],
  ['the number of audiences', { aud: [issuer] }, { aud: [issuer, issuer] }, 'wrong_assertion_claims'],
  ['the text of the audience', { aud: issuer }, { aud: issuer.slice(0, -1) }, 'wrong_assertion_claims'],
])('the limit of %s', (_what, last, first, reason) => {
  test('is granted', async () => {
    expect(await logIn(last)).toBe(200);
  });
  test('is exceeded', async () => {
    expect(await logIn(first)).toBe(401);
    expect(await refusal()).toBe(reason);
  });
});

test('each key is verified by an algorithm of its own', async () => {
  for (const alg of ['ES384', 'RS256', 'PS256', 'EdDSA', 'HS256', 'none', 'es256', 'ES256K', '__proto__']) {
    const text = assertion(claimsOf(clientId), { header: { alg } });
    expect((await present(made.kit, text)).status, alg).toBe(401);
  }
  expect(await logIn({})).toBe(200);
});

test('a jti is used once, until every server refuses its assertion', async () => {
  const again = () => logIn({ jti: 'once', exp: now + 300 });
  expect(await again()).toBe(200);
  made.clock.set(start + 5 * minute + 29_999);
  expect([await again(), await refusal()]).toEqual([401, 'repeated_assertion']);
  made.clock.set(start + 5 * minute + 30_000);
  expect(await again()).toBe(401);
});
