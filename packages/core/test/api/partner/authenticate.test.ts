import { describe, expect, test } from 'vitest';
import { loginToken, request, withoutRequestId } from '../../support/http.ts';
import { accounts, platform } from '../../support/kit.ts';

const world = async (options: Parameters<typeof platform>[0] = {}) => {
  const made = platform(options);
  const added = (await made.kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
  const token = (await loginToken(made.kit, added)) as string;
  const route = made.kit.accountRoute(
    'GET',
    '/organisations/:organisationId/notes',
    async (caller) => ({
      status: 200,
      headers: {},
      body: JSON.stringify(caller),
    }),
    { right: 'none' },
  );
  const headers = (authorization: string | undefined) => ({ headers: { authorization } });
  return {
    ...made,
    ...added,
    token,
    byRoute: (authorization: string | undefined, accountId: string) =>
      route.handle(request('GET', `/api/v1/partner/organisations/${accountId}/notes`, headers(authorization))),
    byHost: (authorization: string | undefined, accountId: string) =>
      made.kit.authenticate(request('GET', '/anything', headers(authorization)), accountId, 'none'),
  };
};

test('a caller is the one that an account route gets', async () => {
  const { byRoute, byHost, token, client } = await world();
  for (const accountId of ['acc_a', 'acc_child']) {
    const caller = (await byHost(`Bearer ${token}`, accountId))._unsafeUnwrap();
    expect([caller.account.id, caller.client.id, caller.scope]).toEqual([accountId, client.id, 'USER']);
    expect(JSON.parse((await byRoute(`Bearer ${token}`, accountId)).body)).toEqual(JSON.parse(JSON.stringify(caller)));
  }
});

describe('a refusal is the response of an account route', () => {
  test.each([
    ['no token', undefined, 'acc_a', 'missing_token'],
    ['a wrong token', 'Bearer x', 'acc_a', 'invalid_token'],
    ['an account out of reach', 'token', 'acc_b', 'not_found'],
    ['an absent account', 'token', 'acc_none', 'not_found'],
    ['an empty account', 'token', '', 'not_found'],
  ])('%s', async (_name, authorization, accountId, code) => {
    const { byRoute, byHost, token } = await world();
    const value = authorization === 'token' ? `Bearer ${token}` : authorization;
    const refused = (await byHost(value, accountId))._unsafeUnwrapErr();
    const { detail } = JSON.parse(refused.response.body);
    expect([refused.code, refused.message]).toEqual([code, detail]);
    if (accountId !== '')
      expect(withoutRequestId(refused.response)).toEqual(withoutRequestId(await byRoute(value, accountId)));
  });
});

test.each([
  ['the directory fails', 'accounts', 'unavailable', 503],
  ['mayUseApi throws', 'mayUseApi', 'internal', 500],
] as const)('when %s, the refusal is signalled with its request id', async (_name, broken, code, status) => {
  let fails = false;
  const failing = (name: string): void => {
    if (fails && name === broken) throw new Error('down');
  };
  const { byHost, token, signals } = await world({
    accounts: {
      find: async (id) => {
        failing('accounts');
        return accounts.find((account) => account.id === id);
      },
    },
    api: {
      mayUseApi: () => {
        failing('mayUseApi');
        return true;
      },
    },
  });
  fails = true;
  const refused = (await byHost(`Bearer ${token}`, 'acc_a'))._unsafeUnwrapErr();
  expect([refused.code, refused.response.status]).toEqual([code, status]);
  const requestId = refused.response.headers['x-request-id'];
  expect(signals.filter(({ kind }) => kind === 'request_failed')).toEqual([
    { kind: 'request_failed', requestId, status, error: { name: 'Error' } },
  ]);
});
