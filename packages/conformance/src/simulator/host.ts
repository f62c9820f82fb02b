import { defineObject, type EndpointInput, type EpochMs, type Partnerkit } from '@partnerkit/core';
import type { Endpoint, SendingScope, Storage } from '@partnerkit/core/adapter';
import { z } from 'zod';
import type { History, ScriptedAct, ScriptedTransaction } from './history.ts';
import type { Machines } from './machines.ts';
import { receiverUrl } from './network.ts';
import type { Prng } from './prng.ts';
import type { Scheduler } from './scheduler.ts';
import type { Call, PublishedEvent } from './trace.ts';

/** The object that histories publish. */
export const deposit = defineObject('RequestSecurityDeposit', {
  schema: z.object({ id: z.string(), n: z.number() }),
  events: { default: ['n'] },
});

const unpublished = { schema: z.object({ id: z.string() }), events: { default: [] } } as const;
/** The objects of histories: endpoints may select events that no history publishes. */
export const objects = [
  deposit,
  defineObject('RequestPayment', unpublished),
  defineObject('ModelRequestPayment', unpublished),
  defineObject('ModelRequestSecurityDeposit', unpublished),
] as const;

export type Kit<Tx extends object> = Partnerkit<Tx, (typeof objects)[number]>;

const scopeOf = {
  everything: () => ({}),
  account: (accountId) => ({ accountId }),
  endpoint: (accountId, endpointId) => ({ accountId, endpointId }),
} satisfies Record<string, (accountId: string, endpointId: string) => SendingScope>;

class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

export interface HostDeps<Tx extends object> {
  readonly history: History;
  readonly accountIds: readonly string[];
  readonly machines: Pick<Machines<Tx>, 'on'>;
  readonly scheduler: Scheduler;
  readonly prng: Prng;
  readonly calls: readonly Call[];
  readonly storeTime: () => EpochMs;
}

/** Acts of the host, and of its partners through it. */
export const createHost = <Tx extends object>({
  history,
  accountIds,
  machines,
  scheduler,
  prng,
  calls,
  storeTime,
}: HostDeps<Tx>) => {
  const published: PublishedEvent[] = [];
  const endpointIds: string[] = [];
  const clear = new Map<string, string>();
  /** Published events by their transaction. */
  const transactions = new Map<object, readonly PublishedEvent[]>();
  let numbered = 0;
  let keys = 0;

  const host = (): { readonly kit: Kit<Tx>; readonly storage: Storage<Tx> } | undefined => machines.on(0);
  const accountOf = (account: number): string => accountIds[account % accountIds.length] as string;
  const ownerOf = (endpoint: number): string => accountOf(history.endpoints[endpoint]?.account ?? 0);

  /** The sealed value that a change since then has set; `undefined` when another change may have set it. */
  const sealedSince = (
    begunAt: EpochMs,
    endpointId: string,
    sealedOf: (endpoint: Endpoint) => string | undefined,
  ): string | undefined => {
    const found = new Set<string>();
    for (const { name, args, sentAt, result } of calls as readonly Call<'endpoints.replaceEndpoint'>[]) {
      if (name !== 'endpoints.replaceEndpoint' || result !== true || sentAt < begunAt) continue;
      const sealed = args[0].id === endpointId ? sealedOf(args[0]) : undefined;
      if (sealed !== undefined && !clear.has(sealed)) found.add(sealed);
    }
    return found.size === 1 ? [...found][0] : undefined;
  };

  const deliveryHeader = (endpoint: number): NonNullable<EndpointInput['deliveryHeader']> => ({
    name: 'X-Partner-Key',
    value: `key-${endpoint}-${++keys}`,
  });

  const create = async (endpoint: number): Promise<void> => {
    const script = history.endpoints[endpoint] as History['endpoints'][number];
    const key = script.hasDeliveryHeader ? deliveryHeader(endpoint) : undefined;
    const { events, includeChildren, standardWebhooks } = script;
    const made = await host()?.kit.endpoints.create(ownerOf(endpoint), {
      ...{ url: receiverUrl(endpoint), events, includeChildren, standardWebhooks },
      ...(key ? { deliveryHeader: key } : {}),
    });
    if (!made?.isOk()) throw new Error('The endpoint was refused.');
    const { id } = made.value.endpoint;
    endpointIds[endpoint] = id;
    const row = (calls as readonly Call<'endpoints.insertEndpoint'>[]).find(
      ({ name, args }) => name === 'endpoints.insertEndpoint' && args[0].id === id,
    )?.args[0];
    if (row?.secret) clear.set(row.secret, made.value.secret);
    if (row?.deliveryHeader && key) clear.set(row.deliveryHeader.value, key.value);
  };

  /** The content of an idempotency key is the same each time. */
  const eventOf = ({ account, object, type, age, idempotencyKey }: ScriptedTransaction['events'][number]) => {
    const accountId = accountOf(account);
    const keyed = idempotencyKey === undefined ? undefined : Number(idempotencyKey.slice(1));
    return {
      accountId,
      objectName: 'RequestSecurityDeposit' as const,
      type: keyed === undefined ? type : 'creation',
      data: {
        id: `object-${keyed ?? object}`,
        n: keyed === undefined ? numbered++ : 1_000_000 + 100 * accountIds.indexOf(accountId) + keyed,
      },
      ...(age === undefined || keyed !== undefined ? {} : { occurredAt: Math.max(storeTime() - age, 0) }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    };
  };

  const transact = async ({ openFor, end, events }: ScriptedTransaction): Promise<void> => {
    const [running, up] = [machines.on(0), host()];
    if (!running || !up) return;
    const inputs = events.map(eventOf);
    const notes = inputs.map(
      ({ data, accountId, type, objectName: _name, ...rest }): PublishedEvent => ({
        ...rest,
        ...{ n: data.n, accountId, object: data.id, type },
        ...{ begunAt: scheduler.now(), begunInStore: storeTime(), end: 'unknown' },
      }),
    );
    published.push(...notes);
    const learn = (learned: PublishedEvent['end']): void => {
      for (const note of notes) note.end = learned;
    };
    try {
      if (events.length === 1 && end === 'commit' && openFor === 0) {
        await up.kit.events.publishMany(inputs, { tx: 'new' });
      } else {
        await up.storage.transaction(async (tx) => {
          transactions.set(tx, notes);
          if (prng.chance(0.5)) await up.kit.events.publishMany(inputs, { tx });
          else
            for (const { idempotencyKey, ...input } of inputs)
              await up.kit.events.publish(input, { tx, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
          if (openFor > 0) await running.process.clock.sleep(openFor, new AbortController().signal);
          if (end === 'rollback') throw new RolledBack();
        });
      }
      learn('committed');
    } catch (cause) {
      if (Object(cause).name === 'RolledBack') learn('rolled back');
    }
  };

  const replayAll = async (
    { kit }: { readonly kit: Kit<Tx> },
    accountId: string,
    endpointId: string,
  ): Promise<void> => {
    for (let after: string | undefined, batches = 0; batches < 20; batches++) {
      // Clocks of hosts may be ahead by days.
      const range = { from: 0, to: storeTime() + 30 * 86_400_000, ...(after === undefined ? {} : { after }) };
      const replayed = await kit.deliveries.replay(accountId, endpointId, range);
      if (replayed.isErr() || replayed.value.next === undefined) return;
      after = replayed.value.next;
    }
  };

  const actOn = async (act: ScriptedAct): Promise<void> => {
    const up = host();
    const endpointId = endpointIds[act.endpoint];
    if (!up || endpointId === undefined) return;
    const { endpoints, deliveries, events, sending } = up.kit;
    const accountId = ownerOf(act.endpoint);
    const begunAt = scheduler.now();
    // A partner makes one attempt, refused or not.
    switch (act.kind) {
      case 'disable':
      case 'enable':
      case 'resume':
      case 'delete':
        return void (await endpoints[act.kind](accountId, endpointId));
      case 'cancel':
        return void (await endpoints.cancelSecret(accountId, endpointId));
      case 'activate':
        return void (await endpoints.activateSecret(accountId, endpointId));
      case 'activate later': {
        const at = (machines.on(0)?.process.clock.now() ?? 0) + 20_000;
        return void (await endpoints.activateSecret(accountId, endpointId, { at }));
      }
      case 'prepare': {
        const prepared = await endpoints.prepareSecret(accountId, endpointId);
        const next = sealedSince(begunAt, endpointId, ({ nextSecret }) => nextSecret);
        if (prepared.isOk() && next !== undefined) clear.set(next, prepared.value.secret);
        return;
      }
      case 'new api key': {
        const key = deliveryHeader(act.endpoint);
        const updated = await endpoints.update(accountId, endpointId, { deliveryHeader: key });
        const sealed = sealedSince(begunAt, endpointId, ({ deliveryHeader }) => deliveryHeader?.value);
        if (updated.isOk() && sealed !== undefined) clear.set(sealed, key.value);
        return;
      }
      case 'no api key':
        return void (await endpoints.update(accountId, endpointId, { deliveryHeader: null }));
      case 'move':
        return void (await endpoints.update(accountId, endpointId, { url: `${receiverUrl(act.endpoint)}${act.at}` }));
      case 'select':
        return void (await endpoints.update(accountId, endpointId, {
          events: act.events,
          includeChildren: act.includeChildren,
        }));
      case 'send test': {
        const n = numbered++;
        const note: PublishedEvent = {
          ...{ n, accountId, object: '', type: 'check_in', onlyTo: endpointId },
          ...{ begunAt: scheduler.now(), begunInStore: storeTime(), end: 'unknown' },
        };
        published.push(note);
        const data = { n };
        const sent = await events.sendTest(accountId, endpointId, {
          ...{ objectName: 'RequestSecurityDeposit', type: 'check_in', data },
        });
        if (sent.isOk()) note.end = 'committed';
        return;
      }
      case 'pause sending':
        return void (await sending.pause(scopeOf[act.scope](accountId, endpointId)));
      case 'resume sending':
        return void (await sending.resume(scopeOf[act.scope](accountId, endpointId)));
      case 'replay':
        return replayAll(up, accountId, endpointId);
      case 'send again': {
        const found = await deliveries.list(accountId, { endpointId, page: { limit: 1, newestFirst: true } });
        const [latest] = found.isOk() ? found.value.items : [];
        return latest && void (await deliveries.sendAgain(accountId, latest.id));
      }
    }
  };

  return { published, transactions, endpointIds, clear, create, transact, act: actOn };
};
