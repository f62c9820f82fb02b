import { createPartnerkit, type Delivery, defineObject, type ManagementSession } from '@partnerkit/core';
import type { Storage } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, requestObjects } from '@partnerkit/core/requests';
import { expressRouter } from '@partnerkit/express';
import { fastifyRoutes } from '@partnerkit/fastify';
import { undiciSender } from '@partnerkit/node/undici';
import { migrate, postgresStorage } from '@partnerkit/postgres';
import { createCertificateAuthority, startHttpsReceiver } from '@partnerkit/testing';
import { startPostgres } from '@partnerkit/workshop/services';
import express from 'express';
import fastify from 'fastify';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type PortalOptions, portalRoutes } from '../../src/index.ts';

const all = { keys: 'write', webhooks: 'write', deliveries: 'write', requests: 'write' } as const;
const read = { keys: 'read', webhooks: 'read', deliveries: 'read', requests: 'read' } as const;

/** What a person of an account may do, by the first word of the cookie `session`. The second one is the account. */
const rights: Readonly<Record<string, ManagementSession['can']>> = {
  owner: all,
  reader: read,
  developer: { webhooks: 'read' },
  auditor: { ...read, audit: 'read', alerts: 'read' },
  alerted: { ...all, alerts: 'write' },
  operator: { ...read, audit: 'read', sending: 'write' },
  nothing: {},
};

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
  readonly portal?: Partial<PortalOptions>;
  /** Whether its accounts are in a test environment with payment requests, deposits and cash-outs. */
  readonly hasRequests?: boolean;
  /** Whether API keys can have networks and public keys, and rights on webhooks. */
  readonly hasKeyLimits?: boolean;
  /** Whether no worker delivers. */
  readonly isIdle?: boolean;
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

/** Tokens of a platform whose clients can have public keys; no test logs in with one. */
const assertionTokens = {
  ...memoryAccessTokens(),
  issuer: 'https://platform.example',
  verifyAssertion: async () => false,
};

/** How the receiver of the partner answers. */
interface Answer {
  status: number;
  body: string;
}

/** Hosts may share a storage: an account belongs to one test. */
let accounts = 0;

/** A platform that serves the portal, and the HTTPS receiver of its partners. */
const startHost = async ({
  framework = 'Fastify',
  storage = memoryStorage() as Storage<object>,
  portal = {},
  hasRequests = false,
  hasKeyLimits = false,
  isIdle = false,
  page,
}: PlatformOptions = {}) => {
  const authority = await createCertificateAuthority();
  /** How receivers answer, by path. */
  const answers = new Map<string, Answer>();
  const receiver = await startHttpsReceiver({
    ...(await authority.issue({ addresses: ['127.0.0.1'] })),
    answer: (request, response) => {
      const { status, body } = answers.get(new URL(request.path, 'https://a').pathname) ?? { status: 404, body: '' };
      response.writeHead(status).end(body);
    },
  });
  const sender = undiciSender({ allow: ['127.0.0.0/8'], ca: authority.certificate });
  const kit = createPartnerkit({
    accounts: {
      find: async (id) => ({
        id,
        name: id.startsWith('stranger') ? 'Someone Else' : 'Bellerive Locations',
        status: 'active',
        environment: hasRequests ? 'sandbox' : 'prod',
      }),
    },
    storage,
    tokens: hasKeyLimits ? assertionTokens : memoryAccessTokens(),
    ...(hasKeyLimits ? { api: { trustRemoteAddress: true, webhooks: true } } : {}),
    sender,
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: hasRequests
      ? (requestObjects as never)
      : [defineObject('RequestPayment', shape), defineObject('RequestSecurityDeposit', shape)],
  });
  const requests = hasRequests ? createRequests({ kit: kit as never, testEnvironments: ['sandbox'] }) : undefined;
  /** Sessions that have ended. */
  const ended = new Set<string>();
  const routes = [
    ...kit.routes,
    ...portalRoutes(kit, {
      authorize: ({ headers }) => {
        const [, session = '', role = '', accountId = ''] =
          /(?:^|; )session=((\w+)\.(\w+))/.exec(String(headers['cookie'])) ?? [];
        const can = rights[role];
        return can && !ended.has(session) ? { accountId, userId: `user_${role}`, can } : undefined;
      },
      loginUrl: '/login',
      ...(requests ? { requests } : {}),
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
  if (!isIdle) worker.start();
  const baseUrl = `http://127.0.0.1:${server.port}`;

  return {
    close: async (): Promise<void> => {
      await server.close();
      await worker.stop();
      await sender.close();
      await receiver.close();
    },
    /** An account that has nothing yet, with a receiver. */
    open: (name = 'org') => {
      accounts += 1;
      const accountId = `${name}_${accounts}`;
      const path = `/hooks/${accountId}`;
      const answer: Answer = { status: 200, body: 'thanks' };
      answers.set(path, answer);
      return {
        kit,
        storage,
        accountId,
        baseUrl,
        portalUrl: `${baseUrl}${portal.basePath ?? '/partner-portal'}`,
        answer,
        receiver: {
          get requests() {
            return receiver.requests.filter((request) => request.path.startsWith(path));
          },
        },
        receiverUrl: `${receiver.url}${path}`,
        /** The cookie of a person of the account. */
        session: (role: string): string => `${role}.${accountId}`,
        end: (role: string): void => {
          ended.add(`${role}.${accountId}`);
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
            (await kit.deliveries.list(accountId, {}))
              ._unsafeUnwrap()
              .items.reduce((sum, each) => sum + each.attempts, 0);
          await expect.poll(made, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(count);
        },
        /** A webhook for all payments. */
        endpoint: async (label?: string) =>
          (
            await kit.endpoints.create(accountId, {
              url: `${receiver.url}${path}`,
              events: ['payed'],
              ...(label === undefined ? {} : { label }),
            })
          )._unsafeUnwrap(),
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
    },
  };
};

/** The host that the tests of a file share. */
let shared: ReturnType<typeof startHost> | undefined;

/** An account of a platform. Without options, the platform is that of the file. */
export const startPlatform = async (options?: PlatformOptions) => {
  if (options === undefined) {
    shared ??= startHost();
    return (await shared).open();
  }
  const host = await startHost(options);
  onTestFinished(host.close);
  return host.open();
};

/** An account of somebody else on the platform of the file. */
export const openStranger = async () => {
  shared ??= startHost();
  return (await shared).open('stranger');
};

/** Ends the platform of the file; call it after all its tests. */
export const closePlatform = async (): Promise<void> => {
  await (await shared)?.close();
  shared = undefined;
};
