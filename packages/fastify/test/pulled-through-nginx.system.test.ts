import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { fastify } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sized } from '../../../tools/tests/effort.ts';
import { objects, sealingKeys } from '../../core/test/support/kit.ts';
import { serve as serveWithExpress } from '../../express/test/serve.ts';
import { webHandler } from '../../web/src/index.ts';
import { serve as serveFetch } from '../../web/test/bridge.ts';
import { startNginx } from '../../workshop/src/services/index.ts';
import { fastifyRoutes } from '../src/index.ts';
import { listen } from './support/host.ts';

const prefix = '/api/v1/partner';
/** Seconds of a wait without an event; the longest one in long tests. */
const wait = sized(5, 25);

const memoryKit = () =>
  createPartnerkit({
    ...{ objects, storage: memoryStorage(), tokens: memoryAccessTokens(), sender: memorySender() },
    ...{ advanced: { sealingKeys }, api: { webhooks: true } },
    accounts: memoryAccounts([{ id: 'acc_a', name: 'Own', status: 'active', environment: 'prod' }]),
  });
type Kit = ReturnType<typeof memoryKit>;

const hosts: Readonly<Record<string, (kit: Kit) => Promise<{ readonly port: number; close?(): Promise<void> }>>> = {
  Express: ({ routes }) => serveWithExpress(routes),
  Fastify: async ({ routes }) => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(fastifyRoutes, { routes });
    return listen(app);
  },
  'a fetch handler': ({ routes }) => {
    const handle = webHandler(routes);
    return serveFetch(async (request) => (await handle(request)) ?? new Response(null, { status: 404 }));
  },
};

describe.each(Object.entries(hosts))('a program that pulls from %s behind nginx', (_name, start) => {
  const world = async () => {
    const kit = memoryKit();
    const worker = kit.worker();
    worker.start();
    const { port, close } = await start(kit);
    const nginx = await startNginx({ to: { port }, install: true });
    onTestFinished(async () => {
      await nginx.stop();
      await close?.();
      await worker.stop();
    });
    const { client, secret } = (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
    const { endpoint } = (await kit.endpoints.create('acc_a', { kind: 'pull', events: ['payed'] }))._unsafeUnwrap();
    const granted = await fetch(`${nginx.url}${prefix}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ client_id: client.id, client_secret: secret, grant_type: 'client_credentials', scope: 'USER' },
      }),
    });
    const { access_token: token } = (await granted.json()) as { access_token: string };
    const ask = (query: string, signal?: AbortSignal) =>
      fetch(`${nginx.url}${prefix}/organisations/acc_a/webhooks/${endpoint.id}/events${query}`, {
        headers: { authorization: `Bearer ${token}` },
        ...(signal === undefined ? {} : { signal }),
      });
    const publish = async (): Promise<void> => {
      const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p1' } } as const;
      await kit.events.publish(event, { tx: 'new' });
    };
    return { ask, publish };
  };

  test('waits as long as it asked for, and goes on where it was', { timeout: 120_000 }, async () => {
    const { ask, publish } = await world();
    const since = Date.now();
    const first = await ask(`?wait=${wait}`);
    const page = (await first.json()) as { items: unknown[]; next: string };
    expect([first.status, page.items]).toEqual([200, []]);
    expect(Date.now() - since).toBeGreaterThan((wait - 1) * 1_000);
    const second = ask(`?wait=25&after=${page.next}`);
    await publish();
    expect(await (await second).json()).toMatchObject({ items: [{ body: expect.stringContaining('"p1"') }] });
  });

  test('frees its four places when it goes away', { timeout: 120_000 }, async () => {
    const { ask } = await world();
    const gone = new AbortController();
    const waiting = Array.from({ length: 4 }, () => ask('?wait=25', gone.signal).catch(() => undefined));
    await expect.poll(async () => (await ask('?wait=1')).status, { timeout: 20_000 }).toBe(429);
    gone.abort();
    await Promise.all(waiting);
    // Their waits have some 20 seconds left.
    await expect.poll(async () => (await ask('?wait=1')).status, { timeout: 10_000 }).toBe(200);
  });
});
