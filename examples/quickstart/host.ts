import { randomUUID } from 'node:crypto';
import type { Sender } from '@partnerkit/core/adapter';
import { fastifyRoutes } from '@partnerkit/fastify';
import {
  type Account,
  createPartnerkit,
  defineObject,
  type ObjectDefinition,
  type Partnerkit,
  type Route,
  type Signal,
} from '@partnerkit/node';
import fastify from 'fastify';
import { z } from 'zod';
import { type Database, memoryDatabase } from './database.ts';
import { type Kept, keepPlatform, type PlatformKept } from './kept.ts';
import { listen } from './listen.ts';
import { createPortal } from './portal.ts';

/**
 * The organisations of the platform: one with a parent, a child and a grandchild; its twin for tests; and an unrelated
 * one.
 */
const organisations: readonly Account[] = [
  { id: 'org_parent', name: 'Groupe Bellerive', status: 'active', environment: 'prod' },
  { id: 'org_main', name: 'Bellerive Locations', status: 'active', environment: 'prod', parentId: 'org_parent' },
  { id: 'org_child', name: 'Agence de l’Été', status: 'active', environment: 'prod', parentId: 'org_main' },
  { id: 'org_grandchild', name: 'Bureau du Port', status: 'active', environment: 'prod', parentId: 'org_child' },
  { id: 'org_test', name: 'Bellerive Locations, test', status: 'active', environment: 'test' },
  { id: 'org_stranger', name: 'Someone Else', status: 'active', environment: 'prod' },
];

/** The published fields of a payment request. The IBAN is in the schema but in no group, so it is never published. */
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

/** What a platform needs to start. */
export interface HostOptions<Tx extends object> {
  /** @defaultValue the port of the last start, or else a free one */
  readonly port?: number;
  /** @defaultValue the database in memory */
  readonly database?: Database<Tx>;
  /** @defaultValue new keys, in memory */
  readonly kept?: Kept<PlatformKept>;
  readonly sender: Sender;
  readonly observe?: (signal: Signal) => void;
}

/** The parts that are there before the kit: in memory unless they are given. */
export const withDefaults = <Tx extends object>(options: HostOptions<Tx>) => ({
  ...options,
  database: options.database ?? (memoryDatabase() as Database<Tx>),
  kept: options.kept ?? keepPlatform(),
});

/** {@link HostOptions}, all given. */
export type Settings<Tx extends object> = ReturnType<typeof withDefaults<Tx>>;

/** What every kit of the quickstart has. */
export const kitOptions = <Tx extends object>({ database, kept, sender, observe }: Settings<Tx>) => ({
  accounts: {
    find: async (id: string) => organisations.find((organisation) => organisation.id === id),
  },
  storage: database.storage,
  secret: kept.value.secret,
  origin: 'https://platform.example',
  sender,
  ...(observe ? { observe } : {}),
});

/** What the objects of a platform are called, and what happens when one is paid. */
interface Subject<Tx extends object, Data extends { readonly id: string }> {
  /** Several of them, for people. */
  readonly name: string;
  /** The data of a paid one. */
  readonly paid: (id: string) => Data;
  readonly publish: (accountId: string, data: Data, tx: Tx) => Promise<{ readonly eventId: string }>;
  readonly createEndpoint: (url: string) => ReturnType<Partnerkit<Tx, ObjectDefinition>['endpoints']['create']>;
  /** Operations of the platform's own. */
  readonly routes?: readonly Route[];
}

/** Serves a kit with Fastify, and runs its worker. */
export const serve = async <Tx extends object, Data extends { readonly id: string }>(
  { port, database, kept }: Settings<Tx>,
  kit: Pick<Partnerkit<Tx, ObjectDefinition>, 'clients' | 'managementRoutes' | 'openApi' | 'routes' | 'worker'> & {
    readonly deliveries: Pick<Partnerkit<Tx, ObjectDefinition>['deliveries'], 'backlogOfAll'>;
  },
  subject: Subject<Tx, Data>,
) => {
  const app = fastify({ forceCloseConnections: true });
  /** Marks an object as paid: the change and the event are in one transaction. */
  const markPaid = (accountId: string, id: string, last?: (tx: Tx) => Promise<void>): Promise<string> =>
    database.storage.transaction(async (tx) => {
      const { eventId } = await subject.publish(accountId, subject.paid(id), tx);
      await last?.(tx);
      await database.markPaid(tx, id);
      return eventId;
    });
  const routes = [...kit.routes, ...(subject.routes ?? [])];
  const portal = createPortal(kit);
  portal.register(app);
  await app.register(fastifyRoutes, { routes: [...routes, ...portal.routes] });
  app.post('/pretend-that-somebody-paid', async () => {
    const id = `pay_${randomUUID()}`;
    return { id, eventId: await markPaid('org_main', id) };
  });
  const baseUrl = await listen(app, kept, port);
  const worker = kit.worker();
  worker.start();
  return {
    kit,
    routes,
    baseUrl,
    portalUrl: `${baseUrl}${portal.path}`,
    subject: subject.name,
    createEndpoint: subject.createEndpoint,
    isPaid: database.isPaid,
    markPaid,
    /** Commands that cause a webhook. */
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
export type Host = Awaited<ReturnType<typeof serve<object, { readonly id: string }>>>;

/** A small platform backend that embeds partnerkit. */
export const startHost = async <Tx extends object>(options: HostOptions<Tx>) => {
  const settings = withDefaults(options);
  const kit = createPartnerkit({ ...kitOptions(settings), objects: [payment] });
  return serve(settings, kit, {
    name: 'payments',
    paid: (id): Payment => ({
      id,
      name: 'Loyer d’août — Gîte des Érables',
      status: 'payed',
      amount: 850.5,
      recipient: { email: 'zoe@example.org', iban: 'FR7630006000011234567890189' },
    }),
    publish: (accountId, data, tx) =>
      kit.events.publish({ accountId, objectName: 'RequestPayment', type: 'payed', data }, { tx }),
    createEndpoint: (url) => kit.endpoints.create('org_main', { url, events: ['creation', 'payed'] }),
  });
};
