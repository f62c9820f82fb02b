import {
  type AttackRequest,
  type AttackTarget,
  credentials,
  formType,
  type HttpAttack,
  jsonType,
  login,
  shown,
} from './attack.ts';
import { byForm, byJson, grant, loginAttack } from './login-attack.ts';
import { loginBodies } from './login-bodies.ts';
import { loginKeys } from './login-keys.ts';

const basic = (id: string, secret: string) =>
  ['Authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`] as const;

const names = ['client_id', 'client_secret', 'grant_type', 'scope'] as const;
const notTexts = [0, 1, -1, 1.5, true, false, null, [], ['a'], {}, { a: 'a' }, { length: 1 }, [[]]];

/** Parameters of a wrong type, missing, or repeated. */
const parameters: readonly HttpAttack[] = names.flatMap((name) => [
  ...notTexts.map((value) =>
    loginAttack(
      `a login whose ${name} is ${JSON.stringify(value)}`,
      byJson((fields) => ({ ...fields, [name]: value })),
      [400],
    ),
  ),
  loginAttack(
    `a login without ${name}`,
    byJson((fields) => ({ ...fields, [name]: undefined })),
    [400],
  ),
  loginAttack(
    `a login with an empty ${name}`,
    byJson((fields) => ({ ...fields, [name]: '' })),
    [400],
  ),
  loginAttack(
    `a form without ${name}`,
    (target) => byForm(target, Object.fromEntries(Object.entries(credentials(target)).filter(([key]) => key !== name))),
    [400],
  ),
  loginAttack(
    `a form with ${name}[]`,
    (target) => {
      const { [name]: value, ...others } = credentials(target);
      return byForm(target, { ...others, [`${name}[]`]: value });
    },
    [400],
  ),
  loginAttack(
    `a form with ${name}[0]`,
    (target) => {
      const { [name]: value, ...others } = credentials(target);
      return byForm(target, { ...others, [`${name}[0]`]: value });
    },
    [400],
  ),
  loginAttack(
    `a form with ${name} twice`,
    (target) => {
      const body = new URLSearchParams(credentials(target));
      body.append(name, credentials(target)[name]);
      return login(target, body.toString(), formType);
    },
    [400],
  ),
  loginAttack(
    `JSON with ${name} twice`,
    (target) => login(target, JSON.stringify(credentials(target)).replace('{', `{"${name}":"x",`)),
    [400],
  ),
  loginAttack(
    `JSON with ${name} twice, once escaped`,
    (target) =>
      login(
        target,
        JSON.stringify(credentials(target)).replace(
          '{',
          `{"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":"x",`,
        ),
      ),
    [400],
  ),
]);

const otherGrants: readonly HttpAttack[] = [
  ...[
    'password',
    'refresh_token',
    'authorization_code',
    'implicit',
    'Client_Credentials',
    'CLIENT_CREDENTIALS',
    'client-credentials',
  ],
  ...[
    'client_credentials ',
    ' client_credentials',
    'client_credentials\u0000',
    'client_credentials,password',
    'client_credentials password',
  ],
  ...[
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    '__proto__',
    'x'.repeat(2_000),
  ],
].map((value) =>
  loginAttack(
    `a login with the grant "${shown(value)}"`,
    byJson((fields) => ({ ...fields, grant_type: value })),
    [400],
  ),
);

const otherScopes: readonly HttpAttack[] = [
  ...[
    'ADMIN',
    'user',
    'User',
    'USER ADMIN',
    'USER USER',
    'USER ',
    ' USER',
    'USER\u0000',
    'USER,ADMIN',
    '*',
    'openid',
    '__proto__',
  ],
  ...['USER\n', 'USER\tADMIN', 'ＵＳＥＲ', 'x'.repeat(2_000)],
].map((value) =>
  loginAttack(
    `a login with the scope "${shown(value)}"`,
    byJson((fields) => ({ ...fields, scope: value })),
    [400],
  ),
);

const bearers: Readonly<Record<string, (target: AttackTarget) => AttackRequest['headers']>> = {
  'an empty Basic': () => [['Authorization', 'Basic']],
  'Basic that is no Base64': () => [['Authorization', 'Basic !!!!']],
  'Basic without a colon': () => [['Authorization', `Basic ${Buffer.from('abc').toString('base64')}`]],
  'Basic of a colon': () => [['Authorization', 'Basic Og==']],
  'Basic of bytes that are not UTF-8': () => [['Authorization', 'Basic //86/w==']],
  'Basic with a comma': () => [['Authorization', 'Basic YTpi, Basic YTpi']],
  'two Basic headers': () => [basic('a', 'b'), basic('a', 'b')],
  'a token and Basic': ({ token }) => [['Authorization', `Bearer ${token}`], basic('a', 'b')],
  'Basic with an unknown client': () => [basic('nobody', 'secret')],
  'Basic with a wrong secret': ({ clientId }) => [basic(clientId, 'wrong')],
  'Basic with both in each other’s place': ({ clientId, clientSecret }) => [basic(clientSecret, clientId)],
  'Basic with a percent sign': ({ clientId }) => [basic(`${clientId}%`, '%')],
  'Basic of 10,000 letters': () => [basic('x'.repeat(4_000), 'y'.repeat(3_000))],
  Digest: () => [['Authorization', 'Digest username="a", realm="b"']],
  Negotiate: () => [['Authorization', 'Negotiate YII=']],
};
const headers: readonly HttpAttack[] = [
  ...Object.entries(bearers).map(([what, lines]) =>
    loginAttack(
      `a login by ${what}`,
      (target) => login(target, grant, formType, ...lines(target)),
      [400, 401, 429, 431],
      'login',
    ),
  ),
  loginAttack(
    'credentials in two places',
    (target) =>
      login(target, JSON.stringify(credentials(target)), jsonType, basic(target.clientId, target.clientSecret)),
    [400],
  ),
  loginAttack(
    'another client_id beside Basic',
    (target) => login(target, `${grant}&client_id=x`, formType, basic(target.clientId, target.clientSecret)),
    [400],
  ),
  loginAttack(
    'credentials in the query',
    (target) => ({
      ...login(target, '{}'),
      target: `${target.basePath}/login?${new URLSearchParams(credentials(target))}`,
    }),
    [400],
  ),
  loginAttack(
    'credentials in a cookie',
    (target) =>
      login(target, grant, formType, ['Cookie', `client_id=${target.clientId}; client_secret=${target.clientSecret}`]),
    [400],
  ),
  loginAttack(
    'a client assertion',
    byJson(() => ({
      grant_type: 'client_credentials',
      scope: 'USER',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: 'a.b.c',
    })),
    [401, 429],
    'login',
  ),
];

/**
 * Logins that must be refused: wrong credentials, malformed bodies, other types and encodings, other grants.
 * @public
 */
export const loginAttacks: readonly HttpAttack[] = [
  ...parameters,
  ...otherGrants,
  ...otherScopes,
  ...loginKeys,
  ...loginBodies,
  ...headers,
];
