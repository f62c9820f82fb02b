import type { AddressInfo } from 'node:net';
import { type Account, createPartnerkit, type PartnerkitOptions, type Route, type Signal } from '@partnerkit/core';
import {
  type MemoryTransaction,
  memoryAccessTokens,
  memoryAccounts,
  memorySender,
  memoryStorage,
} from '@partnerkit/core/memory';
import { type FastifyInstance, type FastifyServerOptions, fastify } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import { type FastifyRoutesOptions, fastifyRoutes } from '../../src/index.ts';
import { type Address, ask } from './wire.ts';

export const basePath = '/api/v1/partner';
export const loginPath = `${basePath}/login`;
export const mePath = (accountId: string, base = basePath): string =>
  `${base}/organisations/${encodeURIComponent(accountId)}/me`;

const account = (id: string, parentId?: string): Account => ({
  id,
  name: `Hôtel « ${id.slice(0, 12)} » ☀`,
  status: 'active',
  environment: 'prod',
  ...(parentId === undefined ? {} : { parentId }),
});

export const own = account('acc_own', 'acc_parent');
export const child = { ...account('acc_child', 'acc_own'), status: 'closed' };
/** Children of `own` whose ids a router may stumble over. */
export const oddChildren = [
  'a'.repeat(101),
  'b'.repeat(150),
  'c'.repeat(256),
  'é'.repeat(128),
  'a/b',
  'a b+c',
  'été ?#;=&%2F',
  '..',
  '*',
  ':organisationId',
  'me',
].map((id) => account(id, 'acc_own'));
/** Children whose ids are longer than an id may be. */
export const tooLongChildren = ['d'.repeat(257), 'é'.repeat(129)].map((id) => account(id, 'acc_own'));
const accounts = memoryAccounts([
  own,
  child,
  ...oddChildren,
  ...tooLongChildren,
  account('acc_parent'),
  account('acc_grandchild', 'acc_child'),
  account('acc_stranger'),
]);

type KitOptions = Partial<Omit<PartnerkitOptions<MemoryTransaction, []>, 'objects'>>;

/** A kit on memory, and the signals that it gave. */
export const memoryKit = (options: KitOptions = {}) => {
  const signals: Signal[] = [];
  const kit = createPartnerkit({
    accounts,
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
    objects: [],
    observe: (signal) => signals.push(signal),
    ...options,
  });
  return { ...kit, signals };
};
export type MemoryKit = ReturnType<typeof memoryKit>;

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** "Add a key" in the web interface. */
export const addClient = async (kit: MemoryKit, accountId = own.id): Promise<Credentials> => {
  const { client, secret } = (await kit.clients.create(accountId, { name: 'Booking system' }))._unsafeUnwrap();
  return { client_id: client.id, client_secret: secret };
};

export const grantOf = (credentials: Credentials) => ({
  ...credentials,
  grant_type: 'client_credentials',
  scope: 'USER',
});

export interface Host extends Address {
  readonly app: FastifyInstance;
  readonly origin: string;
}

/** Listens on a real socket until the test is over. */
export const listen = async (app: FastifyInstance): Promise<Host> => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { app, port, origin: `http://127.0.0.1:${port}` };
};

export interface HostOptions {
  readonly kit: MemoryKit;
  /** Mounted beside the kit's. */
  readonly routes?: readonly Route[];
  readonly server?: FastifyServerOptions;
  readonly clientAddress?: FastifyRoutesOptions['clientAddress'];
  /** What the host does before it registers us. */
  readonly before?: (app: FastifyInstance) => void;
  readonly after?: (app: FastifyInstance) => void;
}

/** A host that mounts a kit. */
export const startHost = async ({
  kit,
  routes = [],
  server = {},
  clientAddress,
  before,
  after,
}: HostOptions): Promise<Host> => {
  const app = fastify({ forceCloseConnections: true, ...server });
  before?.(app);
  await app.register(fastifyRoutes, {
    routes: [...kit.routes, ...routes],
    ...(clientAddress ? { clientAddress } : {}),
  });
  after?.(app);
  return listen(app);
};

/** The `Authorization` of a fresh token, obtained over the socket. */
export const logIn = async (
  host: Address,
  credentials: Credentials,
  path = loginPath,
): Promise<{ authorization: string }> => {
  const answer = await ask(host, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(grantOf(credentials)),
  });
  expect(answer.status).toBe(200);
  return { authorization: `Bearer ${JSON.parse(answer.body).access_token}` };
};

/** The usual beginning: a host, and a client of `own` that has logged in. */
export const startLoggedIn = async (options: Omit<HostOptions, 'kit'> & { readonly kit?: MemoryKit } = {}) => {
  const kit = options.kit ?? memoryKit();
  const host = await startHost({ ...options, kit });
  const credentials = await addClient(kit);
  return { kit, host, credentials, headers: await logIn(host, credentials) };
};

/** Status and body of a problem document, checked for the headers that each carries. */
export const assertProblem = (
  answer: { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly body: string },
  status: number,
  code: string,
): void => {
  expect({ status: answer.status, type: answer.headers['content-type'] }).toEqual({
    status,
    type: 'application/problem+json',
  });
  expect(JSON.parse(answer.body)).toMatchObject({ status, code });
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers['cache-control']).toBe('no-store');
};
