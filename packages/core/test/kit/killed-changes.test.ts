import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../src/base/audit/audit-entry.ts';
import { day, second } from '../../src/base/runtime/time.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import type { MemoryTransaction } from '../../src/stores/rows/memory/memory-rows.ts';
import type { Storage } from '../../src/stores/storage/storage.ts';
import type { HandlerContext, HandlerEvent } from '../../src/webhooks/handlers/handler.ts';
import { testClock } from '../support/clock.ts';
import { answered } from '../support/deliveries.ts';
import { eventsOf, platform } from '../support/kit.ts';

const idOf = ({ bodyTail }: { readonly bodyTail: string }): string => /"id":"([^"]+)"/.exec(bodyTail)?.[1] ?? '';

type MemoryStorage = Storage<MemoryTransaction>;
type Kit = ReturnType<typeof platform>['kit'];

/** Where a process is killed: at a call of its storage, or at a commit, before it has its effect or after. */
interface Death {
  /** The number of calls and commits before. */
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** A storage as a process sees it that is killed: nothing has an effect afterwards, and what is open is rolled back. */
const dying = (storage: MemoryStorage, { at, when }: Death) => {
  let points = 0;
  let isDead = false;
  /** Throws when the process is dead, or dies here before the effect; says whether it dies after the effect. */
  const pass = (): boolean => {
    if (isDead) throw new Error('dead');
    isDead = points++ === at;
    if (isDead && when === 'before') throw new Error('killed before the effect');
    return isDead;
  };
  const cut =
    (call: (...args: readonly unknown[]) => Promise<unknown>) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      const dies = pass();
      const answer = await call(...args);
      if (dies) throw new Error('killed after the effect');
      return answer;
    };
  const wrap = <P extends object>(port: P): P =>
    Object.fromEntries(Object.entries(port).map(([name, call]) => [name, name === 'watch' ? call : cut(call)])) as P;
  const { clients, secretIds, endpoints, events, shards, deliveries, parents, handlers, audit, log } = storage;
  const killed: MemoryStorage = {
    ...storage,
    ...{ clients: wrap(clients), secretIds: wrap(secretIds), endpoints: wrap(endpoints), events: wrap(events) },
    ...{ shards: wrap(shards), deliveries: wrap(deliveries), parents: wrap(parents), handlers: wrap(handlers) },
    ...{ audit: wrap(audit), log: wrap(log) },
    transaction: async (work, options) => {
      let dies = false;
      const value = await storage.transaction(async (tx) => {
        const done = await work(tx);
        dies = pass();
        return done;
      }, options);
      if (dies) throw new Error('killed after the commit');
      return value;
    },
  };
  return { storage: killed, hasDied: () => isDead };
};

const hook = { url: 'https://partner.example/hooks', events: ['payed'] } as const;
const types = [
  ...(['key.added', 'key.changed', 'key.deleted'] as const),
  ...(['endpoint.changed', 'secret.rotated', 'endpoint.disabled'] as const),
] as const;

/** What exists before the change. */
interface Ids {
  readonly clientId: string;
  readonly secretId: string;
  readonly endpointId: string;
}

/** A key, an endpoint whose receiver is gone, and a handler of changes whose effect is an event of another account. */
const world = async (prepare: (kit: Kit, ids: Ids) => Promise<unknown>) => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const process = (death?: Death) => {
    const seen = death ? dying(storage, death) : { storage, hasDied: () => false };
    const { kit } = platform({ clock, storage: seen.storage, sender: memorySender(() => answered(410)) });
    const handle = async ({ id }: HandlerEvent, { tx }: HandlerContext & { readonly tx: MemoryTransaction }) => {
      const event = { accountId: 'acc_b', objectName: 'RequestPayment', type: 'payed', data: { id } } as const;
      await kit.events.publish(event, { tx });
    };
    const events = types.map((type) => `Operations.${type}` as const);
    const worker = kit.worker({ handlers: { ledger: { events, transaction: true, handle } } as never });
    /** Works until nothing is left to do, or for as long as a process lives. */
    const drain = async (): Promise<void> => {
      let isDone = false;
      const end = (): void => {
        isDone = true;
      };
      worker.drain().then(end, end);
      const hasEnded = (): boolean => isDone || seen.hasDied();
      for (let seconds = 0; !hasEnded() && seconds < 120; seconds++) await clock.advance(second);
      expect(hasEnded(), 'a worker ends').toBe(true);
    };
    return { kit, drain, hasDied: seen.hasDied };
  };
  const first = process();
  const { client, secretId } = (await first.kit.clients.create('acc_a', { name: 'Till' }))._unsafeUnwrap();
  const { id: endpointId } = (await first.kit.endpoints.create('acc_a', hook))._unsafeUnwrap().endpoint;
  const ids = { clientId: client.id, secretId, endpointId };
  // From now on the handler is told.
  await first.drain();
  await prepare(first.kit, ids);
  const known = new Set((await first.kit.audit.list('acc_a'))._unsafeUnwrap().items.map(({ id }) => id));

  /** What keys and endpoints are, as the storage has them. A version changes nothing by itself. */
  const state = async () => {
    const { items } = await storage.clients.listClients('acc_a', {});
    const endpoint = await storage.endpoints.findEndpoint('acc_a', endpointId);
    return JSON.stringify({ items, endpoint }, (name, value) => (name === 'version' ? undefined : value));
  };
  /** The entries of a type that came after the preparations. */
  const entries = async (type: AuditEntry['type']): Promise<readonly string[]> =>
    (await first.kit.audit.list('acc_a'))
      ._unsafeUnwrap()
      .items.filter((entry) => entry.type === type && !known.has(entry.id))
      .map(({ id }) => id);
  /** What the handler was called for, and committed. */
  const effects = async (): Promise<readonly string[]> =>
    (await eventsOf(storage, 'acc_b')).map(idOf).filter((id) => !known.has(id));
  /** Lets another process go on until nothing of the killed one is left. */
  const goOn = async (): Promise<void> => {
    const other = process();
    for (let days = 0; days < 3; days++) {
      clock.set(clock.now() + day);
      await other.drain();
    }
  };
  return { process, ids, state, entries, effects, goOn };
};

interface Change {
  readonly type: (typeof types)[number];
  readonly prepare?: (kit: Kit, ids: Ids) => Promise<unknown>;
  /** The change, and what its worker does by itself. */
  readonly act: (process: { readonly kit: Kit; readonly drain: () => Promise<void> }, ids: Ids) => unknown;
}

const prepareSecret = async (kit: Kit, { endpointId }: Ids) =>
  (await kit.endpoints.prepareSecret('acc_a', endpointId))._unsafeUnwrap();
const payed = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p1' } } as const;

const changes: Readonly<Record<string, Change>> = {
  'an API key is made': { type: 'key.added', act: ({ kit }) => kit.clients.create('acc_a', { name: 'Desk' }) },
  'a secret is added to an API key': {
    type: 'key.changed',
    act: ({ kit }, { clientId }) => kit.clients.addSecret('acc_a', clientId),
  },
  'a secret of an API key is revoked': {
    type: 'key.changed',
    act: ({ kit }, { clientId, secretId }) => kit.clients.revokeSecret('acc_a', clientId, secretId),
  },
  'an API key is deleted': {
    type: 'key.deleted',
    act: ({ kit }, { clientId }) => kit.clients.delete('acc_a', clientId),
  },
  'the next webhook secret is made': {
    type: 'endpoint.changed',
    act: ({ kit }, { endpointId }) => kit.endpoints.prepareSecret('acc_a', endpointId),
  },
  'the next webhook secret is activated': {
    type: 'secret.rotated',
    prepare: prepareSecret,
    act: ({ kit }, { endpointId }) => kit.endpoints.activateSecret('acc_a', endpointId),
  },
  'an endpoint is disabled by hand': {
    type: 'endpoint.disabled',
    act: ({ kit }, { endpointId }) => kit.endpoints.disable('acc_a', endpointId),
  },
  'an endpoint is disabled by the breaker': {
    type: 'endpoint.disabled',
    prepare: (kit) => kit.events.publish(payed, { tx: 'new' }),
    act: ({ drain }) => drain(),
  },
};

/** Every way to be killed within `run`, which resolves to whether its process died. */
const everyDeath = async (run: (death: Death) => Promise<boolean>): Promise<number> => {
  let deaths = 0;
  for (const when of ['before', 'after'] as const) for (let at = 0; await run({ at, when }); at++) deaths++;
  return deaths;
};

describe('a process is killed at any call or commit', () => {
  test.each(Object.entries(changes))(
    '%s: an entry exists if and only if the change does, and has one effect',
    async (_how, { type, prepare = async () => undefined, act }) => {
      const numbers = new Set<number>();
      const deaths = await everyDeath(async (death) => {
        const { process, ids, state, entries, effects, goOn } = await world(prepare);
        const before = await state();
        const killed = process(death);
        await Promise.resolve(act(killed, ids)).catch(() => undefined);
        const isMade = (await state()) !== before;
        numbers.add((await entries(type)).length);
        expect(await entries(type), `${death.when} ${death.at}`).toHaveLength(isMade ? 1 : 0);
        await goOn();
        const made = await entries(type);
        expect(made, `${death.when} ${death.at}`).toHaveLength((await state()) === before ? 0 : 1);
        expect(await effects(), `${death.when} ${death.at}`).toEqual(made);
        return killed.hasDied();
      });
      expect(deaths).toBeGreaterThanOrEqual(2);
      expect(numbers).toEqual(new Set([0, 1]));
    },
  );

  test.each(['an API key is made', 'an endpoint is disabled by hand'])(
    '%s: the handler of its entry has one effect',
    async (how) => {
      const { type, act } = changes[how] as Change;
      const deaths = await everyDeath(async (death) => {
        const { process, ids, entries, effects, goOn } = await world(async () => undefined);
        await act(process(), ids);
        const killed = process(death);
        await killed.drain();
        await goOn();
        const made = await entries(type);
        expect(made).toHaveLength(1);
        expect(await effects(), `${death.when} ${death.at}`).toEqual(made);
        return killed.hasDied();
      });
      expect(deaths).toBeGreaterThanOrEqual(10);
    },
  );
});
