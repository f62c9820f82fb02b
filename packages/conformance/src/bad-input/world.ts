import {
  createPartnerkit,
  defineObject,
  type ErrorListener,
  type Page,
  type PageRequest,
  type Signal,
} from '@partnerkit/core';
import type { Storage } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { z } from 'zod';
import { addKey, must } from '../http-suite/support/keys.ts';

const accountIds = ['acc_own', 'acc_other', 'acc_full'] as const;
const maxEndpoints = 2;
const maxSecrets = 5;

/** The objects of the kit; `ModelRequestPayment` is missing on purpose. */
const objects = [
  defineObject('RequestPayment', {
    schema: z.object({ id: z.string(), status: z.string().optional(), meta: z.unknown().optional() }),
    groups: { all: ['status', 'meta'] },
    events: { default: ['all'] },
  }),
  defineObject('RequestSecurityDeposit', {
    schema: z.object({ id: z.string() }).refine(async () => true),
    groups: { all: [] },
    events: { default: ['all'] },
  }),
] as const;

/** A kit as untyped code calls it. Two accounts have a client and an endpoint each; a third has reached every limit. */
export interface World {
  /** Calls by their name, such as `clients.create`. */
  call(name: string, args: readonly unknown[]): PromiseLike<unknown>;
  readonly clientId: string;
  readonly secretId: string;
  readonly endpointId: string;
  /** Of another account. */
  readonly foreign: { readonly clientId: string; readonly endpointId: string; readonly token: string };
  readonly expiredToken: string;
  /** Of the account with the maximum number of secrets. */
  readonly fullClientId: string;
  /** Texts that no result may contain. */
  readonly secrets: readonly string[];
  /** Every stored record of these accounts. */
  stored(): Promise<unknown>;
  /** Signals, and errors passed to `onError`, since the kit was created. */
  readonly observed: readonly unknown[];
}

const pages = async <T>(list: (page: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> => {
  const items: T[] = [];
  let page = await list({});
  for (items.push(...page.items); page.next !== undefined; items.push(...page.items))
    page = await list({ after: page.next });
  return items;
};

const storedOf = async ({ clients, endpoints, events, log }: Storage<object>, accountId: string) => ({
  clients: await pages((page) => clients.listClients(accountId, page)),
  endpoints: await pages((page) => endpoints.listEndpoints(accountId, page)),
  events: await pages((page) => events.listEvents(accountId, page)),
  deliveries: await pages((page) => log.listDeliveries(accountId, {}, page)),
});

export const createWorld = async (storage: Storage<object>): Promise<World> => {
  const tokens = memoryAccessTokens();
  const observed: (Signal | Parameters<ErrorListener>)[] = [];
  const kit = createPartnerkit({
    accounts: memoryAccounts(accountIds.map((id) => ({ id, name: id, status: 'active', environment: 'prod' }))),
    storage,
    tokens,
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects,
    webhooks: { maxEndpoints },
    observe: (signal) => observed.push(signal),
    onError: (...error) => observed.push(error),
  });
  const addEndpoint = async (accountId: string) => {
    const deliveryHeader = { name: 'X-API-Key', value: `KEY-OF-${accountId}` };
    const created = await kit.endpoints.create(accountId, {
      url: 'https://partner.example/',
      events: ['payed'],
      deliveryHeader,
    });
    if (created.isErr()) throw new Error(`The endpoint was not created: ${created.error.code}.`);
    return { ...created.value, deliveryHeader: deliveryHeader.value };
  };

  const [own, other, full] = await Promise.all(accountIds.map((id) => addKey(kit.clients, id)));
  const endpoints = await Promise.all(accountIds.map(addEndpoint));
  const [endpoint, foreignEndpoint] = endpoints;
  if (!own || !other || !full || !endpoint || !foreignEndpoint) throw new Error('The world was not made.');
  for (let more = 1; more < maxEndpoints; more++) endpoints.push(await addEndpoint('acc_full'));
  for (let more = 1; more < maxSecrets; more++) await must(kit.clients.addSecret('acc_full', full.client.id));
  const event = { accountId: 'acc_own', objectName: 'RequestPayment', type: 'payed', data: { id: 'p1' } } as const;
  await kit.events.publish(event, { tx: 'new', idempotencyKey: 'used' });

  const tokenOf = (accountId: string, { client, secretId }: typeof own, expiresAt: number): Promise<string> =>
    tokens.issue({
      clientId: client.id,
      accountId,
      environment: 'prod',
      secretId,
      scope: 'USER',
      jti: `${accountId}.${expiresAt}`,
      issuedAt: 0,
      expiresAt,
    });
  const foreignToken = await tokenOf('acc_other', other, 9_999_999_999);
  const expiredToken = await tokenOf('acc_own', own, 1);

  observed.length = 0;
  const parts: Readonly<Record<string, object>> = { ...kit };
  return {
    call: (name, args) => {
      const [part = '', method = ''] = name.split('.');
      const calls = parts[part] as Readonly<Record<string, (...args: readonly unknown[]) => PromiseLike<unknown>>>;
      return (calls[method] as (typeof calls)[string])(...args);
    },
    clientId: own.client.id,
    secretId: own.secretId,
    endpointId: endpoint.endpoint.id,
    foreign: { clientId: other.client.id, endpointId: foreignEndpoint.endpoint.id, token: foreignToken },
    expiredToken,
    fullClientId: full.client.id,
    secrets: [
      'SECRET',
      foreignToken,
      expiredToken,
      ...[own, other, full].map(({ secret }) => secret),
      ...endpoints.flatMap(({ secret, deliveryHeader }) => [secret, deliveryHeader]),
    ],
    stored: () => Promise.all(accountIds.map((id) => storedOf(storage, id))),
    observed,
  };
};
