import { type BadCall, identifierRule, noIdentifiers, noTimes } from './bad-call.ts';
import type { World } from './world.ts';

const invalid = (input: string, calls: BadCall['calls'], detail: string): BadCall => ({
  group: 'client',
  input,
  calls,
  code: 'invalid_input',
  detail,
});
const unknown = (input: string, calls: BadCall['calls']): BadCall => ({
  group: 'client',
  input,
  calls,
  code: 'not_found',
});

/** Every call with a client id. */
const named = (idOf: (world: World) => unknown, accountId: unknown = 'acc_own'): BadCall['calls'] => ({
  ...Object.fromEntries(
    ['find', 'addSecret', 'revokeTokens', 'disable', 'enable', 'delete'].map((method) => [
      `clients.${method}`,
      (world: World) => [accountId, idOf(world)],
    ]),
  ),
  'clients.update': (world) => [accountId, idOf(world), { name: 'new' }],
  'clients.expireSecret': (world) => [accountId, idOf(world), world.secretId, { at: 0 }],
  'clients.revokeSecret': (world) => [accountId, idOf(world), world.secretId],
});

const ids: Readonly<Record<string, (world: World) => unknown>> = {
  'a client that does not exist': () => '00000000-0000-7000-8000-000000000000',
  'a client of another account': ({ foreign }) => foreign.clientId,
  'an id of another form': () => 'SECRET',
  'an id with a NUL': ({ clientId }) => `${clientId}\0`,
  '`__proto__` for the id': () => '__proto__',
};

/** Bad calls of `kit.clients`. */
export const clientCalls: readonly BadCall[] = [
  ...Object.entries(noIdentifiers).flatMap(([what, value]) => [
    invalid(
      `${what} for the account`,
      { 'clients.create': () => [value, { name: 'new' }], 'clients.list': () => [value] },
      `accountId: ${identifierRule}`,
    ),
    invalid(
      `${what} for the name`,
      {
        'clients.create': () => ['acc_own', { name: value }],
        'clients.update': ({ clientId }) => ['acc_own', clientId, { name: value }],
      },
      `name: ${identifierRule}`,
    ),
    invalid(
      `${what} for the label`,
      { 'clients.addSecret': ({ clientId }) => ['acc_own', clientId, { label: value }] },
      `label: ${identifierRule}`,
    ),
  ]),
  ...Object.entries(noIdentifiers).map(([what, accountId]) =>
    unknown(
      `${what} for the account of an existing client`,
      named(({ clientId }) => clientId, accountId),
    ),
  ),
  invalid(
    'a text for the input',
    { 'clients.create': () => ['acc_own', 'SECRET'] },
    `name: missing: ${identifierRule}`,
  ),
  ...Object.entries(ids).map(([input, idOf]) => unknown(input, named(idOf))),
  ...Object.entries({ 'a secret that does not exist': 'SECRET', '`__proto__` for the secret': '__proto__' }).map(
    ([input, secretId]) =>
      unknown(input, {
        'clients.expireSecret': ({ clientId }) => ['acc_own', clientId, secretId, { at: 0 }],
        'clients.revokeSecret': ({ clientId }) => ['acc_own', clientId, secretId],
      }),
  ),
  {
    group: 'client',
    input: 'a sixth secret',
    calls: { 'clients.addSecret': ({ fullClientId }) => ['acc_full', fullClientId] },
    code: 'too_many_secrets',
  },
  ...Object.entries(noTimes).map(([what, at]) =>
    invalid(
      `${what} for the time`,
      { 'clients.expireSecret': ({ clientId, secretId }) => ['acc_own', clientId, secretId, { at }] },
      'at: milliseconds since 1970, a whole number.',
    ),
  ),
  ...Object.entries<(world: World) => unknown>({
    'a text that is not a token': () => 'SECRET',
    'an empty token': () => '',
    'a token of another account': ({ foreign }) => foreign.token,
    'an expired token': ({ expiredToken }) => expiredToken,
  }).map(([input, tokenOf]) => unknown(input, { 'clients.revokeToken': (world) => ['acc_own', tokenOf(world)] })),
];
