import 'reflect-metadata';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, type INestApplication, Module, type Type, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type Caller, createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { expressRouter } from '@partnerkit/express';
import { fastifyRoutes } from '@partnerkit/fastify';
import { describe, expect, test } from 'vitest';
import { type AnyPartnerkit, InjectPartnerkit, Partner, PartnerGuard, PartnerkitModule } from '../src/index.ts';

const account = { id: 'org_main', name: 'Main', status: 'active', environment: 'prod' };
const path = '/organisations/org_main';
const basePath = '/api/v1/partner';

const newKit = () =>
  createPartnerkit({
    accounts: memoryAccounts([account, { ...account, id: 'org_other' }]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: [],
    api: { rights: ['notes'], trustRemoteAddress: true },
  });

/** Decorates a method, as a compiler does. */
const decorate = (target: object, name: string, ...decorators: readonly MethodDecorator[]): void => {
  const descriptor = Object.getOwnPropertyDescriptor(target, name) ?? {};
  for (const decorator of decorators) decorator(target, name, descriptor);
};

/** A controller of the host, behind the guard. */
class Notes {
  readonly kit: AnyPartnerkit;
  constructor(kit: AnyPartnerkit) {
    this.kit = kit;
  }
  list({ account, client, scope }: Caller) {
    return { account: account.id, client: client.name, scope, isKit: typeof this.kit.worker };
  }
}
Controller('organisations/:organisationId/notes')(Notes);
UseGuards(PartnerGuard('notes:read'))(Notes);
InjectPartnerkit()(Notes, undefined as never, 0);
decorate(Notes.prototype, 'list', Get());
Partner()(Notes.prototype, 'list', 0);

/** A controller whose path names no account. */
class Misplaced {
  list() {
    return 'never';
  }
}
Controller('misplaced')(Misplaced);
UseGuards(PartnerGuard('notes:read'))(Misplaced);
decorate(Misplaced.prototype, 'list', Get());

/** What other modules of the host provide. */
class Database {}
Module({ providers: [{ provide: 'kit', useFactory: newKit }], exports: ['kit'] })(Database);

/** `proxy`: the address of the proxy that the application believes. */
const platforms = {
  express: {
    mount: expressRouter,
    create: async (module: Type, proxy: string | false) => {
      const app = await NestFactory.create<NestExpressApplication>(module, { logger: false });
      app.set('trust proxy', proxy);
      return app;
    },
  },
  fastify: {
    mount: fastifyRoutes,
    create: (module: Type, proxy: string | false) =>
      NestFactory.create(module, new FastifyAdapter({ trustProxy: proxy }), { logger: false }),
  },
} as const;

const start = async ({ mount, create }: (typeof platforms)['express' | 'fastify'], proxy: string | false = false) => {
  const events: string[] = [];
  let kit = newKit();
  const made = PartnerkitModule.forRootAsync({
    imports: [Database],
    inject: ['kit'],
    useFactory: async (injected: ReturnType<typeof newKit>) => {
      kit = injected;
      const worker = injected.worker();
      const watched = {
        ...injected,
        worker: () => ({
          ...worker,
          start: () => void events.push('started'),
          stop: async () => {
            await new Promise((resolve) => setImmediate(resolve));
            events.push('stopped');
          },
        }),
      };
      return { kit: watched, mount, close: async () => void events.push('closed') };
    },
  });
  const host = class {};
  Module({ imports: [made], controllers: [Notes, Misplaced] })(host);
  const app: INestApplication = await create(host, proxy);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const { client, secret } = (await kit.clients.create('org_main', { name: 'Booking' }))._unsafeUnwrap();
  const ask = (target: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${target}`, init);
  /** The answer to a request with these lines of headers; `fetch` would join them. */
  const send = (target: string, headers: readonly string[]) =>
    new Promise<{ readonly status: number | undefined; readonly body: string }>((resolve, reject) => {
      const sending = request({ port, path: target, headers }, async (response) => {
        resolve({ status: response.statusCode, body: Buffer.concat(await response.toArray()).toString() });
      });
      sending.on('error', reject).end();
    });
  const logIn = async (): Promise<string> => {
    const body = { grant_type: 'client_credentials', scope: 'USER', client_id: client.id, client_secret: secret };
    const headers = { 'content-type': 'application/json' };
    const response = await ask('/api/v1/partner/login', { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  /** Limits the client to networks. */
  const limit = async (...networks: readonly string[]) =>
    (await kit.clients.update('org_main', client.id, { networks }))._unsafeUnwrap();
  return { app, events, ask, send, logIn, limit };
};

describe.each(Object.entries(platforms))('%s', (_name, platform) => {
  test('routes are mounted before the body parsers of NestJS, and the kit is injected', async () => {
    const { app, ask, logIn } = await start(platform);
    const headers = { authorization: `Bearer ${await logIn()}` };
    expect(await (await ask(`${basePath}${path}/me`, { headers })).json()).toEqual(account);
    expect(await (await ask(`${path}/notes`, { headers })).json()).toEqual({
      account: 'org_main',
      client: 'Booking',
      scope: 'USER',
      isKit: 'function',
    });
    await app.close();
  });

  test('the guard refuses as a route of partnerkit does', async () => {
    const { app, ask, logIn } = await start(platform);
    const headers = { authorization: `Bearer ${await logIn()}` };
    const [missing, unreached] = [{}, { headers }];
    for (const [account, init] of [
      ['org_main', missing],
      ['org_main', { headers: { authorization: 'Bearer x' } }],
      ['org_other', unreached],
      ['org_none', unreached],
    ] as const) {
      const [own, ours] = await Promise.all(
        [`/organisations/${account}/notes`, `${basePath}/organisations/${account}/me`].map((target) =>
          ask(target, init),
        ),
      );
      const view = async (response: Response | undefined) => ({
        status: response?.status,
        body: await response?.text(),
        challenge: response?.headers.get('www-authenticate'),
        cache: response?.headers.get('cache-control'),
        hasRequestId: response?.headers.has('x-request-id'),
      });
      // On Express, NestJS itself writes the media type of errors.
      expect(own?.headers.get('content-type')).toMatch(/^application\/(problem\+)?json/);
      expect(await view(own)).toEqual(await view(ours));
    }
    // A mistake of the host, not of the caller.
    expect((await ask('/misplaced', { headers })).status).toBe(500);
    await app.close();
  });

  test('the guard refuses two Authorization lines, of which a framework reads one', async () => {
    const { app, send, logIn } = await start(platform);
    const valid = ['Host', 'localhost', 'Authorization', `Bearer ${await logIn()}`];
    expect((await send(`${path}/notes`, valid)).status).toBe(200);
    for (const other of ['Bearer x', valid[3] as string]) {
      const refused = await send(`${path}/notes`, [...valid, 'authorization', other]);
      expect(refused.status).toBe(400);
      expect(refused).toEqual(await send(`${basePath}${path}/me`, [...valid, 'authorization', other]));
    }
    await app.close();
  });

  /** The status of a call that a proxy of this machine forwards. */
  test.each<readonly [networks: string, proxy: string | false, forwarded: string, status: number]>([
    ['203.0.113.0/24', '127.0.0.1', '203.0.113.7', 200],
    ['203.0.113.0/24', '127.0.0.1', '198.51.100.7', 403],
    // The proxy adds the last one; the others are what the caller wrote.
    ['203.0.113.0/24', '127.0.0.1', '203.0.113.7, 198.51.100.7', 403],
    ['127.0.0.0/8', '127.0.0.1', '203.0.113.7', 403],
    ['203.0.113.0/24', false, '203.0.113.7', 403],
    ['127.0.0.0/8', false, '203.0.113.7', 200],
    ['203.0.113.0/24', '198.51.100.1', '203.0.113.7', 403],
  ])('networks %s, believing the proxy %s, forwarded for %s: %i', async (networks, proxy, forwarded, status) => {
    const { app, ask, logIn, limit } = await start(platform, proxy);
    const headers = { authorization: `Bearer ${await logIn()}`, 'x-forwarded-for': forwarded };
    expect((await ask(`${path}/notes`, { headers })).status).toBe(200);
    await limit(networks);
    const answer = await ask(`${path}/notes`, { headers });
    const { code } = (await answer.json()) as { readonly code?: string };
    expect([answer.status, code]).toEqual([status, status === 200 ? undefined : 'address_not_allowed']);
    await app.close();
  });

  test('the worker starts with the application, and what the kit uses is closed after it has stopped', async () => {
    const { app, events } = await start(platform);
    expect(events).toEqual(['started']);
    await app.close();
    expect(events).toEqual(['started', 'stopped', 'closed']);
  });
});

test('an application without a server runs the worker alone, and worker: false runs none', async () => {
  const kit = newKit();
  let made = 0;
  const counted = {
    ...kit,
    worker: () => {
      made += 1;
      return kit.worker();
    },
  };
  for (const worker of [{}, false] as const) {
    const host = class {};
    Module({ imports: [PartnerkitModule.forRoot({ kit: counted, mount: expressRouter, worker })] })(host);
    const app = await NestFactory.createApplicationContext(host, { logger: false });
    await app.close();
  }
  expect(made).toBe(1);
});
