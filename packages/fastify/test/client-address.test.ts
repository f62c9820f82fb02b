import type { Route } from '@partnerkit/core';
import type { IncomingRequest } from '@partnerkit/core/adapter';
import { type FastifyRequest, fastify } from 'fastify';
import { describe, expect, test } from 'vitest';
import { fastifyRoutes } from '../src/index.ts';
import { addClient, grantOf, loginPath, memoryKit, startHost } from './support/host.ts';
import { type Address, ask } from './support/wire.ts';

const forwardedFor = (request: FastifyRequest): string | undefined => {
  const value = request.headers['x-forwarded-for'];
  return typeof value === 'string' ? value : undefined;
};

/** Shows which address a route is given. */
const addressSeen = async (
  clientAddress: ((request: FastifyRequest) => string | undefined) | undefined,
  server: object = {},
) => {
  const seen: IncomingRequest[] = [];
  const route: Route = {
    path: '/seen',
    methods: ['GET'],
    maxBodyBytes: 0,
    handle: async (request) => {
      seen.push(request);
      return { status: 200, headers: {}, body: '' };
    },
  };
  const host = await startHost({
    kit: memoryKit(),
    routes: [route],
    server,
    ...(clientAddress ? { clientAddress } : {}),
  });
  await ask(host, '/seen', { headers: { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.2' } });
  return seen[0] as IncomingRequest;
};

describe('the caller’s address', () => {
  test('is the socket’s: no header changes it, and no trustProxy of the host', async () => {
    expect((await addressSeen(undefined)).remoteAddress).toBe('127.0.0.1');
    expect((await addressSeen(undefined, { trustProxy: true })).remoteAddress).toBe('127.0.0.1');
  });

  test('is what clientAddress says', async () => {
    expect((await addressSeen(forwardedFor)).remoteAddress).toBe('192.0.2.1');
    expect((await addressSeen((request) => request.ip, { trustProxy: true })).remoteAddress).toBe('192.0.2.1');
  });

  test('is typed in a registration: with the members that the routes read, or as the host annotates it', async () => {
    const { routes } = memoryKit();
    const app = fastify();
    await app.register(fastifyRoutes, { routes, clientAddress: (request) => request.ip });
    await app.register(fastifyRoutes, { routes: [], clientAddress: ({ hostname }: FastifyRequest) => hostname });
    // @ts-expect-error: no address is a number.
    app.register(fastifyRoutes, { routes: [], clientAddress: (request) => request.ip.length });
    await app.close();
  });

  test('is unknown when clientAddress does not know it', async () => {
    expect((await addressSeen(() => undefined)).remoteAddress).toBeUndefined();
  });
});

describe('login limits', () => {
  const limits = { perClientAndAddress: { points: 2, window: 60_000 } };
  const start = async (clientAddress?: typeof forwardedFor) => {
    const kit = memoryKit({ limits: { failedLogins: limits } });
    const host = await startHost({ kit, ...(clientAddress ? { clientAddress } : {}) });
    return { host, credentials: await addClient(kit) };
  };
  const attempt = async (host: Address, credentials: { client_id: string; client_secret: string }, address: string) => {
    const answer = await ask(host, loginPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(grantOf(credentials)),
    });
    return { status: answer.status, retryAfter: answer.headers['retry-after'] };
  };

  test('count failures of one address; other addresses and the right secret still log in', async () => {
    const { host, credentials } = await start(forwardedFor);
    const wrong = { ...credentials, client_secret: 'wrong' };
    const statuses: number[] = [];
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2']) {
      statuses.push((await attempt(host, wrong, address)).status);
    }
    expect(statuses).toEqual([401, 401, 429, 401]);
    expect((await attempt(host, wrong, '192.0.2.1')).retryAfter).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect((await attempt(host, credentials, '192.0.2.1')).status).toBe(200);
  });

  test('cannot be evaded by a header without clientAddress', async () => {
    const { host, credentials } = await start();
    const wrong = { ...credentials, client_secret: 'wrong' };
    const statuses: number[] = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      statuses.push((await attempt(host, wrong, address)).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
  });
});
