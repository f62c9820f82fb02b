import { invalidToken, missingToken, notAllowed, notFound, problem } from './answers.ts';
import type { HttpCase } from './http-case.ts';
import { longId } from './platform.ts';
import { account, as, basic, get, mainAccount, me } from './requests.ts';

/** @internal */
export const accountCases: readonly HttpCase[] = [
  { name: 'the own account', request: me('org_main'), ...mainAccount },
  { name: 'a child, whatever its status', request: me('org_child'), ...account('org_child', 'Child', 'closed') },
  { name: 'an id that is percent-encoded', request: me('org%2F%C3%BC%201'), ...account('org/ü 1', 'Odd id') },
  { name: 'an id of 150 bytes', request: me(longId), ...account(longId, 'Long id') },
  { name: 'the own account by HEAD', request: as('/organisations/org_main/me', 'HEAD'), ...mainAccount, body: '' },
  { name: 'the own account with a query', request: as('/organisations/org_main/me?x=%zz'), ...mainAccount },
  {
    name: 'the own account with the scheme in lower case',
    request: ({ token }) => get('/organisations/org_main/me', { authorization: `bearer ${token}` }),
    ...mainAccount,
  },
  {
    name: 'the own account with a body',
    request: (platform) => ({
      ...me('org_main')(platform),
      body: 'x',
      headers: { ...me('org_main')(platform).headers, 'content-type': 'text/plain' },
    }),
    ...mainAccount,
  },
  ...[
    'org_parent',
    'org_grandchild',
    'org_stranger',
    'org_dev',
    'org_absent',
    'ORG_MAIN',
    'org_main%20',
    'org%00main',
    'x'.repeat(300),
  ].map((id): HttpCase => ({ name: `out of reach: ${id.slice(0, 40)}`, request: me(id), ...notFound })),
  {
    name: 'no token',
    request: () => get('/organisations/org_main/me'),
    ...missingToken,
  },
  {
    name: 'a token that is none',
    request: () => get('/organisations/org_main/me', { authorization: 'Bearer nonsense' }),
    ...invalidToken,
  },
  {
    name: 'an expired token',
    request: ({ expiredToken }) => get('/organisations/org_main/me', { authorization: `Bearer ${expiredToken}` }),
    ...invalidToken,
  },
  {
    name: 'a token with a blank in it',
    request: ({ token }) => get('/organisations/org_main/me', { authorization: `Bearer ${token} x` }),
    ...invalidToken,
  },
  {
    name: 'a token of another scheme',
    request: ({ token }) => get('/organisations/org_main/me', { authorization: `Token ${token}` }),
    ...missingToken,
  },
  {
    name: 'credentials instead of a token',
    request: ({ clientId, clientSecret }) =>
      get('/organisations/org_main/me', { authorization: basic(clientId, clientSecret) }),
    ...missingToken,
  },
  {
    name: 'two tokens',
    request: ({ token }) =>
      get('/organisations/org_main/me', { authorization: [`Bearer ${token}`, `Bearer ${token}`] }),
    ...invalidToken,
  },
  {
    name: 'a token of 15,000 bytes',
    request: () => get('/organisations/org_main/me', { authorization: `Bearer ${'x'.repeat(15_000)}` }),
    ...invalidToken,
  },
  {
    name: 'a token of a suspended account',
    request: ({ suspendedToken }) =>
      get('/organisations/org_suspended/me', { authorization: `Bearer ${suspendedToken}` }),
    ...problem(403, 'account_not_active', 'The account of this client may not use the interface.'),
  },
  { name: 'the account by POST', request: as('/organisations/org_main/me', 'POST'), ...notAllowed('GET, HEAD') },
  { name: 'the account by DELETE', request: as('/organisations/org_main/me', 'DELETE'), ...notAllowed('GET, HEAD') },
];
