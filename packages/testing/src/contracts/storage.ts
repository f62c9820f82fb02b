import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import { dispatchAll, publish } from './acts.ts';
import { type Cases, type ContractOptions, runCases } from './contract.ts';
import { race } from './racers.ts';
import { client, endpoint, event, ours, theirs } from './records.ts';
import { secretCases } from './secrets-at-rest.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { deliveriesOf, eventIdsOf } from './stored.ts';

const cases: Cases<StorageFixture> = {
  'a transaction commits when its work resolves, and resolves to the same': async ({ storage }) => {
    const [own, other] = [event(), event({ accountId: theirs })];
    const value = { some: 'value' };
    const result = await storage.transaction(async (tx) => {
      await storage.events.append(tx, [own]);
      await storage.events.append(tx, [other]);
      return value;
    });
    strictEqual(result, value);
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[own.id], [other.id]]);
  },
  'a transaction rolls back when its work rejects, and rejects with the same': async ({ storage }) => {
    for (const cause of [new Error('the host changed its mind'), 'no error at all', undefined]) {
      const work = storage.transaction(async (tx) => {
        await storage.events.append(tx, [event(), event({ accountId: theirs })]);
        throw cause;
      });
      await rejects(work, (thrown) => thrown === cause);
    }
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[], []]);
  },
  'a transaction that throws synchronously rejects, and the next one works': async ({ storage }) => {
    const cause = new Error('at once');
    const work = storage.transaction(() => {
      throw cause;
    });
    await rejects(work, (thrown) => thrown === cause);
    await publish(storage, [event(), event({ accountId: theirs })]);
    strictEqual((await eventIdsOf(storage, ours)).length, 1);
  },
  'a transaction that cannot store one event stores none': async ({ storage }) => {
    const [known, other] = [event(), event({ accountId: theirs })];
    await publish(storage, [known, other]);
    await rejects(publish(storage, [event(), { ...event(), id: known.id }, event({ accountId: theirs })]));
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[known.id], [other.id]]);
    await dispatchAll(storage);
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[known.id], [other.id]]);
  },
  'simultaneous transactions are independent': async ({ storage }) => {
    const all = await race(async (index) => {
      const appended = event({ accountId: index % 2 ? ours : theirs });
      const rollsBack = index % 4 < 2;
      await storage
        .transaction(async (tx) => {
          await storage.events.append(tx, [appended]);
          if (rollsBack) throw new Error('rolled back');
        })
        .catch(() => undefined);
      return { ...appended, rollsBack };
    });
    for (const accountId of [ours, theirs]) {
      const committed = all.filter((each) => each.accountId === accountId && !each.rollsBack).map(({ id }) => id);
      deepStrictEqual((await eventIdsOf(storage, accountId)).toSorted(), committed.toSorted());
    }
  },
  'accounts with similar ids are different accounts': async ({ storage }) => {
    const ids = ['org-é 1', 'ORG-É 1', 'org-é 1 ', 'org-e\u0301 1', 'org-é 1%', 'org-é_1'];
    const made = new Map<string, readonly [string, string, string]>();
    for (const accountId of ids) {
      const [key, hook, happened] = [
        client({ accountId }),
        endpoint({ accountId }),
        event({ accountId, objectId: 'o' }),
      ];
      await storage.clients.insertClient(key);
      strictEqual(await storage.endpoints.insertEndpoint(hook, 1), true);
      await publish(storage, [{ ...happened, idempotencyKey: 'key' }]);
      made.set(accountId, [key.id, hook.id, happened.id]);
    }
    await dispatchAll(storage, ({ accountId }) => ({ endpointIds: made.get(accountId)?.slice(1, 2) ?? [] }));
    for (const [accountId, [clientId, endpointId, eventId]] of made) {
      const { items: clients } = await storage.clients.listClients(accountId, {});
      const { items: endpoints } = await storage.endpoints.listEndpoints(accountId, {});
      const { items: events } = await storage.events.listEvents(accountId, {});
      const deliveries = await deliveriesOf(storage, accountId);
      deepStrictEqual(
        [clients, endpoints, events].map((items) => items.map(({ id }) => id)),
        [[clientId], [endpointId], [eventId]],
      );
      deepStrictEqual(
        deliveries.map((each) => [each.endpointId, each.eventId]),
        [[endpointId, eventId]],
      );
    }
  },
  ...secretCases,
};

/**
 * Tests the obligations of a `Storage` beyond its single ports: transactions, similar account ids, no secret in clear
 * text at rest. The ports have their own suites.
 * @example
 * // `create` as {@link StorageFixture} shows it.
 * for (const contract of [
 *   storageContract,
 *   clientStoreContract,
 *   endpointStoreContract,
 *   eventStoreContract,
 *   shardStoreContract,
 *   deliveryStoreContract,
 *   parentPropagationContract,
 *   deliveryLogContract,
 * ])
 *   contract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const storageContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
