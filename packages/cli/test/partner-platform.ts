import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
import type { WireProfile } from '@partnerkit/core/wire';
import { fastifyRoutes } from '@partnerkit/fastify';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import fastify from 'fastify';
import { onTestFinished } from 'vitest';
import acmeProfiles from './acme-profile.ts';
import { newFolder, start } from './command-line.ts';

export const organisationId = 'org_main';
const childId = 'org_child';
const guest = { name: 'Gîte des Érables', amount: 120.5, currency: 'EUR', recipient: { email: 'guest@example.com' } };

/** An answer in place of the platform's, in the form of its document. */
interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly resumeAfter?: string;
}

/** A platform on a socket, and the environment of a partner's developer. */
export const startPlatform = async ({ webhooks = true } = {}) => {
  const sender = memorySender();
  const account = { name: 'Main', status: 'active', environment: 'prod' };
  const kit = createPartnerkit({
    accounts: memoryAccounts([
      { ...account, id: organisationId },
      { ...account, id: childId, parentId: organisationId },
    ]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender,
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: extendRequestObjects({}),
    oauth: { revocationDelay: 0 },
    webhooks: acmeProfiles,
    api: { webhooks },
  });
  const requests = createRequests({ kit });
  const key = (await kit.clients.create(organisationId, { name: 'developer' }))._unsafeUnwrap();
  /** Answers to the next requests for events. */
  const refusals: Refusal[] = [];
  let logins = 0;

  const serve = async (port: number) => {
    const app = fastify({ forceCloseConnections: true });
    app.addHook('onRequest', async ({ url }, reply) => {
      if (url.endsWith('/login')) logins += 1;
      const refusal = url.includes('/events?') ? refusals.shift() : undefined;
      if (!refusal) return;
      const { headers = {}, ...problem } = refusal;
      return reply
        .code(refusal.status)
        .headers(headers)
        .send({ title: 'No', detail: 'On purpose.', ...problem });
    });
    await app.register(fastifyRoutes, { routes: [...kit.routes, ...requests.routes] });
    await app.listen({ host: '127.0.0.1', port });
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
  };
  let server = await serve(0);
  onTestFinished(() => server.close());
  const { port } = server;

  const worker = kit.worker();
  /** Publishes an event; resolves to the id of its object. */
  const publish = async (accountId = organisationId): Promise<string> => {
    const { id } = (await requests.payments.create(accountId, guest, { tx: 'new' }))._unsafeUnwrap();
    await worker.drain();
    return id;
  };
  const endpoints = async () => (await kit.endpoints.list(organisationId))._unsafeUnwrap().items;
  const environment = {
    PARTNER_API: `http://127.0.0.1:${port}/api/v1/partner`,
    CLIENT_ID: key.client.id,
    CLIENT_SECRET: key.secret,
    ORGANISATION_ID: organisationId,
    HOME: newFolder(),
  };
  return {
    ...{ kit, key, sender, childId, refusals, publish, endpoints, environment },
    logins: () => logins,
    /** No one answers at its address. */
    stop: () => server.close(),
    restart: async () => {
      server = await serve(port);
    },
  };
};

export type Platform = Awaited<ReturnType<typeof startPlatform>>;

/** A clock that does not wait, and notes how long it was asked to. */
export const hurriedClock = () => {
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => Date.now(),
    sleep: async (milliseconds: number) => {
      sleeps.push(milliseconds);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
};

/** Starts `listen`, and resolves once it waits for events. It ends with the test. */
export const listenTo = async (
  { environment }: Platform,
  args: readonly string[] = [],
  { env = {}, clock }: { env?: Readonly<Record<string, string>>; clock?: ReturnType<typeof hurriedClock> } = {},
) => {
  const command = start(['listen', ...args], { ...environment, ...env }, clock ? { clock } : {});
  onTestFinished(async () => {
    command.stop();
    await command.exitCode;
  });
  await command.stderr.includes('Waiting for events');
  return command;
};

/** A request that a receiver got. */
interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** What the receiver answered. */
  readonly status: number;
}

/** What a receiver of the library checks. */
interface Checks {
  readonly secrets: readonly string[];
  readonly profiles?: readonly WireProfile[];
  readonly deliveryHeader?: { readonly name: string; readonly value: string };
}

/** An application on loopback: a receiver of the library; or each request is answered with the next status. */
export const startApplication = async (checks: Checks | readonly number[]) => {
  const received: Received[] = [];
  const events: string[] = [];
  const [statuses, checked] = 'secrets' in checks ? [[], checks] : [checks, undefined];
  const route =
    checked &&
    createReceiver({
      ...checked,
      seen: memorySeenKeys(),
      on: {},
      otherwise: async ({ objectName, type, data }) => void events.push(`${objectName}.${type} ${Object(data).id}`),
    }).route('/webhooks');
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { headersDistinct: headers, headers: shown } = request;
    const handled = await route?.handle({ method: 'POST', target: '/webhooks', headers, body });
    const status = handled?.status ?? statuses[received.length] ?? 204;
    received.push({ headers: shown, body: body.toString('utf8'), status });
    response.writeHead(status).end(status < 300 ? '' : 'no\nroom');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  return { url, received, events };
};
