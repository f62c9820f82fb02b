import { type AttackTarget, bearer, type HttpAttack, shown } from './attack.ts';

/** 403 and 426 come from proxies; 0: a server closes the connection on a target that is none. */
const refused = [0, 400, 403, 404, 405, 414, 426, 431, 501];

const attack = (name: string, target: (victim: AttackTarget) => string, method = 'GET'): HttpAttack => ({
  group: 'paths',
  name,
  request: (victim) => ({ method, target: target(victim), headers: [bearer(victim.token)] }),
  status: refused,
  work: 'call',
});

const up = [
  ...['..', '.', '...', '....', '%2e%2e', '%2E%2E', '.%2e', '%2e.', '%252e%252e', '%25252e%25252e'],
  ...[
    '..%2f',
    '..%2F',
    '%2e%2e%2f',
    '..%5c',
    '..%5C',
    '%2e%2e%5c',
    '..%252f',
    '..%255c',
    '..;',
    '..;a=b',
    '..%3b',
    '..%00',
  ],
  ...[
    '.%00.',
    '..%0d',
    '..%20',
    '..%09',
    '....%2f%2f',
    '.%2f..',
    '%c0%ae%c0%ae',
    '%c0%2e',
    '%e0%80%ae',
    '%f0%80%80%ae',
  ],
  ...[
    '..%c0%af',
    '..%c1%9c',
    '..%e2%88%95',
    '..%ef%bc%8f',
    '%u002e%u002e',
    '%ef%bc%8e%ef%bc%8e',
    '%e2%80%a4%e2%80%a4',
    '\\..',
    '..\\',
  ],
];
const places: Readonly<Record<string, (step: string, victim: AttackTarget) => string>> = {
  'for the account': (step) => `/organisations/${step}/me`,
  'after the account': (step, { accountId }) => `/organisations/${accountId}${step}/me`,
  'before the account': (step, { accountId }) => `/organisations/${step}${accountId}/me`,
  'between own and foreign account': (step, { accountId, foreignAccountId }) =>
    `/organisations/${accountId}/${step}/${foreignAccountId}/me`,
  'after own, before foreign': (step, { accountId, foreignAccountId }) =>
    `/organisations/${accountId}%2f${step}%2f${foreignAccountId}/me`,
  'before the collection': (step, { foreignAccountId }) => `/${step}/organisations/${foreignAccountId}/me`,
  'at the end': (step, { accountId }) => `/organisations/${accountId}/me/${step}`,
  'instead of the resource': (step, { accountId }) => `/organisations/${accountId}/${step}`,
};
const traversals = up.flatMap((step) =>
  Object.entries(places).map(([where, path]) =>
    attack(`"${step}" ${where}`, (victim) => `${victim.basePath}${path(step, victim)}`),
  ),
);

/** Every byte, encoded, beside the id of the account. */
const bytes = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).padStart(2, '0')}`).flatMap((encoded) => [
  attack(
    `${encoded} after the account`,
    ({ basePath, accountId }) => `${basePath}/organisations/${accountId}${encoded}/me`,
  ),
  attack(
    `${encoded} before the account`,
    ({ basePath, accountId }) => `${basePath}/organisations/${encoded}${accountId}/me`,
  ),
]);

const encodings = [
  '%',
  '%z',
  '%zz',
  '%f',
  '%fz',
  '%ff',
  '%C3',
  '%C3%28',
  '%ED%A0%80',
  '%c0%af',
  '%u0041',
  '%%41',
  '%25zz',
  '%e2%82',
  '%f0%9f',
].map((text) => attack(`the encoding ${text}`, ({ basePath }) => `${basePath}/organisations/${text}/me`));

const ids = [
  ...[
    '*',
    '-',
    '_',
    '~',
    '%20',
    '+',
    'null',
    'undefined',
    'true',
    'NaN',
    '0',
    '-1',
    '1e9',
    '[object%20Object]',
    '{}',
    '[]',
    '$ne',
    '%24ne',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    ':organisationId',
    '%3AorganisationId',
    '{organisationId}',
  ],
  ...[
    "'",
    '%27%20or%201=1--',
    '%22',
    '%3Cscript%3E',
    '%0d%0aX-Injected:%201',
    '%00',
    'a'.repeat(257),
    '%C3%A9'.repeat(129),
    'a'.repeat(4_000),
  ],
  ...[
    '%F0%9F%8F%A1',
    '%E2%80%AE',
    '%EF%BB%BF',
    '%C2%A0',
    '%E3%80%80',
    '%EF%BC%8F',
    '%23%7B7*7%7D',
    '%7B%7B7*7%7D%7D',
    '@',
    '%40',
    'a@b',
    'a:b',
  ],
].map((id) => attack(`the account id ${shown(id)}`, ({ basePath }) => `${basePath}/organisations/${id}/me`));

/** Bytes that look like slashes, points or nothing, in every second place of a foreign path. */
const lookalikes = [
  '%E2%81%84',
  '%E2%88%95',
  '%EF%BC%8F',
  '%E2%A7%B8',
  '%E2%80%8B',
  '%C2%AD',
  '%E2%80%AE',
  '%EF%BB%BF',
  '%EF%BC%8E',
].flatMap((letter) => [
  attack(
    `${letter} instead of the slash before the resource`,
    ({ basePath, foreignAccountId }) => `${basePath}/organisations/${foreignAccountId}${letter}me`,
  ),
  attack(
    `${letter} in the foreign account`,
    ({ basePath, foreignAccountId: id }) => `${basePath}/organisations/${id.slice(0, 1)}${letter}${id.slice(1)}/me`,
  ),
  attack(
    `${letter} in the resource of the own account`,
    ({ basePath, accountId }) => `${basePath}/organisations/${accountId}/m${letter}e`,
  ),
]);

const foreign: readonly HttpAttack[] = [
  ...Object.entries<(victim: AttackTarget) => string>({
    'the foreign account': ({ foreignAccountId: id }) => id,
    'the foreign account, percent-encoded': ({ foreignAccountId: id }) =>
      [...Buffer.from(id)].map((byte) => `%${byte.toString(16)}`).join(''),
    'the foreign account in capitals': ({ foreignAccountId: id }) => id.toUpperCase().concat('%20'),
    'own and foreign account with a comma': ({ accountId, foreignAccountId }) => `${accountId},${foreignAccountId}`,
    'own and foreign account with a semicolon': ({ accountId, foreignAccountId }) => `${accountId};${foreignAccountId}`,
    'own and foreign account with an ampersand': ({ accountId, foreignAccountId }) =>
      `${accountId}&${foreignAccountId}`,
    'foreign and own account with a bar': ({ accountId, foreignAccountId }) => `${foreignAccountId}%7C${accountId}`,
    'the foreign account with a parameter': ({ accountId, foreignAccountId }) => `${foreignAccountId};id=${accountId}`,
  }).map(([name, id]) => attack(name, (victim) => `${victim.basePath}/organisations/${id(victim)}/me`)),
  ...['organisationId', 'accountId', 'account', 'id', 'organisation_id', 'organisationId[]'].map((name) =>
    attack(
      `the foreign account, and the own one in the query as ${name}`,
      ({ basePath, accountId, foreignAccountId }) =>
        `${basePath}/organisations/${foreignAccountId}/me?${name}=${accountId}`,
    ),
  ),
];

const spellings: readonly HttpAttack[] = Object.entries<(own: string, victim: AttackTarget) => string>({
  'a slash at the end': (own) => `${own}/`,
  'two slashes at the beginning': (own) => `/${own}`,
  'two slashes in the middle': (own) => own.replace('/organisations', '//organisations'),
  'the resource in capitals': (own) => own.replace(/me$/, 'ME'),
  'the path in capitals': (own) => own.toUpperCase(),
  'the collection in capitals': (own) => own.replace('organisations', 'Organisations'),
  'an encoded letter of the resource': (own) => own.replace(/me$/, '%6De'),
  'an encoded slash before the resource': (own) => own.replace(/\/me$/, '%2Fme'),
  'an encoded slash after the collection': (own) => own.replace('organisations/', 'organisations%2F'),
  backslashes: (own) => own.replaceAll('/', '\\'),
  'a backslash before the resource': (own) => own.replace(/\/me$/, '\\me'),
  'a suffix .json': (own) => `${own}.json`,
  'a suffix .php': (own) => `${own}.php`,
  'a matrix parameter': (own) => `${own};a=b`,
  'a resource more': (own) => `${own}/more`,
  'no resource': (own) => own.replace(/\/me$/, ''),
  'no account': (own, { accountId }) => own.replace(`/${accountId}`, ''),
  'no slash at the beginning': (own) => own.slice(1),
  'an asterisk': () => '*',
  'nothing but a question mark': () => '?',
  'an authority': () => 'host.example:443',
  'another scheme': () => 'ftp://host.example/',
  'a scheme without an authority': (own) => `http:${own}`,
  'a file of the system': () => '/etc/passwd',
  'a file of an environment': ({ length }) => `/.env?${length}`,
  'a repository': () => '/.git/config',
  'a space in the target': (own) => `${own} HTTP/1.1 x`,
  'a tab in the target': (own) => `${own}\tx`,
  'a target of 20,000 letters': (own) => `${own}${'x'.repeat(20_000)}`,
  'a query of 20,000 letters': (own) => `${own.replace(/me$/, 'no')}?${'x'.repeat(20_000)}`,
}).map(([name, path]) =>
  attack(name, (victim) => path(`${victim.basePath}/organisations/${victim.accountId}/me`, victim)),
);

const verbs = [
  'DELETE',
  'PUT',
  'PATCH',
  'POST',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'MOVE',
  'LOCK',
  'SEARCH',
  'QUERY',
  'BREW',
  'get',
  'Get',
  'GET2',
];
const methods: readonly HttpAttack[] = verbs.flatMap((method) => [
  attack(
    `the method ${method} of an account`,
    ({ basePath, accountId }) => `${basePath}/organisations/${accountId}/me`,
    method,
  ),
  ...(method === 'POST'
    ? []
    : [attack(`the method ${method} of the login`, ({ basePath }) => `${basePath}/login`, method)]),
]);

/**
 * Targets that must lead to nothing: traversal, encodings, foreign accounts, spellings, methods.
 * @public
 */
export const pathAttacks: readonly HttpAttack[] = [
  ...traversals,
  ...bytes,
  ...encodings,
  ...ids,
  ...lookalikes,
  ...foreign,
  ...spellings,
  ...methods,
];
