import type { Route } from '@partnerkit/core';
import { describe, expect, test } from 'vitest';
import { attacksOf, httpAttacks } from '../../src/attacks/http-attacks.ts';
import {
  addressAttacks,
  assertionAttacks,
  cursorAttacks,
  dnsAttacks,
  headerAttacks,
  jsonAttacks,
  loginAttacks,
  moneyAttacks,
  pathAttacks,
  receiverAttacks,
  tokenAttacks,
} from '../../src/attacks/index.ts';
import { type Spoil, start } from '../http-suite/least-host.ts';
import { attackedHost } from './host.ts';

const ends: (() => Promise<void>)[] = [];
const served = async (routes: readonly Route[], spoil?: Spoil): Promise<string> => {
  const { port, close } = await start(spoil)(routes);
  ends.push(close);
  return `http://127.0.0.1:${port}/api/v1/partner`;
};

describe('a host on node:http withstands every attack', () => {
  const host = attackedHost();
  httpAttacks({
    test,
    url: async () => served((await host).routes),
    client: async () => (await host).client,
    requests: true,
  });
});

/** The tests that fail at a host with one thing wrong. */
const failed = async (spoilOf: Spoil | ((secret: string) => Spoil), isOfSecret = false): Promise<readonly string[]> => {
  const { routes, client } = await attackedHost();
  const spoil = (isOfSecret ? spoilOf(client.clientSecret as never) : spoilOf) as Spoil;
  const tests: { readonly name: string; readonly run: () => Promise<void> }[] = [];
  httpAttacks({
    test: (name, run) => tests.push({ name, run }),
    url: await served(routes, spoil),
    client,
    // Enough to see what is wrong.
    without: attacksOf(false)
      .filter(({ group }, index) => group === 'headers' || index % 25 !== 0)
      .map(({ name }) => name),
  });
  const names: string[] = [];
  for (const { name, run } of tests) await run().catch(() => names.push(name.replace(/^\d+ /, '')));
  return names;
};

test.each<[string, Spoil, readonly string[]]>([
  ['nothing is wrong', (response) => response, []],
  [
    'a refused token is answered 200',
    (response) => (response.status === 401 ? { ...response, status: 200 } : response),
    ['attacks on tokens are refused', 'attacks on logins are refused', 'attacks on assertions are refused'],
  ],
  [
    'an assertion is refused by another error',
    (response) => ({ ...response, headers: {}, body: response.body.replace('invalid_client', 'invalid_grant') }),
    ['attacks on assertions are refused'],
  ],
  [
    'an unknown path is answered 500',
    (response) => (response.status === 404 ? { ...response, status: 500 } : response),
    ['attacks on paths are refused'],
  ],
  [
    'a stack is shown',
    (response) =>
      response.status === 400 ? { ...response, headers: {}, body: 'Error\n    at parse (x.ts:1)' } : response,
    ['attacks on paths are refused', 'attacks on logins are refused'],
  ],
  [
    'the right secret is refused once it was attacked',
    (() => {
      let logins = 0;
      const spoil: Spoil = (response) =>
        response.body.includes('access_token') && logins++ > 0 ? { ...response, status: 429 } : response;
      return spoil;
    })(),
    ['after all attacks the right secret logs in, and its token reads the account'],
  ],
])('when %s, the attacks on it fail', async (_what, spoil, expected) => {
  expect(await failed(spoil)).toEqual(expected);
});

test('when the secret is in an answer, the attacks on it fail', async () => {
  const shown = (secret: string): Spoil => {
    return (response) => (response.status === 404 ? { ...response, headers: {}, body: `No ${secret}.` } : response);
  };
  expect(await failed(shown, true)).toEqual(['attacks on paths are refused']);
});

test('an attack that is left out must exist', () => {
  expect(() => httpAttacks({ test, url: '', client: async () => ({}) as never, without: ['x'] })).toThrow(
    'without: there is no attack "x".',
  );
});

test('each attack has a name of its own', () => {
  const names = attacksOf(true).map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each([
  ['tokens', tokenAttacks, 120],
  ['logins', loginAttacks, 300],
  ['assertions', assertionAttacks, 120],
  ['paths', pathAttacks, 1_000],
  ['headers', headerAttacks, 70],
  ['cursors', cursorAttacks, 40],
  ['money', moneyAttacks, 80],
  ['JSON', jsonAttacks, 50],
  ['addresses and answers of DNS', [...addressAttacks, ...dnsAttacks], 200],
  ['receivers', receiverAttacks, 50],
] as const)('there are enough attacks on %s', (_what, attacks, least) => {
  expect(attacks.length).toBeGreaterThanOrEqual(least);
});

test('the servers end', async () => {
  for (const end of ends) await end();
});
