import {
  createPartnerkit,
  defineObject,
  type ManagementSession,
  type OpenApiDocument,
  type Route,
  type Signal,
} from '@partnerkit/core';
import { retrySchedule, type SendOutcome } from '@partnerkit/core/adapter';
import {
  type MemorySender,
  memoryAccessTokens,
  memoryAccounts,
  memorySender,
  memoryStorage,
} from '@partnerkit/core/memory';
import { type ManualClock, manualClock } from '@partnerkit/testing';
import { z } from 'zod';
import { wholeEventsOf } from '../../contracts/support/stored.ts';
import { createPrng } from '../../simulator/prng.ts';
import { addKey } from '../support/keys.ts';
import type { Right } from './table.ts';

/** When the platform is made: 2027-01-15T08:00:00.750Z. A time in seconds is `start` plus whole seconds. */
export const start = 1_800_000_000;

/** Values that paths name, such as `keyId`. */
export type Known = Readonly<Record<string, string>>;

/** The header of a session: the person, the account and the rights. */
export const sessionHeader = (
  rights: readonly Right[],
  { userId = 'user_1', accountId = 'org_main' }: { readonly userId?: string; readonly accountId?: string } = {},
): string => [userId, accountId, ...rights.map(({ part, access }) => `${part}=${access}`)].join(' ');

/** Headers of sessions that the host cannot read. */
export const brokenSessions = { unreachable: 'unreachable', malformed: 'malformed' };

const sessionOf = (header: string | readonly string[] | undefined): ManagementSession | undefined => {
  // A host may hand over each line of a header.
  const [line] = [header ?? []].flat();
  if (line === undefined) return undefined;
  if (line === brokenSessions.unreachable) throw new Error('The store of sessions does not answer.');
  if (line === brokenSessions.malformed) return {} as ManagementSession;
  const [userId = '', accountId = '', ...rights] = line.split(' ');
  return { userId, accountId, can: Object.fromEntries(rights.map((right) => right.split('='))) };
};

/** The platform that the cases of the management API use. */
export interface ManagementPlatform {
  /** The management API and the partner API. */
  readonly routes: readonly Route[];
  /** Describes the management API. */
  document(): OpenApiDocument;
  /** Describes the partner API. */
  partnerDocument(): OpenApiDocument;
  readonly kit: ReturnType<typeof createKit>;
  readonly clock: ManualClock;
  /** Sends what the endpoints receive. */
  readonly sender: MemorySender;
  /** Changes how receivers answer. */
  answerWith(outcome: Partial<SendOutcome>): void;
  /** Ids of a key with its secret, of an endpoint with a prepared secret, and of a delivered event. */
  readonly known: Known;
  /** The `client_secret` of the key. */
  readonly secret: string;
  /** Makes endpoints and a delivered event of the child account; returns their ids, by the names of `known`. */
  addToChild(): Promise<Known>;
  /** Publishes an event of `org_main` and delivers it; returns its id. */
  deliver(): Promise<string>;
  /** Publishes an event of `org_main` that its receiver refuses until the delivery is exhausted; returns its id. */
  exhaust(): Promise<string>;
  /** All that is stored, as text. */
  stored(): Promise<string>;
  /** The changes, as signals name them: what, and by whom. */
  readonly changes: readonly string[];
}

const thanks: SendOutcome = { kind: 'answered', status: 200, body: 'thanks', durationMs: 12 };

const createKit = ({
  clock,
  ...parts
}: {
  readonly clock: ManualClock;
  readonly storage: ReturnType<typeof memoryStorage>;
  readonly sender: MemorySender;
  readonly observe: (signal: Signal) => void;
}) =>
  createPartnerkit({
    ...parts,
    accounts: memoryAccounts([
      { id: 'org_main', name: 'Main', status: 'active', environment: 'prod' },
      { id: 'org_child', name: 'Child', status: 'active', environment: 'prod', parentId: 'org_main' },
      { id: 'org_stranger', name: 'Stranger', status: 'active', environment: 'prod' },
    ]),
    api: { webhooks: true },
    tokens: memoryAccessTokens(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }], clock, random: createPrng(1) },
    objects: [
      defineObject('RequestPayment', {
        schema: z.object({ id: z.string(), amount: z.number(), note: z.string().optional() }),
        groups: { all: ['amount', 'note'] },
        events: { default: ['all'] },
      }),
    ],
  });

const hook = {
  url: 'https://partner.example/hooks',
  events: ['payed', 'RequestPayment.creation'],
  label: 'prod',
  deliveryHeader: { name: 'X-API-Key', value: 'k3y' },
} as const;

/** Creates a platform in memory with a key, an endpoint, and an event that was delivered to it. */
export const createManagementPlatform = async (): Promise<ManagementPlatform> => {
  const clock = manualClock(start * 1_000 + 750);
  const storage = memoryStorage({ clock });
  const changes: string[] = [];
  let outcome: SendOutcome = thanks;
  const sender = memorySender(() => outcome);
  const kit = createKit({
    clock,
    storage,
    sender,
    observe: (signal) => {
      if (signal.kind === 'client' || signal.kind === 'endpoint')
        changes.push(`${signal.change} by ${'id' in signal.by ? signal.by.id : signal.by.type}`);
      if (signal.kind === 'delivery_sent_again')
        changes.push(`sent_again by ${'id' in signal.by ? signal.by.id : signal.by.type}`);
    },
  });
  const management = kit.managementRoutes({
    authorize: async ({ headers }) => sessionOf(headers['x-session']),
    trustedOrigins: ['https://app.platform.example'],
  });

  const deliver = async (accountId = 'org_main'): Promise<string> => {
    const event = { accountId, objectName: 'RequestPayment', type: 'payed' } as const;
    const { eventId } = await kit.events.publish({ ...event, data: { id: 'payment_1', amount: 20 } }, { tx: 'new' });
    await kit.worker().drain();
    return eventId;
  };

  const exhaust = async (): Promise<string> => {
    const before = outcome;
    outcome = { ...thanks, status: 500 } as SendOutcome;
    const eventId = await deliver();
    for (const wait of retrySchedule) {
      await clock.pass(1.25 * wait);
      await kit.worker().drain();
    }
    outcome = before;
    return eventId;
  };

  const { client, secretId, secret } = await addKey(kit.clients, 'org_main');
  const { client: disabledKey } = await addKey(kit.clients, 'org_main');
  (await kit.clients.disable('org_main', disabledKey.id))._unsafeUnwrap();
  const webhooksOf = async (accountId: string) => {
    const [{ endpoint }, { endpoint: disabled }] = [
      (await kit.endpoints.create(accountId, hook))._unsafeUnwrap(),
      (await kit.endpoints.create(accountId, hook))._unsafeUnwrap(),
    ];
    (await kit.endpoints.disable(accountId, disabled.id))._unsafeUnwrap();
    (await kit.endpoints.prepareSecret(accountId, endpoint.id))._unsafeUnwrap();
    const eventId = await deliver(accountId);
    const [delivery] = (await kit.deliveries.list(accountId))._unsafeUnwrap().items;
    return {
      ...{ endpointId: endpoint.id, disabledEndpointId: disabled.id },
      ...{ eventId, deliveryId: delivery?.id ?? '' },
    };
  };
  const ofMain = await webhooksOf('org_main');

  return {
    routes: [...management, ...kit.routes],
    document: () => kit.openApi({ title: 'Management', routes: management }),
    partnerDocument: () => kit.openApi({ title: 'Partner' }),
    kit,
    clock,
    sender,
    answerWith: (changed) => {
      outcome = { ...thanks, ...changed } as SendOutcome;
    },
    known: {
      keyId: client.id,
      secretId,
      disabledKeyId: disabledKey.id,
      ...ofMain,
    },
    secret,
    addToChild: () => webhooksOf('org_child'),
    deliver: () => deliver(),
    exhaust,
    stored: async () => {
      const read = async (accountId: string) => [
        await storage.clients.listClients(accountId, { limit: 100 }),
        await storage.endpoints.listEndpoints(accountId, { limit: 100 }),
        await wholeEventsOf(storage, accountId),
        await storage.log.listDeliveries(accountId, {}, { limit: 100 }),
      ];
      const settings = [await storage.sending.listPauses(), await storage.alerts.findAddress('org_main')];
      return JSON.stringify([...(await Promise.all(['org_main', 'org_child', 'org_stranger'].map(read))), settings]);
    },
    changes,
  };
};
