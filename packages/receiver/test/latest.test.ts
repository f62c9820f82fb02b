import type { MemoryTransaction } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  createInboxWorker,
  createReceiver,
  type MarkIn,
  memoryInbox,
  memorySeenKeys,
  type StoredSeenKeys,
} from '../src/index.ts';
import { verdict } from './support/ask.ts';
import { minute, testClock } from './support/clock.ts';
import { type HostDatabase, hostDatabase } from './support/host-database.ts';
import { confidential, delivery, payed, type Sent, secret } from './support/platform.ts';
import { failed, inProgress } from './support/receiver.ts';
import { historyRuns } from './support/runs.ts';

type MarkInMemory = MarkIn<MemoryTransaction>;

const objectOf = ({ objectName, data }: Sent): string => `${objectName} ${data.id}`;
const stateOf = ({ data }: Sent): string => String(data['state']);

describe('assertTheLatestStateStays', () => {
  /** How one run of a handler ends; its lease may expire before it marks the event, or after. */
  const allEnds = ['commits', 'fails', 'fails marked', 'lapses', 'lapses marked', 'commits and dies'] as const;
  type End = (typeof allEnds)[number];

  /** Events of few objects: the id says in which order, since the timestamps of one `data.id` strictly increase. */
  const stories = fc.array(
    fc.record({
      objectName: fc.constantFrom('RequestPayment', 'RequestSecurityDeposit'),
      id: fc.constantFrom('a', 'b'),
      type: fc.constantFrom('update', 'cancel'),
      /** How often it is sent at once. */
      copies: fc.integer({ min: 1, max: 3 }),
      /** Of the runs of its handler, in order; later runs commit. */
      ends: fc.array(fc.constantFrom(...allEnds), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 7 },
  );
  type Story = NonNullable<typeof stories extends fc.Arbitrary<infer T> ? T : never>[number];

  const eventsOf = (told: readonly Story[]): readonly Sent[] =>
    told.map(({ objectName, id, type }, index) => ({
      timestamp: 1_732_147_200 + index,
      ...{ objectName, type, data: { id, state: `state ${index}` } },
    }));

  /** One history of two copies of a program. */
  const setUp = (told: readonly Story[], scheduler: fc.Scheduler) => {
    const clock = testClock();
    const database = hostDatabase(clock);
    const events = eventsOf(told);
    const ends = events.map((_, index) => [...(told[index]?.ends ?? [])]);
    const step = (label: string): Promise<void> => scheduler.schedule(Promise.resolve(), label);
    const handle = async (event: Sent, markIn: MarkInMemory): Promise<void> => {
      const end: End = ends[events.findIndex(({ timestamp }) => timestamp === event.timestamp)]?.shift() ?? 'commits';
      await step('begin');
      await database.transaction(async (tx) => {
        await step('begun');
        if (end === 'fails') throw new Error(confidential);
        if (end === 'lapses') clock.advance(minute);
        if (await markIn(tx)) {
          await step('marked');
          await database.save(tx, objectOf(event), stateOf(event), event.timestamp);
        }
        if (end === 'lapses marked') clock.advance(minute);
        if (end === 'fails marked') throw new Error(confidential);
        await step('commit');
      });
      // The answer is lost with the process, and the lease of the event with it.
      if (end === 'commits and dies') throw new Error(confidential);
    };
    return { clock, database, events, handle };
  };

  const expectLaw = async ({ read }: HostDatabase, events: readonly Sent[]): Promise<void> => {
    for (const [object, all] of Map.groupBy(events, objectOf)) {
      const stored = await read(object);
      expect(stored?.state).toBe(stateOf(all.at(-1) as Sent));
      const handled = stored?.handled ?? [];
      expect(handled).toEqual([...new Set(handled)].toSorted((a, b) => a - b));
    }
  };

  const draws = fc.infiniteStream(fc.nat());
  const shuffled = <T>(list: readonly T[], places: Iterator<number>): readonly T[] =>
    list
      .map((each) => ({ each, place: Number(places.next().value) }))
      .sort((a, b) => a.place - b.place)
      .map(({ each }) => each);

  test('two receivers: any order, repetition and failure', async () => {
    const property = fc.asyncProperty(stories, fc.scheduler(), draws, async (told, scheduler, places) => {
      const { clock, database, events, handle } = setUp(told, scheduler);
      const copies = [1, 2].map(() =>
        createReceiver({
          secrets: [secret],
          seen: database.seen,
          order: 'latest',
          on: { RequestPayment: { update: (event, markIn) => handle(event, markIn) } },
          otherwise: (event, markIn) => handle(event as Sent, markIn),
          clock,
        }),
      );
      let waiting = events.flatMap((event, index) => Array<Sent>(told[index]?.copies ?? 0).fill(event));
      for (let round = 0; waiting.length > 0 && round < 20; round++) {
        const sent = shuffled(waiting, places);
        const answers = await scheduler.waitFor(
          Promise.all(sent.map((event, index) => verdict(copies[index % 2] as (typeof copies)[0], delivery(event)))),
        );
        for (const answer of answers) expect(['204', inProgress, failed]).toContain(answer);
        waiting = sent.filter((_, index) => answers[index] !== '204');
        clock.advance(minute);
      }
      expect(waiting).toEqual([]);
      await expectLaw(database, events);
    });
    await fc.assert(property, historyRuns);
  });

  test('two workers of an inbox: any order, repetition and failure', async () => {
    const property = fc.asyncProperty(stories, fc.scheduler(), draws, async (told, scheduler, places) => {
      const { clock, database, events, handle } = setUp(told, scheduler);
      const { inbox } = database;
      const receiver = createReceiver({ secrets: [secret], inbox, clock });
      const workers = [1, 2].map(() =>
        createInboxWorker({
          inbox,
          order: 'latest',
          on: { RequestPayment: { update: (event, markIn) => handle(event, markIn) } },
          otherwise: (event, markIn) => handle(event as Sent, markIn),
          ...{ concurrency: 3, retryDelays: [1, 1, 1, 1, 1], clock },
        }),
      );
      const sent = events.flatMap((event, index) => Array<Sent>(told[index]?.copies ?? 0).fill(event));
      for (const event of shuffled(sent, places)) expect(await verdict(receiver, delivery(event))).toBe('204');
      for (let round = 0; round < 20; round++) {
        await scheduler.waitFor(Promise.all(workers.map((worker) => worker.drain())));
        clock.advance(minute);
      }
      expect(await inbox.stats(1)).toMatchObject({ waiting: 0, deadLettered: 0 });
      await expectLaw(database, events);
    });
    await fc.assert(property, historyRuns);
  });
});

describe("order: 'latest'", () => {
  const later: Sent = { ...payed, timestamp: payed.timestamp + 1, type: 'update' };
  const build = (otherwise: (event: unknown, markIn: MarkInMemory) => Promise<void> | void = () => undefined) => {
    const clock = testClock();
    const database = hostDatabase(clock);
    const handled: unknown[] = [];
    const onError = vi.fn<(cause: unknown) => void>();
    const handle = (event: { readonly type: string }, markIn: MarkInMemory): Promise<void> =>
      database.transaction(async (tx) => {
        if (await markIn(tx)) handled.push(event.type);
      });
    const receiver = createReceiver({
      ...{ secrets: [secret], seen: database.seen, order: 'latest', onError, clock },
      on: {
        RequestPayment: { update: handle, payed: handle, cancel: handle },
        RequestSecurityDeposit: { cancel: handle },
      },
      otherwise,
    });
    return { clock, database, handled, onError, receiver };
  };

  test('confirms an older event, and does not handle it', async () => {
    const { handled, onError, receiver } = build();
    expect(await verdict(receiver, delivery(later))).toBe('204');
    expect(await verdict(receiver, delivery(payed))).toBe('204');
    expect(handled).toEqual(['update']);
    expect(onError).not.toHaveBeenCalled();
  });

  test('without it, the older event is handled', async () => {
    const on = vi.fn();
    const receiver = createReceiver({ secrets: [secret], seen: memorySeenKeys(), on: {}, otherwise: on });
    for (const event of [later, payed]) expect(await verdict(receiver, delivery(event))).toBe('204');
    expect(on.mock.calls).toEqual([[later], [payed]]);
  });

  test('an event without a handler raises nothing', async () => {
    const { handled, receiver } = build();
    await verdict(receiver, delivery({ ...later, type: 'transaction_failed' }));
    await verdict(receiver, delivery(payed));
    expect(handled).toEqual(['payed']);
  });

  test('neither another object name nor another id is the same object', async () => {
    const { handled, receiver } = build();
    for (const event of [
      later,
      { ...payed, data: { id: 'pay_10' } },
      { ...payed, data: { id: 'pay' } },
      { ...payed, objectName: 'RequestSecurityDeposit', type: 'cancel' },
    ])
      expect(await verdict(receiver, delivery(event))).toBe('204');
    expect(handled).toEqual(['update', 'payed', 'payed', 'cancel']);
  });

  test('of a sender that repeats a timestamp, both events are handled, each once', async () => {
    const { handled, receiver } = build();
    for (const event of [later, { ...later, type: 'cancel' }, later])
      expect(await verdict(receiver, delivery(event))).toBe('204');
    expect(handled).toEqual(['update', 'cancel']);
  });

  test('the newest timestamp is stored for 35 days after its event, or as long as keys', async () => {
    const day = 24 * 60 * minute;
    for (const [keep, dedup] of [
      [35 * day, {}],
      [2 * day, { dedup: { keep: 2 * day } }],
    ] as const) {
      const clock = testClock();
      const { seen, transaction } = hostDatabase(clock);
      const handled: number[] = [];
      const receiver = createReceiver({
        ...{ secrets: [secret], seen, order: 'latest', clock, ...dedup },
        on: {},
        otherwise: (event, markIn) =>
          transaction(async (tx) => {
            if (await markIn(tx)) handled.push(event.timestamp);
          }),
      });
      const send = (timestamp: number) => verdict(receiver, delivery({ ...payed, timestamp }));
      await send(9);
      clock.advance(keep - 1);
      await send(8);
      clock.advance(1);
      await send(7);
      expect(handled).toEqual([9, 7]);
    }
  });

  const careless = createReceiver as unknown as (options: object) => ReturnType<typeof createReceiver>;

  test('a handler that does not await markIn fails; otherwise may do without', async () => {
    const { database, receiver: other } = build();
    const onError = vi.fn<(cause: unknown) => void>();
    for (const handler of [
      () => undefined,
      (_: unknown, markIn: MarkInMemory) => void markIn({} as never).catch(() => 0),
    ]) {
      const receiver = careless({
        ...{ secrets: [secret], seen: database.seen, order: 'latest', onError },
        on: { RequestPayment: { payed: handler } },
      });
      expect(await verdict(receiver, delivery())).toBe(failed);
      expect(onError.mock.lastCall?.[0]).toEqual(new TypeError('order: a handler must await markIn(tx).'));
    }
    expect(await verdict(other, delivery({ ...payed, objectName: 'Invoice' }))).toBe('204');
  });

  test('a store with any answer but true and false drops no event', async () => {
    const { database } = build();
    const wrong = async () => undefined as never;
    for (const method of ['advanceIn', 'markIn'] as const) {
      const seen: StoredSeenKeys<MemoryTransaction> = { ...database.seen, [method]: wrong };
      const onError = vi.fn<(cause: unknown) => void>();
      const handle = (_: unknown, markIn: MarkInMemory) => database.transaction(async (tx) => void (await markIn(tx)));
      const receiver = careless({ secrets: [secret], seen, order: 'latest', on: {}, otherwise: handle, onError });
      expect(await verdict(receiver, delivery())).toBe(failed);
      expect(onError.mock.lastCall?.[0]).toEqual(new TypeError(`partnerkit: ${method} must return true or false.`));
    }
  });

  test('a store that cannot join the transaction of a handler is refused, and so is another order', () => {
    const { database } = build();
    const make = (options: object) => () => careless({ secrets: [secret], on: {}, ...options });
    const noTransaction = "order: needs a store that joins the handler's transaction, such as postgresSeenKeys(pool).";
    const worker = createInboxWorker as unknown as (options: object) => unknown;
    expect(make({ seen: memorySeenKeys(), order: 'latest' })).toThrow(new TypeError(noTransaction));
    expect(() => worker({ inbox: memoryInbox(), on: {}, order: 'latest' })).toThrow(new TypeError(noTransaction));
    expect(make({ seen: database.seen, order: 'newest' })).toThrow(new TypeError("order: 'latest', or none."));
    expect(make({ inbox: database.inbox, order: 'latest' })).toThrow(new TypeError('order: an option of the worker.'));
    make({ seen: database.seen, order: 'latest' })();
    worker({ inbox: database.inbox, on: {}, order: 'latest' });
  });
});
