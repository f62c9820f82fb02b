import { generateKeyPairSync } from 'node:crypto';
import type { PrivateJwk } from '../contracts/tokens/forge.ts';
import type { AttackedAssertions, AttackTarget, HttpAttack } from './attack.ts';
import type { AssertionForgery } from './forge-assertion.ts';
import { forgedAssertions } from './forged-assertions.ts';
import { byJson, loginAttack } from './login-attack.ts';

/** The value of `client_assertion_type` (RFC 7523 §2.2). */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const jwkOf = (privateKey: { export(options: { format: 'jwk' }): object }, kid: string, alg: string): PrivateJwk => ({
  ...privateKey.export({ format: 'jwk' }),
  ...{ kid, alg },
});

let made: (Pick<AssertionForgery, 'stranger'> & AttackedAssertions) | undefined;
/** Keys that no host knows, and an audience that may be right. */
const unknown = () => {
  const ec = (kid: string): PrivateJwk =>
    jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, kid, 'ES256');
  made ??= {
    audience: 'https://platform.example',
    key: ec('own'),
    rsa: jwkOf(generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey, 'rsa', 'RS256'),
    stranger: ec('stranger'),
  };
  return made;
};

/** What the forger of an assertion is given of a target. */
const forgeryOf = ({ clientId, token, assertions }: AttackTarget): AssertionForgery => ({
  ...unknown(),
  ...assertions,
  ...{ clientId, token, otherId: '01930000-0000-7000-8000-000000000000' },
});

/** A login by an assertion. */
const byAssertion = (assertion: string): Readonly<Record<string, string>> => ({
  grant_type: 'client_credentials',
  scope: 'USER',
  client_assertion_type: assertionType,
  client_assertion: assertion,
});

/**
 * Logins by assertions that must be refused: wrong algorithms, signatures, headers and claims, and texts that are no
 * JWT.
 * @public
 */
export const assertionAttacks: readonly HttpAttack[] = Object.entries(forgedAssertions).map(([name, [, forge]]) => ({
  ...loginAttack(
    `an assertion with ${name}`,
    (target) => byJson(() => byAssertion(forge(forgeryOf(target))))(target),
    [401, 429],
    'assertion',
  ),
  group: 'assertions',
  error: 'invalid_client',
}));
