import { randomBytes, randomUUID } from 'node:crypto';
import { type Account, createPartnerkit, defineObject, type Sender, type Signal } from '@partnerkit/core';
import { fastifyRoutes } from '@partnerkit/fastify';
import { generateRingKey, joseAccessTokens } from '@partnerkit/jose';
import fastify from 'fastify';
import { z } from 'zod';
import { type Database, memoryDatabase } from './database.ts';

/** The platform's own organisations: one with a parent, a child and a grandchild; its twin for tests; and a stranger. */
export const organisations: readonly Account[] = [
  { id: 'org_parent', name: 'Groupe Bellerive', status: 'active', environment: 'prod' },
  { id: 'org_main', name: 'Bellerive Locations', status: 'active', environment: 'prod', parentId: 'org_parent' },
  { id: 'org_child', name: 'Agence de l’Été', status: 'active', environment: 'prod', parentId: 'org_main' },
  { id: 'org_grandchild', name: 'Bureau du Port', status: 'active', environment: 'prod', parentId: 'org_child' },
  { id: 'org_test', name: 'Bellerive Locations, test', status: 'active', environment: 'test' },
  { id: 'org_stranger', name: 'Someone Else', status: 'active', environment: 'prod' },
];

/** What the platform publishes about a payment request. The IBAN is in the schema, and in no group: it never leaves. */
const payment = defineObject('RequestPayment', {
  schema: z.object({
    id: z.string(),
    name: z.string(),
    status: z.string(),
    amount: z.number(),
    recipient: z.object({ email: z.email(), iban: z.string() }),
  }),
  groups: { summary: ['name', 'status', 'amount'], payer: ['recipient.email'] },
  events: { default: ['summary'], payed: ['summary', 'payer'] },
});

type Payment = z.infer<typeof payment.schema>;

/** A small platform backend that embeds partnerkit. */
export const startHost = async <Tx extends object>(options: {
  readonly port: number;
  /** @defaultValue in memory */
  readonly database?: Database<Tx>;
  readonly sender: Sender;
  readonly observe?: (signal: Signal) => void;
}) => {
  const app = fastify({ forceCloseConnections: true });
  const database = options.database ?? (memoryDatabase() as Database<Tx>);
  const { storage } = database;
  const kit = createPartnerkit({
    accounts: { find: async (id) => organisations.find((organisation) => organisation.id === id) },
    storage,
    tokens: await joseAccessTokens({
      keys: [await generateRingKey()],
      issuer: 'https://platform.example',
      audience: 'https://platform.example/api/v1/partner',
    }),
    sender: options.sender,
    sealingKeys: [{ id: 'k1', key: randomBytes(32) }],
    objects: [payment],
    ...(options.observe ? { observe: options.observe } : {}),
  });
  /** What the platform does when a payment arrives: its own change and the event, in one transaction. */
  const markPaid = (accountId: string, paid: Payment, last?: (tx: Tx) => Promise<void>): Promise<string> =>
    storage.transaction(async (tx) => {
      const { eventId } = await kit.events.publish(
        { accountId, objectName: 'RequestPayment', type: 'payed', data: paid },
        { tx },
      );
      await last?.(tx);
      await database.markPaid(tx, paid.id);
      return eventId;
    });
  await app.register(fastifyRoutes, { routes: kit.routes });
  app.post('/pretend-that-somebody-paid', async () => {
    const paid = { id: `pay_${randomUUID()}`, name: 'Loyer', status: 'payed', amount: 850 };
    const recipient = { email: 'zoe@example.org', iban: 'FR7630006000011234567890189' };
    return { eventId: await markPaid('org_main', { ...paid, recipient }) };
  });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: options.port });
  const worker = kit.worker();
  worker.start();

  return {
    kit,
    baseUrl,
    isPaid: database.isPaid,
    markPaid,
    /** Commands that end in a webhook. */
    webhookMakers: (_accessToken: string): readonly string[] => [
      `curl -s -X POST ${baseUrl}/pretend-that-somebody-paid`,
    ],
    close: async () => {
      await worker.stop();
      await app.close();
      await database.close();
    },
  };
};

/** A running platform. */
export type Host = Awaited<ReturnType<typeof startHost>>;
