import { createPartnerkit, defineObject, type ManagementSession, type OpenApiDocument } from '@partnerkit/core';
import { mountRoutes, type Route, routeFinder } from '@partnerkit/core/http';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { z } from 'zod';
import { manualClock } from '../scripted/clock.ts';
import { createPrng } from '../simulator/prng.ts';
import type { WireRequest, WireResponse } from './exchange.ts';

const all = { keys: 'write', webhooks: 'write', deliveries: 'write' } as const;

/** Sessions by name: the header `x-session` names one. @internal */
export const sessions = {
  owner: { accountId: 'org_main', userId: 'user_owner', can: all },
  stranger: { accountId: 'org_stranger', userId: 'user_stranger', can: all },
  reader: {
    accountId: 'org_main',
    userId: 'user_reader',
    can: { keys: 'read', webhooks: 'read', deliveries: 'read' },
  },
  nothing: { accountId: 'org_main', userId: 'user_nothing', can: {} },
} as const satisfies Readonly<Record<string, ManagementSession>>;

/** The name of a session. @internal */
export type SessionName = keyof typeof sessions;

const isSession = (name: unknown): name is SessionName => typeof name === 'string' && Object.hasOwn(sessions, name);

/** The platform that the cases of the management API use. @internal */
export interface ManagementPlatform {
  readonly routes: readonly Route[];
  /** Describes the routes. */
  readonly document: OpenApiDocument;
  /** Publishes an event of `org_main` and delivers it. */
  deliver(): Promise<void>;
  /** Answers a request without a framework. */
  answer(request: WireRequest): Promise<WireResponse>;
  /** All that is stored, as text. */
  stored(): Promise<string>;
  /** Actors of the changes, as signals name them. */
  readonly actors: readonly string[];
}

/** Creates a platform in memory that answers the same requests with the same bytes. @internal */
export const createManagementPlatform = (): ManagementPlatform => {
  const clock = manualClock();
  const storage = memoryStorage({ clock });
  const actors: string[] = [];
  const kit = createPartnerkit({
    accounts: memoryAccounts([
      { id: 'org_main', name: 'Main', status: 'active', environment: 'prod' },
      { id: 'org_stranger', name: 'Stranger', status: 'active', environment: 'prod' },
    ]),
    storage,
    tokens: memoryAccessTokens(),
    clock,
    // The same ids and secrets in every run, so that two platforms answer alike.
    random: createPrng(1),
    sender: memorySender(() => ({ kind: 'answered', status: 200, body: 'thanks', durationMs: 12 })),
    sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
    objects: [
      defineObject('RequestPayment', {
        schema: z.object({ id: z.string(), amount: z.number() }),
        groups: { all: ['amount'] },
        events: { default: ['all'] },
      }),
    ],
    observe: (signal) => {
      if (signal.kind === 'client' || signal.kind === 'endpoint' || signal.kind === 'delivery_sent_again')
        actors.push('id' in signal.by ? `${signal.by.type} ${signal.by.id}` : signal.by.type);
    },
  });
  const routes = kit.managementRoutes({
    authorize: ({ headers: { 'x-session': name } }) => (isSession(name) ? sessions[name] : undefined),
    trustedOrigins: ['https://app.platform.example'],
  });
  const find = routeFinder(mountRoutes(routes));

  return {
    routes,
    document: kit.openApi({ title: 'Management', routes }),
    actors,
    deliver: async () => {
      const event = { accountId: 'org_main', objectName: 'RequestPayment', type: 'payed' } as const;
      await kit.events.publish({ ...event, data: { id: 'payment_1', amount: 20 } }, { tx: 'new' });
      await kit.worker().drain();
    },
    answer: async ({ method, target, headers = {}, body = '' }) => {
      const route = find(target);
      if (!route) throw new TypeError(`No route serves ${target}.`);
      const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
      return route.handle({ method, target, headers: Object.fromEntries(names), body: bytes });
    },
    stored: async () => {
      const read = async (accountId: string) => [
        await storage.clients.listClients(accountId, { limit: 100 }),
        await storage.endpoints.listEndpoints(accountId, { limit: 100 }),
        await storage.events.listEvents(accountId, { limit: 100 }),
        await storage.log.listDeliveries(accountId, {}, { limit: 100 }),
      ];
      return JSON.stringify(await Promise.all(['org_main', 'org_stranger'].map(read)));
    },
  };
};
