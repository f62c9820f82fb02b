import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { day, minute, second } from '@partnerkit/core';
import {
  type ClaimedDelivery,
  type HandlerSettlement,
  type HandlerStore,
  type NewEvent,
  shardCount,
} from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  allShards,
  dispatchAll,
  dropEvents,
  events,
  markSettled,
  publish,
  takeShards,
  worker,
} from '../support/acts.ts';
import { type Cases, type ContractOptions, concurrently, runCases, whateverTheClocks } from '../support/contract.ts';
import { whileBothOpen, whileOpen } from '../support/open-transaction.ts';
import { allPages } from '../support/pages.ts';
import { race, soon } from '../support/racers.ts';
import { event, newId, ours, theirs } from '../support/records.ts';
import { findEvent, stored } from '../support/stored.ts';

const ledger = { name: 'ledger', events: ['payed'] } as const;
const other = { name: 'other', events: ['RequestPayment.payed'] } as const;
/** How an attempt ends. */
type Ending = Omit<HandlerSettlement, 'claimed'>;
/** Longer than any case takes, so that nothing becomes due by itself. */
const pauses = [day, day, day] as const;
const handled: Ending = { outcome: 'handled', durationMs: 12 };
const failed: Ending = { outcome: 'failed', durationMs: 7, retryIn: minute };
const exhausting: Ending = { outcome: 'timed_out', durationMs: 9 };

/** Ends the attempt of one claim; resolves to whether it did. */
const settle = async <Tx extends object>(
  handlers: Pick<HandlerStore<Tx>, 'settle'>,
  claimed: ClaimedDelivery,
  ending: Ending,
  tx?: Tx,
): Promise<boolean> => {
  const [isSettled, ...others] = await handlers.settle([{ claimed, ...ending }], tx);
  deepStrictEqual(others, []);
  return isSettled === true;
};

/** A storage with the handler `ledger`. */
interface HandlerWorld extends StorageFixture {
  /** Commits events, and dispatches them to handlers. */
  deliver(count: number, change?: Partial<NewEvent>, to?: readonly string[]): Promise<readonly NewEvent[]>;
  claim(limit?: number, after?: string): Promise<readonly ClaimedDelivery[]>;
  /** The first delivery that can be claimed. */
  claimOne(): Promise<ClaimedDelivery>;
  statesOf(event: Pick<NewEvent, 'accountId' | 'id'>): Promise<readonly string[]>;
}

const open = async (fixture: StorageFixture): Promise<HandlerWorld> => {
  const { storage } = fixture;
  const { handlers } = storage;
  await takeShards(storage);
  strictEqual(await handlers.register([ledger], 100), false);
  const claim: HandlerWorld['claim'] = (limit = 10, after) => handlers.claim('ledger', limit, pauses, after);
  return {
    ...fixture,
    deliver: async (count, change, to = ['ledger']) => {
      const published = events(count, change);
      await publish(storage, published);
      await dispatchAll(storage, () => ({ handlers: to }));
      return published;
    },
    claim,
    claimOne: async () => {
      const [claimed] = await claim(1);
      ok(claimed, 'a delivery is due');
      return claimed;
    },
    statesOf: async ({ accountId, id: eventId }) =>
      (await handlers.listDeliveries({ accountId, eventId }, {})).items.map(
        ({ handler, state }) => `${handler} ${state}`,
      ),
  };
};

const handling = (act: (world: HandlerWorld) => Promise<void>) => async (fixture: StorageFixture) =>
  act(await open(fixture));

const idsOf = (claimed: readonly { readonly eventId: string }[]): readonly string[] =>
  claimed.map(({ eventId }) => eventId);

const stateOf = async ({ storage }: StorageFixture, known: number) =>
  storage.deliveries.readOutbox([{ shard: 0 }], 1, known);

const cases: Cases<StorageFixture> = {
  'a new handler, and other events of one, raise the version of every shard; the same again raises none': async (
    fixture,
  ) => {
    const { handlers } = fixture.storage;
    const before = await stateOf(fixture, 0);
    strictEqual(before.handlers, undefined);
    strictEqual(await handlers.register([ledger, other], 100), false);
    const first = await stateOf(fixture, before.endpointVersion);
    ok(first.endpointVersion > before.endpointVersion);
    deepStrictEqual([first.handlers, first.changedShards.length], [[ledger, other], shardCount]);
    await handlers.register([other], 100);
    await handlers.register([{ name: 'ledger' }, { name: 'unknown' }], 100);
    const same = await stateOf(fixture, first.endpointVersion);
    deepStrictEqual([same.endpointVersion, same.handlers], [first.endpointVersion, undefined]);
    await handlers.register([{ ...ledger, events: ['creation'] }], 100);
    const last = await stateOf(fixture, first.endpointVersion);
    deepStrictEqual(last.handlers, [{ ...ledger, events: ['creation'] }, other]);
    strictEqual(last.changedShards.length, shardCount);
  },
  'an event has one delivery for each of its handlers; a handler that is not registered gets none': handling(
    async ({ storage, deliver, claim, statesOf }) => {
      await storage.handlers.register([other], 100);
      const [both] = await deliver(1, {}, ['ledger', 'other', 'unknown']);
      const [none] = await deliver(1, {}, []);
      ok(both && none);
      deepStrictEqual(await statesOf(both), ['ledger waiting', 'other waiting']);
      deepStrictEqual(await statesOf(none), []);
      deepStrictEqual(idsOf(await claim()), [both.id]);
      deepStrictEqual(idsOf(await storage.handlers.claim('unknown', 10, pauses)), []);
      deepStrictEqual(idsOf(await storage.handlers.claim('other', 10, pauses)), [both.id]);
    },
  ),
  'a claimed delivery has its event, and cannot be claimed before its pause has passed': handling(async (world) => {
    const { storage, deliver, claimOne, claim, elapse } = world;
    const [published] = await deliver(1);
    ok(published);
    const first = await claimOne();
    deepStrictEqual(first.event, await findEvent(storage, ours, published.id));
    const { accountId, eventId, handler, attempts } = first;
    deepStrictEqual(
      { accountId, eventId, handler, attempts },
      { ...{ accountId: ours, eventId: published.id }, handler: 'ledger', attempts: 1 },
    );
    await elapse(day - minute);
    deepStrictEqual(await claim(), []);
    await elapse(2 * minute);
    const second = await claimOne();
    strictEqual(second.attempts, 2);
    ok(second.dueAt > first.dueAt);
  }),
  'of simultaneous claims, exactly one gets a delivery': handling(async ({ deliver, claim }) => {
    const published = await deliver(5);
    // Each passes over what others have locked at that moment: some may be left for the next.
    const all = [...(await race(() => claim(2))).flat(), ...(await claim()), ...(await claim())];
    deepStrictEqual(idsOf(all).toSorted(), published.map(({ id }) => id).toSorted());
  }),
  'at most as many are claimed as asked for, none for 0': handling(async ({ deliver, claim }) => {
    await deliver(5);
    deepStrictEqual([await claim(0), (await claim(2)).length, (await claim(10)).length], [[], 2, 3]);
  }),
  'after as many claims as pauses, one that is due becomes exhausted': handling(async (world) => {
    const { storage, deliver, claimOne, claim, elapse, statesOf } = world;
    const [published] = await deliver(1);
    ok(published);
    for (const number of [1, 2, 3]) {
      strictEqual((await claimOne()).attempts, number);
      await elapse(day + second);
    }
    deepStrictEqual(await claim(), []);
    deepStrictEqual(await statesOf(published), ['ledger exhausted']);
    const [delivery] = (await storage.handlers.listDeliveries({ handler: 'ledger' }, {})).items;
    deepStrictEqual(
      [delivery?.attempts, delivery?.log.map(({ outcome }) => outcome)],
      [3, [undefined, undefined, undefined]],
    );
  }),
  'a handled delivery is never claimed again': handling(async (world) => {
    const { storage, deliver, claimOne, claim, elapse, statesOf } = world;
    const [published] = await deliver(1);
    ok(published);
    strictEqual(await settle(storage.handlers, await claimOne(), handled), true);
    await elapse(5 * day);
    deepStrictEqual(await claim(), []);
    deepStrictEqual(await statesOf(published), ['ledger handled']);
  }),
  ...whateverTheClocks('a failed delivery is due after its retry, and has a log', async (fixture) => {
    const world = await open(fixture);
    const { storage, deliver, claimOne, claim, elapse, storeNow } = world;
    const [published] = await deliver(1);
    ok(published);
    const from = await storeNow();
    strictEqual(await settle(storage.handlers, await claimOne(), failed), true);
    const until = await storeNow();
    await elapse(minute - second);
    deepStrictEqual(await claim(), []);
    await elapse(2 * second);
    strictEqual(await settle(storage.handlers, await claimOne(), { ...failed, outcome: 'timed_out' }), true);
    const [delivery] = (await storage.handlers.listDeliveries({ accountId: ours, eventId: published.id }, {})).items;
    ok(delivery?.state === 'waiting' && delivery.dueAt !== undefined);
    deepStrictEqual(
      delivery.log.map(({ outcome, durationMs }) => [outcome, durationMs]),
      [
        ['failed', 7],
        ['timed_out', 7],
      ],
    );
    const at = delivery.log[0]?.at ?? 0;
    ok(at >= Math.floor(from) - 1 && at <= until + 1, 'the time of the claim, by the clock of the store');
  }),
  'a claim that is no longer current settles nothing': handling(async (world) => {
    const { storage, deliver, claimOne, elapse, statesOf } = world;
    const { handlers } = storage;
    const [published] = await deliver(1);
    ok(published);
    const late = await claimOne();
    await elapse(day + second);
    const current = await claimOne();
    for (const each of [handled, failed, exhausting]) strictEqual(await settle(handlers, late, each), false);
    strictEqual(await whileSettling(storage, late), false);
    strictEqual(await settle(handlers, current, handled), true);
    for (const each of [handled, failed, exhausting]) strictEqual(await settle(handlers, current, each), false);
    deepStrictEqual(await statesOf(published), ['ledger handled']);
  }),
  'of many claims settled in one call, each ends by itself: those that are no longer current are named': handling(
    async (world) => {
      const { storage, deliver, claim, claimOne, elapse, statesOf } = world;
      await deliver(2, { accountId: 'acc_b' });
      await deliver(2);
      const late = await claimOne();
      await elapse(day + second);
      const claimed = await claim();
      strictEqual(claimed.length, 4);
      const [first, second_, third, fourth] = claimed;
      ok(first && second_ && third && fourth);
      const ends = [
        { claimed: fourth, ...failed },
        { claimed: late, ...handled },
        { claimed: first, ...handled },
        { claimed: third, ...exhausting },
      ];
      deepStrictEqual(await storage.handlers.settle(ends), [true, false, true, true]);
      deepStrictEqual(await storage.handlers.settle([]), []);
      const stateOfClaim = ({ accountId, eventId: id }: ClaimedDelivery) => statesOf({ accountId, id });
      deepStrictEqual(
        [await stateOfClaim(first), await stateOfClaim(third)],
        [['ledger handled'], ['ledger exhausted']],
      );
      await elapse(2 * minute);
      deepStrictEqual(idsOf(await claim()), [fourth.eventId]);
      strictEqual(await settle(storage.handlers, second_, handled), true);
    },
  ),
  'a settlement takes effect with its transaction': handling(async (world) => {
    const { storage, deliver, claimOne, claim, elapse, statesOf } = world;
    const { handlers } = storage;
    const [published] = await deliver(1);
    ok(published);
    const first = await claimOne();
    const stop = new Error('rolled back');
    const rolledBack = storage.transaction(async (tx) => {
      strictEqual(await settle(handlers, first, handled, tx), true);
      throw stop;
    });
    await rejects(rolledBack, stop);
    deepStrictEqual(await statesOf(published), ['ledger waiting']);
    await elapse(day + second);
    const second_ = await claimOne();
    await storage.transaction(async (tx) => {
      await storage.events.append(tx, [event({ accountId: theirs })]);
      strictEqual(await settle(handlers, second_, handled, tx), true);
    });
    deepStrictEqual(await statesOf(published), ['ledger handled']);
    await elapse(5 * day);
    deepStrictEqual(await claim(), []);
  }),
  'of two transactions, one settles a delivery': concurrently(
    handling(async ({ storage, deliver, claimOne }) => {
      await deliver(1);
      const claimed = await claimOne();
      await whileBothOpen(storage, async (first, second) => {
        strictEqual(await settle(storage.handlers, claimed, handled, first.tx), true);
        const later = settle(storage.handlers, claimed, handled, second.tx);
        later.catch(() => undefined);
        await first.commit();
        strictEqual(await later.catch(() => false), false);
      });
    }),
  ),
  'an open transaction that has settled a delivery delays no claim': concurrently(
    handling(async ({ storage, deliver, claimOne, claim, elapse }) => {
      const [first, second] = await deliver(2);
      ok(first && second);
      const claimed = await claimOne();
      await elapse(day + minute);
      await whileOpen(storage, async (transaction) => {
        strictEqual(await settle(storage.handlers, claimed, handled, transaction.tx), true);
        deepStrictEqual(idsOf(await soon(claim(), 'a claim')), [second.id]);
      });
    }),
  ),
  'accounts take turns': handling(async ({ deliver, claim }) => {
    await deliver(30, { accountId: 'acc_a' });
    await deliver(2, { accountId: 'acc_b' });
    await deliver(1, { accountId: 'acc_c' });
    const accountsOf = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ accountId }) => accountId);
    deepStrictEqual(accountsOf(await claim(4)), ['acc_a', 'acc_b', 'acc_c', 'acc_a']);
    deepStrictEqual(accountsOf(await claim(2, 'acc_a')), ['acc_b', 'acc_a']);
    deepStrictEqual(accountsOf(await claim(2, 'acc_b')), ['acc_a', 'acc_a']);
  }),
  'of one account, the longest due comes first': handling(async ({ deliver, claim, elapse }) => {
    const ids: string[] = [];
    for (let number = 0; number < 6; number++) {
      ids.push(...(await deliver(1)).map(({ id }) => id));
      await elapse(second);
    }
    deepStrictEqual([...idsOf(await claim(2)), ...idsOf(await claim(2)), ...idsOf(await claim(2))], ids);
  }),
  'exhausted deliveries are listed in pages, and sent again; no others are': handling(async (world) => {
    const { storage, deliver, claim, claimOne, statesOf } = world;
    const { handlers } = storage;
    const published = await deliver(5);
    for (const each of await claim()) strictEqual(await settle(handlers, each, exhausting), true);
    const list = (newestFirst: boolean) =>
      allPages((page) => handlers.listDeliveries({ handler: 'ledger' }, { ...page, limit: 2, newestFirst }));
    const ids = published.map(({ id }) => id);
    deepStrictEqual(idsOf(await list(false)), ids);
    deepStrictEqual(idsOf(await list(true)), ids.toReversed());
    strictEqual((await handlers.listDeliveries({ handler: 'ledger' }, { after: 'no id' })).invalidCursor, true);
    const [first] = published;
    ok(first);
    const key = { accountId: ours, eventId: first.id, handler: 'ledger' };
    strictEqual(await handlers.sendAgain(key), 'exhausted');
    strictEqual(await handlers.sendAgain(key), 'waiting');
    strictEqual((await claimOne()).attempts, 1);
    deepStrictEqual(await statesOf(first), ['ledger waiting']);
    const settled = await deliver(1);
    await settle(handlers, await claimOne(), handled);
    for (const [change, state] of [
      [{ eventId: settled[0]?.id ?? '' }, 'handled'],
      [{ eventId: newId() }, undefined],
      [{ eventId: 'no id' }, undefined],
      [{ accountId: theirs }, undefined],
      [{ handler: 'other' }, undefined],
    ] as const)
      strictEqual(await handlers.sendAgain({ ...key, ...change }), state);
  }),
  'since: a new handler gets the past events that it selects, each once, in bounded calls': handling(async (world) => {
    const { storage, deliver, elapse, storeNow } = world;
    const { handlers } = storage;
    await deliver(3, {}, []);
    await elapse(minute);
    const since = Math.floor(await storeNow());
    await elapse(second);
    const wanted = [...(await deliver(7, {}, [])), ...(await deliver(6, { accountId: theirs }, []))];
    await deliver(1, { type: 'creation' }, []);
    await deliver(1, { onlyTo: newId() }, []);
    await deliver(1, { origin: 'acc_child' }, []);
    let calls = 1;
    while (await handlers.register([{ ...other, since }], 4)) calls++;
    ok(calls >= 4, `${calls} calls of at most 4 events`);
    strictEqual(await handlers.register([{ ...other, since: 0 }], 4), false);
    await deliver(1, {}, ['other']);
    const claimed = await handlers.claim('other', 100, pauses);
    strictEqual(claimed.length, wanted.length + 1);
    const ids = new Set(idsOf(claimed));
    for (const { id } of wanted) ok(ids.has(id));
  }),
  'a removed handler gets nothing more, and its waiting deliveries go in bounded calls': handling(async (world) => {
    const { storage, deliver, claim, claimOne, statesOf } = world;
    const { handlers } = storage;
    const published = await deliver(5);
    await settle(handlers, await claimOne(), handled);
    const before = await stateOf(world, 0);
    strictEqual(await handlers.removeHandler('ledger', 3), true);
    strictEqual(await handlers.removeHandler('ledger', 3), false);
    const after = await stateOf(world, before.endpointVersion);
    deepStrictEqual([after.handlers, after.changedShards.length], [[], shardCount]);
    deepStrictEqual(await claim(), []);
    deepStrictEqual(await handlers.listHandlers(), []);
    const states = await Promise.all(published.map((each) => statesOf(each)));
    deepStrictEqual(states.flat(), ['ledger handled']);
    const [late] = await deliver(1);
    ok(late);
    deepStrictEqual(await statesOf(late), []);
  }),
  'an event with an unfinished delivery is not pruned; a finished delivery goes with it': handling(async (world) => {
    const { storage, deliver, claim, claimOne, statesOf } = world;
    const [handledOne, exhaustedOne, waitingOne] = await deliver(3);
    ok(handledOne && exhaustedOne && waitingOne);
    const claimed = await claim();
    for (const each of claimed) {
      if (each.eventId === handledOne.id) await settle(storage.handlers, each, handled);
      if (each.eventId === exhaustedOne.id) await settle(storage.handlers, each, exhausting);
    }
    await dropEvents(world);
    for (const each of [handledOne, exhaustedOne]) {
      strictEqual(await findEvent(storage, ours, each.id), undefined);
      deepStrictEqual(await statesOf(each), []);
    }
    deepStrictEqual(await statesOf(waitingOne), ['ledger waiting']);
    strictEqual((await claimOne()).eventId, waitingOne.id);
  }),
  ...whateverTheClocks('handlers are listed with what waits, and when a worker last had them', async (fixture) => {
    const world = await open(fixture);
    const { storage, deliver, claim, elapse, storeNow } = world;
    const { handlers } = storage;
    const registered = await storeNow();
    await deliver(3);
    await elapse(minute);
    const [unclaimed] = await handlers.listHandlers();
    strictEqual(unclaimed?.waiting, 3);
    ok((unclaimed.oldestDue ?? 0) >= minute - second, `due for ${unclaimed.oldestDue} ms before a claim`);
    const [first] = await claim(1);
    ok(first);
    await settle(handlers, first, exhausting);
    await handlers.register([{ name: 'ledger' }], 100);
    const [status, ...more] = await handlers.listHandlers();
    ok(status && more.length === 0);
    const { registeredAt, seenAt, oldestDue = 0, ...rest } = status;
    deepStrictEqual(rest, { ...ledger, waiting: 2, exhausted: 1 });
    ok(Math.abs(registeredAt - registered) < 30 * second, 'registered by the clock of the store');
    ok(seenAt - registeredAt >= minute - second, 'seen later');
    ok(oldestDue >= minute - second && oldestDue < 2 * minute, `due for ${oldestDue} ms`);
    await handlers.register([{ ...ledger, name: 'archive' }], 100);
    const names = (await handlers.listHandlers()).map(({ name }) => name);
    deepStrictEqual(names, ['archive', 'ledger']);
  }),
  'nothing that partners read tells of handlers': handling(async (world) => {
    const { storage, deliver, claim } = world;
    const [published] = await deliver(2);
    ok(published);
    await claim(1);
    const own = await stored(storage, ours);
    deepStrictEqual([own.deliveries, own.attempts, own.due, own.queued], [[], [], [], []]);
    const { now: _now, ...backlog } = { now: 0, ...(await storage.log.countBacklog(ours)) };
    deepStrictEqual(backlog, { undispatched: 0, waiting: 0, held: 0 });
    strictEqual((await storage.log.readExplainSnapshot(ours, published.id, newId())).endpoint, undefined);
    await markSettled(world);
    await storage.shards.leave(worker);
    await takeShards(storage, 'successor');
    deepStrictEqual(
      (
        await storage.deliveries.readQueuedAccounts(
          allShards.map((shard) => ({ shard })),
          10,
        )
      ).accountIds,
      [],
    );
  }),
};

/** Settles in a transaction of its own; resolves to whether it did. */
const whileSettling = (
  { transaction, handlers }: StorageFixture['storage'],
  claimed: ClaimedDelivery,
): Promise<boolean> => transaction((tx) => settle(handlers, claimed, handled, tx));

/** Tests the obligations of a `HandlerStore`: a delivery is finished once, with the transaction that finishes it. */
export const handlerStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
