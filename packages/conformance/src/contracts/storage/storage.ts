import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import type { Storage } from '@partnerkit/core/adapter';
import { dispatchAll, publish } from '../support/acts.ts';
import { type Cases, type ContractOptions, concurrently, runCases } from '../support/contract.ts';
import { whileBothOpen, whileOpen } from '../support/open-transaction.ts';
import { race, soon } from '../support/racers.ts';
import { client, endpoint, event, ours, theirs } from '../support/records.ts';
import { deliveriesOf, eventIdsOf } from '../support/stored.ts';
import { bringingCases } from './bringing.ts';
import { movingCases } from './moving.ts';
import { secretIdCases } from './secret-ids.ts';
import { secretCases } from './secrets-at-rest.ts';
import type { StorageFixture } from './storage-fixture.ts';

/** A transaction that is aborted while its work waits; `goOn` lets the work append more. */
const abortedWork = (storage: Storage<object>, reason: Error, ends: 'resolves' | 'rejects') => {
  const abort = new AbortController();
  let goOn: () => void = () => {};
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let late: Promise<unknown> = Promise.resolve();
  const working = storage.transaction(
    async (tx) => {
      await storage.events.append(tx, [event(), event({ accountId: theirs })]);
      abort.abort(reason);
      late = waiting.then(async () => {
        for (const accountId of [ours, theirs])
          await storage.events.append(tx, [event({ accountId })]).catch(() => undefined);
        if (ends === 'rejects') throw new Error('too late');
      });
      await late;
    },
    { signal: abort.signal },
  );
  return { working, goOn, late: () => late.catch(() => undefined) };
};

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
  'an aborted transaction rejects with the reason at once, and nothing of it is stored, however long its work goes on':
    async ({ storage }) => {
      for (const ends of ['resolves', 'rejects'] as const) {
        const before = [await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)];
        const reason = new Error('given up');
        const { working, late, goOn } = abortedWork(storage, reason, ends);
        await soon(
          rejects(working, (thrown) => thrown === reason),
          'the abort',
        );
        goOn();
        await late();
        deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], before);
      }
    },
  'work that goes on after an abort writes into no other transaction': async ({ storage }) => {
    const [kept, undone] = [event(), event({ accountId: theirs })];
    for (const [appended, end] of [
      [kept, 'commit'],
      [undone, 'rollback'],
    ] as const) {
      const { working, late, goOn } = abortedWork(storage, new Error('given up'), 'resolves');
      await soon(rejects(working), 'the abort');
      await whileOpen(storage, async (open) => {
        await storage.events.append(open.tx, [appended]);
        goOn();
        await late();
        await open[end]();
      });
    }
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[kept.id], []]);
  },
  'work that goes on after an abort writes into neither of two transactions': concurrently(async ({ storage }) => {
    const [kept, undone] = [event(), event({ accountId: theirs })];
    const { working, late, goOn } = abortedWork(storage, new Error('given up'), 'resolves');
    await soon(rejects(working), 'the abort');
    await whileBothOpen(storage, async (first, second) => {
      await storage.events.append(first.tx, [kept]);
      await storage.events.append(second.tx, [undone]);
      goOn();
      await late();
      await first.commit();
      await second.rollback();
    });
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[kept.id], []]);
  }),
  'a transaction that resolves although its work swallowed an error has stored the rest, or it rejects': async ({
    storage,
  }) => {
    const known = event();
    await publish(storage, [known]);
    const acknowledged: string[] = [];
    const isCommitted = await storage
      .transaction(async (tx) => {
        for (const each of [event(), { ...event(), id: known.id }, event()])
          await storage.events.append(tx, [each]).then(
            () => acknowledged.push(each.id),
            () => undefined,
          );
      })
      .then(
        () => true,
        () => false,
      );
    deepStrictEqual(await eventIdsOf(storage, ours), [known.id, ...(isCommitted ? acknowledged : [])]);
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
  ...secretIdCases,
  ...movingCases,
  ...bringingCases,
};

/**
 * Tests the obligations of a `Storage` beyond its single ports: transactions, similar account ids, no secret in clear
 * text at rest. The ports have their own suites.
 */
export const storageContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
