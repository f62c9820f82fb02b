import {
  type Account,
  type Catalogue,
  createPartnerkit,
  type EventInput,
  hour,
  type ObjectDefinition,
  type Partnerkit,
  type Signal,
} from '@partnerkit/core';
import { maxAttempts, type Storage } from '@partnerkit/core/adapter';
import { type MemoryTransaction, memoryAccessTokens, memoryStorage } from '@partnerkit/core/memory';
import { manualClock } from './clock.ts';
import { hostObjects } from './host-objects.ts';
import { inProcess } from './in-process.ts';
import { repeatableRandom } from './repeatable-random.ts';
import type { HostEvent, HostPublished, ScriptedHost, ScriptedHostOptions } from './scripted-host.ts';
import { scriptedSender } from './sender.ts';

const account = (id: string, name: string): Account => ({ id, name, status: 'active', environment: 'prod' });
const own = account('acc_own', 'Own');
const child = { ...account('acc_child', 'Child'), parentId: own.id };
const foreign = account('acc_foreign', 'Foreign');
const sealingKeys = [{ id: 'k1', key: new Uint8Array(32).fill(1) }] as const;
/** Longer than any wait for a next attempt. */
const aDayOrSo = 27 * hour;

const named = (
  { objectNames, has, typesOf }: Catalogue,
  { objectName, type }: { readonly objectName?: string; readonly type?: string },
): Pick<HostPublished, 'objectName' | 'type'> => {
  const candidates = objectNames.toSorted((a, b) => Number(b === 'RequestPayment') - Number(a === 'RequestPayment'));
  const name = objectName ?? candidates.find((each) => has(each, type ?? 'payed')) ?? String(candidates[0]);
  return { objectName: name, type: type ?? (has(name, 'payed') ? 'payed' : String(typesOf(name)[0])) };
};

/**
 * Creates a platform in memory: accounts, a client, an endpoint, and a clock that the test advances. Ids, secrets and
 * jitter are seeded, so every run is the same.
 * @example
 * const { publish, deliver, clock, partner } = await scriptedHost();
 * partner.script(503);
 * const event = await publish({ type: 'payed', id: 'p1', data: { status: 'done' } });
 * await deliver();
 * await clock.pass(6_000);
 * await deliver();
 * assertSameBytes(partner.posts, event);
 * @throws TypeError when an option is invalid.
 * @public
 */
export const scriptedHost = async <
  Tx extends object = MemoryTransaction,
  const D extends readonly ObjectDefinition[] = typeof hostObjects,
>(
  options: ScriptedHostOptions<Tx, D> = {},
): Promise<ScriptedHost<Tx, D[number]>> => {
  const {
    accounts = [],
    clock = manualClock(),
    random = repeatableRandom(),
    network,
    routes = () => [],
    ...rest
  } = options;
  // The defaults have the types that belong to the options.
  const storage = rest.storage ?? (memoryStorage({ clock }) as Storage<Tx>);
  const objects = rest.objects ?? (hostObjects as unknown as D);
  const directory = new Map([own, child, foreign, ...accounts].map((each) => [each.id, each]));
  const sender = scriptedSender();
  const partner = network?.partner ?? sender.at('https://partner.example/webhooks');
  const signals: Signal[] = [];

  const kit: Partnerkit<Tx, D[number]> = createPartnerkit<Tx, D>({
    tokens: memoryAccessTokens({ random }),
    ...rest,
    accounts: { find: async (accountId) => directory.get(accountId) },
    storage,
    objects,
    sender: network?.sender ?? sender,
    observe: (signal) => signals.push(signal),
    advanced: { sealingKeys, clock, random },
  });
  const worker = kit.worker();
  const request = inProcess([...kit.routes, ...routes(kit)]);

  const addClient: ScriptedHost<Tx, D[number]>['addClient'] = async (accountId) => {
    const added = await kit.clients.create(accountId, { name: 'Booking system' });
    if (added.isErr()) throw new Error(`The client was not added: ${added.error.code}.`);
    const { client, secretId, secret } = added.value;
    return { id: client.id, accountId, secretId, secret };
  };

  const trusted = new Map<string, string[]>();
  let endpoints = 0;
  const addEndpoint: ScriptedHost<Tx, D[number]>['addEndpoint'] = async (accountId, input) => {
    const url = `https://partner-${++endpoints}.example/webhooks`;
    const created = await kit.endpoints.create(accountId, {
      url,
      events: kit.catalogue.eventTypes,
      ...input,
    });
    if (created.isErr()) {
      const { error } = created;
      throw new Error(`The endpoint was not created: ${error.code}. ${error.message}`);
    }
    const { endpoint, secret } = created.value;
    const { id, url: stored = url } = endpoint;
    const secrets = [...(trusted.get(stored) ?? []), secret];
    trusted.set(stored, secrets);
    (stored === partner.url ? partner : sender.at(stored)).trust(...secrets);
    return { id, accountId, url: stored, secret };
  };

  let published = 0;
  const publish: ScriptedHost<Tx, D[number]>['publish'] = async (event = {}, tx) => {
    const { accountId = own.id, id = `object-${++published}`, data = {}, occurredAt, idempotencyKey } = event;
    const { objectName, type } = named(kit.catalogue as unknown as Catalogue, event as HostEvent<ObjectDefinition>);
    const input = {
      accountId,
      objectName,
      type,
      data: { ...data, id },
      ...(occurredAt === undefined ? {} : { occurredAt }),
    };
    // The kit validates the pair and the data.
    const { eventId } = await kit.events.publish(input as EventInput<D[number]>, {
      tx: tx ?? 'new',
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    return { eventId, accountId, objectName, type, id };
  };

  const deliveriesWait = async (): Promise<boolean> => {
    for (const accountId of directory.keys()) {
      const { items } = await storage.log.listDeliveries(accountId, { state: 'waiting' }, { limit: 1 });
      if (items.length > 0) return true;
    }
    return false;
  };
  const deliverAll = async (): Promise<number> => {
    let attempts = await worker.drain();
    for (let round = 0; await deliveriesWait(); round++) {
      if (round > maxAttempts)
        throw new Error('Deliveries wait, and no time passes for them: is their storage on `clock`?');
      await clock.pass(aDayOrSo);
      attempts += await worker.drain();
    }
    return attempts;
  };

  const client = await addClient(own.id);
  return {
    kit,
    storage,
    clock,
    accounts: { own, child, foreign },
    client,
    endpoint: await addEndpoint(own.id, { url: partner.url }),
    partner,
    sender,
    signals,
    setAccount: (changed) => {
      directory.set(changed.id, changed);
    },
    addClient,
    addEndpoint,
    publish,
    deliver: worker.drain,
    deliverAll,
    login: async ({ id, secret } = client) => {
      const response = await request('POST', `${rest.api?.basePath ?? '/api/v1/partner'}/login`, {
        json: { client_id: id, client_secret: secret, grant_type: 'client_credentials', scope: 'USER' },
      });
      if (response.status !== 200) throw new Error(`The login was refused: ${response.status} ${response.body}`);
      return (JSON.parse(response.body) as { readonly access_token: string }).access_token;
    },
    request,
  };
};
