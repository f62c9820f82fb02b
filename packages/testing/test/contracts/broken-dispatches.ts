import { type ClaimRequest, type Endpoint, type EventStore, eventTypes, type NewEvent } from '@partnerkit/core';
import type { StorageFixture } from '../../src/index.ts';
import { breakPort, type Double } from './doubles.ts';
import { hostNow } from './memory.ts';

const onEvents = breakPort('events');
const onEndpoints = breakPort('endpoints');
const onQueue = breakPort('queue');

/** Events written otherwise than they came; more than one for one, where `write` says so. */
const rewritten =
  (write: (event: NewEvent) => readonly NewEvent[]) =>
  ({ append }: EventStore<object>): Partial<EventStore<object>> => ({
    append: (tx, events) => append(tx, events.flatMap(write)),
  });
const insertedAs =
  (change: (endpoint: Endpoint) => Partial<Endpoint>) =>
  ({ insertEndpoint }: StorageFixture['storage']['endpoints']) => ({
    insertEndpoint: (endpoint: Endpoint, most: number) => insertEndpoint({ ...endpoint, ...change(endpoint) }, most),
  });
/** A second id: the last digits of those that the suite makes are zeros. */
const copyOf = (event: NewEvent): NewEvent => ({ ...event, id: `${event.id.slice(0, -1)}1` });
const wanting = (how: string, breaks: Double<StorageFixture>['breaks'], change: (want: ClaimRequest) => ClaimRequest) =>
  onQueue(how, breaks, ({ dispatch }) => ({ dispatch: (want) => dispatch(change(want)) }));

/** A storage that commits nothing of a transaction that began before the last dispatch. */
const skippingTheLate: Double<StorageFixture> = {
  how: 'events are found by their number, and the late ones skipped',
  breaks: ['an event that was committed late is not skipped'],
  make: (fixture) => {
    const { storage } = fixture;
    let numbers = 0;
    let dispatched = -1;
    const lowest = new Map<object, number>();
    return {
      ...fixture,
      storage: {
        ...storage,
        transaction: async (work) => {
          let late: { readonly value: unknown } | undefined;
          const ended = storage.transaction(async (tx) => {
            const value = await work(tx);
            if ((lowest.get(tx) ?? Number.POSITIVE_INFINITY) <= dispatched) {
              late = { value };
              throw new Error('skipped');
            }
            return value;
          });
          return ended.catch((cause: unknown) => {
            if (late) return late.value as Awaited<ReturnType<typeof work>>;
            throw cause;
          });
        },
        events: {
          ...storage.events,
          append: async (tx, events) => {
            if (!lowest.has(tx)) lowest.set(tx, numbers);
            numbers += events.length;
            return storage.events.append(tx, events);
          },
        },
        queue: {
          ...storage.queue,
          dispatch: async (want) => {
            const taken = await storage.queue.dispatch(want);
            if (taken.events > 0) dispatched = numbers - 1;
            return taken;
          },
        },
      },
    };
  },
};

/** A storage that dispatches ten events at a time, the oldest of all accounts. */
const oldestOfAll: Double<StorageFixture> = {
  how: 'the oldest events are dispatched first, whoever waits behind them',
  breaks: [
    'accounts are dispatched in turn: thousands of events of some delay no event of another',
    'of more accounts than a dispatch has room for, each has its turn',
  ],
  make: (fixture) => {
    const { storage } = fixture;
    const line: NewEvent[] = [];
    return {
      ...fixture,
      storage: {
        ...storage,
        events: {
          ...storage.events,
          append: async (_tx, events) => {
            line.push(...events);
            return events.map(() => ({ kind: 'stored' }) as const);
          },
        },
        queue: {
          ...storage.queue,
          dispatch: async (want) => {
            await storage.transaction((tx) => storage.events.append(tx, line.splice(0, 10)));
            return storage.queue.dispatch(want);
          },
        },
      },
    };
  },
};

export const brokenDispatches: readonly Double<StorageFixture>[] = [
  oldestOfAll,
  onEvents(
    'events that are published together are dispatched newest first',
    ['events of one account are dispatched oldest first, whoever else has some'],
    ({ append }) => ({ append: (tx, events) => append(tx, events.toReversed()) }),
  ),
  onEvents(
    'an event goes to every account',
    ['there is one delivery for each matching endpoint of the account'],
    rewritten((event) => [
      event,
      { ...copyOf(event), accountId: event.accountId === 'acc_ours' ? 'acc_theirs' : 'acc_ours' },
    ]),
  ),
  onEndpoints(
    'an endpoint receives every type',
    ['there is one delivery for each matching endpoint of the account'],
    insertedAs(() => ({ events: eventTypes })),
  ),
  onEndpoints(
    'an endpoint that its partner disabled receives',
    ['none for an endpoint that its partner disabled, a held one where the breaker did'],
    insertedAs(({ state }) => ({ state: state === 'disabled' ? 'enabled' : state })),
  ),
  onEndpoints(
    'nothing is held for what the breaker disabled',
    ['none for an endpoint that its partner disabled, a held one where the breaker did'],
    insertedAs(({ state }) => ({ state: state === 'enabled' ? state : 'disabled' })),
  ),
  {
    how: 'an endpoint receives what was before it',
    breaks: ['an endpoint receives nothing that was dispatched before it came'],
    make: (fixture) => {
      const { storage } = fixture;
      let endpoints = 0;
      return {
        ...fixture,
        storage: {
          ...storage,
          endpoints: {
            ...storage.endpoints,
            insertEndpoint: async (endpoint, most) => {
              endpoints++;
              return storage.endpoints.insertEndpoint(endpoint, most);
            },
          },
          queue: {
            ...storage.queue,
            dispatch: async (want) =>
              endpoints > 0
                ? storage.queue.dispatch(want)
                : { claimed: [], abandoned: [], events: 0, ahead: [], traced: [], referring: false },
          },
        },
      };
    },
  },
  onEvents(
    'an event is dispatched twice',
    ['an event is dispatched once, whoever comes and however often'],
    rewritten((event) => [event, copyOf(event)]),
  ),
  skippingTheLate,
  onQueue(
    'nobody is told in which traces events were published',
    ['the trace that an event was published in goes with it to whoever dispatches, and claims'],
    ({ dispatch }) => ({ dispatch: async (want) => ({ ...(await dispatch(want)), traced: [] }) }),
  ),
  onQueue(
    'who dispatches nothing more says so too early',
    ['all that was committed is dispatched in the end'],
    ({ dispatch }) => {
      let left = 1;
      return {
        dispatch: async (want) =>
          left-- > 0
            ? dispatch(want)
            : { claimed: [], abandoned: [], events: 0, ahead: [], traced: [], referring: false },
      };
    },
  ),
  wanting(
    'a dispatch leases without a limit',
    ['at most so many are leased as were asked for; the rest waits'],
    (want) => ({ ...want, limit: 1_000 }),
  ),
  wanting('a dispatch knows no cap of endpoints', ['only what fits the caps is leased'], (want) => ({
    ...want,
    perEndpoint: 1_000,
  })),
  wanting('a dispatch knows no cap of accounts', ['only what fits the caps is leased'], (want) => ({
    ...want,
    perAccount: 1_000,
  })),
  wanting('a dispatch counts to 32 bits', ['a number that no cap comes to is no cap'], (want) => ({
    ...want,
    perAccount: want.perAccount | 0,
  })),
  onQueue(
    'a claim carries the endpoint as it was',
    ['a claim carries the event, the endpoint as it is now, and the number of its attempt'],
    ({ claim }) => ({
      claim: async (want) => {
        const { claimed, ...rest } = await claim(want);
        return { ...rest, claimed: claimed.map((each) => ({ ...each, endpoint: { ...each.endpoint, label: 'old' } })) };
      },
    }),
  ),

  onEvents(
    'a second is rounded',
    ['an event has the second in which it happened'],
    rewritten(({ occurredAt, ...event }) => [
      occurredAt === undefined ? event : { ...event, occurredAt: Math.round(occurredAt / 1_000) * 1_000 },
    ]),
  ),
  onEvents(
    'an event that does not say when it happened is of 1970',
    ['an event that does not say when it happened has the second in which it was stored'],
    rewritten((event) => [{ occurredAt: 0, ...event }]),
  ),
  onEvents(
    'an event that does not say when it happened has the second of the host',
    ["an event has a second of the store: a store's clock 3 hours ahead"],
    rewritten((event) => [{ occurredAt: hostNow, ...event }]),
  ),
  onEvents(
    'an event has the second that it says, however late',
    [
      'an event that says it will happen has the second of its dispatch',
      "an event of the host’s present is never ahead of the store: a store's clock 3 hours behind",
      'the seconds of one object strictly increase, whatever happened when',
    ],
    ({ listEvents }) => ({
      listEvents: async (accountId, request) => {
        const page = await listEvents(accountId, request);
        const said = (at: number | undefined, timestamp: number) =>
          at === undefined ? timestamp : Math.floor(at / 1_000);
        return {
          ...page,
          items: page.items.map((event) =>
            'timestamp' in event ? { ...event, timestamp: said(event.occurredAt, event.timestamp) } : event,
          ),
        };
      },
    }),
  ),
  onEvents(
    'the second of an event is never before that of the host',
    ["an event has a second of the store: a store's clock 3 hours behind"],
    ({ listEvents }) => ({
      listEvents: async (accountId, request) => {
        const page = await listEvents(accountId, request);
        const late = (timestamp: number) => (timestamp > 1.74e9 ? Math.max(timestamp, hostNow / 1_000) : timestamp);
        return {
          ...page,
          items: page.items.map((event) =>
            'timestamp' in event ? { ...event, timestamp: late(event.timestamp) } : event,
          ),
        };
      },
    }),
  ),
  onEvents(
    'an event of the host’s present is of the store’s present',
    ["an event of the host’s present is never ahead of the store: a store's clock 3 hours ahead"],
    rewritten(({ occurredAt, ...event }) => [
      occurredAt === undefined || occurredAt >= hostNow ? event : { ...event, occurredAt },
    ]),
  ),
  onEvents(
    'events know nothing of each other',
    [
      'the seconds of one object strictly increase, whatever happened when',
      'the seconds of one object strictly increase within one dispatch, oldest first',
      'many publishers and dispatchers at once: no two events of an object share a second',
    ],
    rewritten((event) => [{ ...event, objectId: event.id }]),
  ),
  onEvents(
    'an object is its name and its id',
    ['an object is its data.id, whatever its name and the type'],
    rewritten((event) => [{ ...event, objectId: `${event.objectName} ${event.objectId}` }]),
  ),
  onEvents(
    'objects are compared without regard to case',
    ['an object is its data.id, whatever its name and the type'],
    rewritten((event) => [{ ...event, objectId: event.objectId.toLowerCase() }]),
  ),
  onEvents(
    'objects are compared without blanks',
    ['an object is its data.id, whatever its name and the type'],
    rewritten((event) => [{ ...event, objectId: event.objectId.trim() }]),
  ),
  onQueue(
    'nobody is told that a delivery waits for its second',
    ['a delivery waits while its second is more than 5 seconds ahead, and is told of'],
    ({ dispatch }) => ({ dispatch: async (want) => ({ ...(await dispatch(want)), ahead: [] }) }),
  ),
  onEvents(
    'a burst has no seconds ahead',
    ['a delivery waits while its second is more than 5 seconds ahead, and is told of'],
    rewritten(({ occurredAt = 0, ...event }) => [{ ...event, occurredAt: occurredAt - 3_600_000 }]),
  ),
];
