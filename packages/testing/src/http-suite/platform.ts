import { createHmac } from 'node:crypto';
import { type Account, createPartnerkit, type HttpResponse, type Route } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';

/** 150 bytes: longer than some routers take for a parameter. */
export const longId = `org_${'x'.repeat(146)}`;

const accounts: readonly Account[] = [
  { id: 'org_parent', name: 'Parent', status: 'active', environment: 'prod' },
  { id: 'org_main', name: 'Gîte des Érables 🏡', status: 'active', environment: 'prod', parentId: 'org_parent' },
  { id: 'org_child', name: 'Child', status: 'closed', environment: 'prod', parentId: 'org_main' },
  { id: 'org/ü 1', name: 'Odd id', status: 'active', environment: 'prod', parentId: 'org_main' },
  { id: longId, name: 'Long id', status: 'active', environment: 'prod', parentId: 'org_main' },
  { id: 'org_grandchild', name: 'Grandchild', status: 'active', environment: 'prod', parentId: 'org_child' },
  { id: 'org_dev', name: 'Child of another environment', status: 'active', environment: 'dev', parentId: 'org_main' },
  { id: 'org_stranger', name: 'Stranger', status: 'active', environment: 'prod' },
  { id: 'org_suspended', name: 'Suspended', status: 'suspended', environment: 'prod' },
];

const text = (status: number, body: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
});
const webhookSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/** What the cases of the suite talk to, and talk with. */
export interface Platform {
  readonly routes: readonly Route[];
  readonly clientId: string;
  readonly clientSecret: string;
  readonly token: string;
  readonly expiredToken: string;
  /** Of an account that was suspended after the login. */
  readonly suspendedToken: string;
  sign(body: string): string;
}

/** The same platform for every framework: memory adapters, and a few routes of the host's own. */
export const createPlatform = async (receiver: ((secret: string) => Route) | undefined): Promise<Platform> => {
  const tokens = memoryAccessTokens();
  const kit = createPartnerkit({
    accounts: memoryAccounts(accounts),
    storage: memoryStorage(),
    tokens: { ...tokens, jwks: async () => ({ keys: [{ kty: 'EC', crv: 'P-256', kid: 'k1' }] }) },
    sender: memorySender(),
    sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
    objects: [],
    loginLimits: {
      perClientAndAddress: { points: 1_000, window: 60_000 },
      perAddress: { points: 1_000, window: 60_000 },
    },
  });
  const add = async (accountId: string) => {
    const added = await kit.clients.add(accountId, { name: 'suite' });
    if (added.isErr()) throw new Error(`The key was not added: ${added.error.code}.`);
    return added.value;
  };
  const { client, secretId, secret } = await add('org_main');
  const suspended = await add('org_suspended');
  const now = Math.floor(Date.now() / 1_000);
  const issue = (clientId: string, accountId: string, of: string, expiresAt: number): Promise<string> =>
    tokens.issue({
      clientId,
      accountId,
      environment: 'prod',
      secretId: of,
      scope: 'USER',
      jti: `${clientId}.${expiresAt}`,
      issuedAt: now - 60,
      expiresAt,
    });

  const own = '/organisations/:organisationId';
  return {
    routes: [
      ...kit.routes,
      kit.accountRoute('GET', `${own}/notes/:noteId`, async ({ account, scope }, _request, { noteId }) =>
        text(200, `${account.id} ${noteId} ${scope}`),
      ),
      kit.accountRoute('PUT', `${own}/notes/:noteId`, async (_caller, { body }) =>
        text(200, body instanceof Uint8Array ? new TextDecoder().decode(body) : JSON.stringify(body)),
      ),
      kit.accountRoute('DELETE', `${own}/notes/:noteId`, async () => ({ status: 204, headers: {}, body: '' })),
      kit.accountRoute('GET', `${own}/broken`, async () => {
        throw new Error('a secret of the platform');
      }),
      ...(receiver ? [receiver(webhookSecret)] : []),
    ],
    clientId: client.id,
    clientSecret: secret,
    token: await issue(client.id, 'org_main', secretId, now + 3_600),
    expiredToken: await issue(client.id, 'org_main', secretId, now - 1),
    suspendedToken: await issue(suspended.client.id, 'org_suspended', suspended.secretId, now + 3_600),
    sign: (body) => createHmac('sha1', webhookSecret).update(body).digest('hex'),
  };
};
