import { randomBytes } from 'node:crypto';
import type { Route } from '@partnerkit/core';
import type { Sender } from '@partnerkit/core/adapter';
import { memoryStorage } from '@partnerkit/core/memory';
import { type Account, createPartnerkit, defineObject, type Signal } from '@partnerkit/node';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { z } from 'zod';

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), status: z.string(), recipient: z.object({ email: z.email(), iban: z.string() }) }),
  groups: { summary: ['status'], payer: ['recipient.email'] },
  events: { default: ['summary'], payed: ['summary', 'payer'] },
});

const deposit = defineObject('RequestSecurityDeposit', {
  schema: z.object({ id: z.string(), amount: z.number(), heldUntil: z.string().optional() }),
  groups: { summary: ['amount', 'heldUntil'] },
  events: { default: ['summary'] },
});

const organisation: Account = { id: 'org_main', name: 'Agence de l’Été', status: 'active', environment: 'prod' };

/** Serves these routes with a framework, on a free port of this machine. */
export type Listen = (
  routes: readonly Route[],
  tls: { readonly cert: string; readonly key: string } | undefined,
) => Promise<{ readonly origin: string; close(): Promise<void> }>;

/** How this host reaches itself: over TLS through the guarded sender, or with its own sender. */
export interface Network {
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly ca: string | undefined;
  readonly sender: Sender;
  close(): Promise<void>;
}

/** A platform and its partner in one program, wired as in the README. */
export const startPlatform = async (listen: Listen, network: Network) => {
  const storage = memoryStorage();
  const signals = new Set<Signal['kind']>();
  const kit = createPartnerkit({
    accounts: { find: async (id) => (id === organisation.id ? organisation : undefined) },
    storage,
    secret: randomBytes(32),
    origin: 'https://platform.example',
    sender: network.sender,
    objects: [payment, deposit],
    observe: ({ kind }: Signal) => signals.add(kind),
    onError: (cause, where) => console.error(where, cause),
  });

  const client = await kit.clients.create(organisation.id, { name: 'Booking system' });
  // Replaced by the real URL once the port is known.
  const endpoint = await kit.endpoints.create(organisation.id, {
    url: 'https://partner.example/webhooks',
    events: ['payed', 'deposit_success'],
  });
  if (client.isErr()) throw new Error(client.error.code);
  if (endpoint.isErr()) throw new Error(endpoint.error.code);

  const events: string[] = [];
  let enough: (events: readonly string[]) => void;
  const received = new Promise<readonly string[]>((resolve) => {
    enough = resolve;
  });
  const note = (event: string): void => {
    if (events.push(event) === 2) enough(events);
  };
  const receiver = createReceiver({
    secrets: [endpoint.value.secret],
    seen: memorySeenKeys(),
    schemas: { RequestPayment: z.object({ id: z.string(), status: z.string() }) },
    on: {
      RequestPayment: {
        payed: async ({ data }) => {
          note(`${data.id} ${data.status}`);
        },
      },
    },
    otherwise: ({ objectName, type }) => {
      note(`${objectName} ${type}`);
    },
  });

  const echo = kit.accountRoute(
    'GET',
    '/organisations/:organisationId/echo/:word',
    async ({ account }, _request, params) => ({
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: `${account.id} ${params.word}`,
    }),
    { right: 'none' },
  );
  const server = await listen([...kit.routes, echo, receiver.route('/webhooks')], network.tls);
  const moved = await kit.endpoints.update(organisation.id, endpoint.value.endpoint.id, {
    url: `${server.origin.replace('http:', 'https:')}/webhooks`,
  });
  if (moved.isErr()) throw new Error(moved.error.code);

  const worker = kit.worker();
  worker.start();

  return {
    origin: server.origin,
    credentials: { client_id: client.value.client.id, client_secret: client.value.secret },
    /** The first two events. */
    received,
    signals,
    publish: () =>
      storage.transaction(async (tx) => {
        const paid = { id: 'p1', status: 'payed', recipient: { email: 'zoe@example.org', iban: 'FR76' } };
        const held = { id: 'd1', amount: 850.5 };
        const accountId = organisation.id;
        await kit.events.publish({ accountId, objectName: 'RequestPayment', type: 'payed', data: paid }, { tx });
        await kit.events.publish(
          { accountId, objectName: 'RequestSecurityDeposit', type: 'deposit_success', data: held },
          { tx },
        );
        const outside = { accountId, objectName: 'RequestPayment', type: 'deletion', data: paid } as const;
        // @ts-expect-error a pair outside the catalogue
        const refused = await kit.events.tryPublish(outside, { tx });
        if (refused.isOk()) throw new Error('A pair outside the catalogue was published.');
      }),
    stop: async () => {
      await worker.stop();
      await server.close();
    },
  };
};
