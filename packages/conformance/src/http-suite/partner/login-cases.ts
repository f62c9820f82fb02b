import { refused } from '../support/answers.ts';
import { bad, type HttpCase } from '../support/http-case.ts';
import { base, basic, byForm, credentials, type Fields, isGranted, jsonType, login, loginWith } from './requests.ts';

const served: readonly HttpCase[] = [
  { name: 'login by JSON', request: loginWith((fields) => fields), ...isGranted },
  {
    name: 'login in chunks',
    request: (platform) => ({ ...loginWith((fields) => fields)(platform), chunked: true }),
    ...isGranted,
  },
  {
    name: 'login with a query in the target',
    request: (platform) => ({ ...loginWith((fields) => fields)(platform), target: `${base}/login?x=1` }),
    ...isGranted,
  },
  {
    name: 'login with an unknown parameter',
    request: loginWith((fields) => ({ ...fields, audience: 'x', deep: { client_id: 1 } })),
    ...isGranted,
  },
];

const without = (name: string): ((platform: Parameters<HttpCase['request']>[0]) => ReturnType<HttpCase['request']>) =>
  loginWith((fields) => Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name)));
const invalid = (detail: string) => refused(400, 'invalid_request', detail);
const invalidScope = refused(400, 'invalid_scope', 'scope must be USER, or rights such as requests:read.');
const otherGrant = refused(400, 'unsupported_grant_type', 'grant_type must be client_credentials.');
const noStrings = invalid('The parameters are strings in one JSON object or form.');
const noGrant = invalid('grant_type is missing.');

const parameters: readonly HttpCase[] = [
  ...['client_id', 'client_secret', 'grant_type'].flatMap((name): HttpCase[] => [
    { name: `login without a ${name}`, request: without(name), ...invalid(`${name} is missing.`) },
    {
      name: `login with an empty ${name}`,
      request: loginWith((fields) => ({ ...fields, [name]: '' })),
      ...invalid(`${name} is missing.`),
    },
  ]),
  ...['password', 'refresh_token', 'Client_Credentials', 'client_credentials '].map(
    (grant): HttpCase => ({
      name: `login with the grant_type "${grant}"`,
      request: loginWith((fields) => ({ ...fields, grant_type: grant })),
      ...otherGrant,
    }),
  ),
  { name: 'login without a scope', request: without('scope'), ...invalidScope },
  ...['', 'ADMIN', 'user', 'USER ADMIN', 'USER '].map(
    (scope): HttpCase => ({
      name: `login with the scope "${scope}"`,
      request: loginWith((fields) => ({ ...fields, scope })),
      ...invalidScope,
    }),
  ),
  ...[1, true, null, ['a'], { id: 'a' }].map(
    (value): HttpCase => ({
      name: `login with ${JSON.stringify(value)} for the client_id`,
      request: loginWith((fields) => ({ ...fields, client_id: value })),
      ...noStrings,
    }),
  ),
  {
    name: 'login with a number for the client_secret',
    request: loginWith((fields) => ({ ...fields, client_secret: 1 })),
    ...noStrings,
  },
  {
    name: 'login with the parameters inside "data"',
    request: loginWith((fields) => ({ data: fields })),
    ...noGrant,
  },
  {
    name: 'login with the parameters inside "__proto__"',
    request: (platform) => login(`{"__proto__":${JSON.stringify(credentials(platform))}}`),
    ...noGrant,
  },
  {
    name: 'login with the parameters in the query',
    request: (platform) => ({
      ...login('{}'),
      target: `${base}/login?${new URLSearchParams(credentials(platform))}`,
    }),
    ...noGrant,
  },
  {
    name: 'login with "client_id[]" in a form',
    request: (platform) => {
      const { client_id: id = '', ...fields }: Fields = credentials(platform);
      return byForm({ ...fields, 'client_id[]': id });
    },
    ...invalid('client_id is missing.'),
  },
];

const mechanisms: readonly HttpCase[] = [
  {
    name: 'login with credentials in two places',
    request: (platform) =>
      login(JSON.stringify(credentials(platform)), {
        ...jsonType,
        authorization: basic(platform.clientId, platform.clientSecret),
      }),
    ...invalid('Credentials came in the body and by HTTP Basic; use one of them.'),
  },
  {
    name: 'login by HTTP Basic with another client_id in the body',
    request: ({ clientId, clientSecret }) =>
      login('{"client_id":"x","grant_type":"client_credentials","scope":"USER"}', {
        ...jsonType,
        authorization: basic(clientId, clientSecret),
      }),
    ...invalid('client_id differs from the one sent by HTTP Basic.'),
  },
];

/** Successful logins, and invalid parameters. */
export const loginCases: readonly HttpCase[] = [...served, ...bad('login', [...parameters, ...mechanisms])];
