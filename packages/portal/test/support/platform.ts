import { createPartnerkit, type Delivery, defineObject, type ManagementSession } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memoryStorage } from '@partnerkit/core/memory';
import type { Storage } from '@partnerkit/core/ports';
import { expressRouter } from '@partnerkit/express';
import { fastifyRoutes } from '@partnerkit/fastify';
import { migrate, postgresStorage } from '@partnerkit/postgres';
import { createCertificateAuthority, startHttpsReceiver } from '@partnerkit/testing';
import { startPostgres } from '@partnerkit/testing/services';
import { undiciSender } from '@partnerkit/undici';
import express from 'express';
import fastify from 'fastify';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type PortalOptions, portalRoutes } from '../../src/index.ts';

const all = { keys: 'write', webhooks: 'write', deliveries: 'write' } as const;

/** Sessions by the value of the cookie `session`. */
const sessionsOf = (accountId: string): Readonly<Record<string, ManagementSession>> => ({
  owner: { accountId, userId: 'user_owner', can: all },
  stranger: { accountId: 'org_stranger', userId: 'user_stranger', can: all },
  reader: { accountId, userId: 'user_reader', can: { keys: 'read', webhooks: 'read', deliveries: 'read' } },
  nothing: { accountId, userId: 'user_nothing', can: {} },
});

const shape = {
  schema: z.object({ id: z.string(), amount: z.number(), note: z.string().optional() }),
  groups: { all: ['amount', 'note'] },
  events: { default: ['all'] },
} as const;

/** What serves the portal in a test. */
export interface PlatformOptions {
  readonly framework?: 'Fastify' | 'Express';
  /** @defaultValue an empty one in memory */
  readonly storage?: Storage<object>;
  /** The account of the sessions. @defaultValue `org_main` */
  readonly accountId?: string;
  readonly portal?: Partial<PortalOptions>;
  /** A page of the host, at `/host-page`, and its module at `/host-page.js`. Fastify only. */
  readonly page?: { readonly html: string; readonly script?: string };
}

/** A storage on a PostgreSQL server of its own. */
export const openPostgres = async (): Promise<{ storage: Storage<object>; close: () => Promise<void> }> => {
  const server = await startPostgres();
  const pool = new pg.Pool({ connectionString: server.url });
  pool.on('error', () => {});
  await migrate(pool);
  return {
    storage: postgresStorage(pool) as Storage<object>,
    close: async () => {
      await pool.end();
      await server.stop();
    },
  };
};

/** How the receiver of the partner answers. */
interface Answer {
  status: number;
  body: string;
}

/** A platform that serves the portal, and the HTTPS receiver of a partner. */
export const startPlatform = async ({
  framework = 'Fastify',
  storage = memoryStorage() as Storage<object>,
  accountId = 'org_main',
  portal = {},
  page,
}: PlatformOptions = {}) => {
  const sessions = sessionsOf(accountId);
  const authority = await createCertificateAuthority();
  const answer: Answer = { status: 200, body: 'thanks' };
  const receiver = await startHttpsReceiver({
    ...(await authority.issue({ addresses: ['127.0.0.1'] })),
    answer: (_request, response) => response.writeHead(answer.status).end(answer.body),
  });
  const sender = undiciSender({ allow: ['127.0.0.0/8'], ca: authority.certificate });
  const kit = createPartnerkit({
    accounts: memoryAccounts([
      { id: accountId, name: 'Bellerive Locations', status: 'active', environment: 'prod' },
      { id: 'org_stranger', name: 'Someone Else', status: 'active', environment: 'prod' },
    ]),
    storage,
    tokens: memoryAccessTokens(),
    sender,
    sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
    objects: [defineObject('RequestPayment', shape), defineObject('RequestSecurityDeposit', shape)],
  });
  /** Sessions that have ended. */
  const ended = new Set<string>();
  const routes = [
    ...kit.routes,
    ...portalRoutes(kit, {
      authorize: ({ headers }) => {
        const name = /(?:^|; )session=(\w+)/.exec(String(headers['cookie']))?.[1] ?? '';
        return ended.has(name) ? undefined : sessions[name];
      },
      loginUrl: '/login',
      ...portal,
    }),
  ];

  const listen = async (): Promise<{ readonly port: number; readonly close: () => Promise<void> }> => {
    if (framework === 'Fastify') {
      const app = fastify({ forceCloseConnections: true });
      await app.register(fastifyRoutes, { routes });
      app.get('/host-page', async (_request, reply) => reply.type('text/html').send(page?.html));
      app.get('/host-page.js', async (_request, reply) => reply.type('text/javascript').send(page?.script));
      const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
      return { port: Number(port), close: () => app.close() };
    }
    const app = express();
    app.use(expressRouter(routes));
    return new Promise((resolve, reject) => {
      const server = app.listen(0, '127.0.0.1', (error) => {
        const address = server.address();
        if (error || address === null || typeof address === 'string') return reject(error);
        resolve({
          port: address.port,
          close: () =>
            new Promise((closed) => {
              server.close(() => closed());
              server.closeAllConnections();
            }),
        });
      });
    });
  };
  const server = await listen();
  const worker = kit.worker();
  worker.start();
  onTestFinished(async () => {
    await server.close();
    await worker.stop();
    await sender.close();
    await receiver.close();
  });

  const baseUrl = `http://127.0.0.1:${server.port}`;
  return {
    kit,
    storage,
    baseUrl,
    portalUrl: `${baseUrl}${portal.basePath ?? '/partner-portal'}`,
    answer,
    receiver,
    receiverUrl: `${receiver.url}/hooks`,
    end: (session: string): void => {
      ended.add(session);
    },
    /** Waits until so many deliveries of an object have a state. */
    state: async (objectId: string, state: Delivery['state'], count = 1): Promise<void> => {
      const found = async (): Promise<number> =>
        (await kit.deliveries.list(accountId, { objectId, state }))._unsafeUnwrap().items.length;
      await expect.poll(found, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(count);
    },
    /** Waits until deliveries were attempted so many times in all. */
    attempts: async (count: number): Promise<void> => {
      const made = async (): Promise<number> =>
        (await kit.deliveries.list(accountId, {}))._unsafeUnwrap().items.reduce((sum, each) => sum + each.attempts, 0);
      await expect.poll(made, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(count);
    },
    publish: async (count: number): Promise<void> => {
      for (let first = 0; first < count; first += 500) {
        const events = Array.from({ length: Math.min(500, count - first) }, (_none, index) => ({
          accountId,
          objectName: 'RequestPayment' as const,
          type: 'payed' as const,
          data: { id: `payment_${first + index}`, amount: 20, note: 'paid' },
        }));
        await storage.transaction(async (tx) => {
          for (const event of events) await kit.events.publish(event, { tx });
        });
      }
    },
  };
};
