import type { AppendOutcome, EventStore, NewEvent } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { eventStoreContract } from '../../../src/contracts/events/event-store.ts';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { brokenPages, type List } from '../support/broken-pages.ts';
import { breakPort, type Double, findsEveryFault, meanwhile } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';

describe('memory', () => {
  eventStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  eventStoreContract({ test, create: slowStorageFixture });
});

const broken = breakPort('events');
const keyed = ({ idempotencyKey }: NewEvent): boolean => idempotencyKey !== undefined;
const accounts = ['acc_ours', 'acc_theirs', 'acc_third'];

/** Every event written otherwise than it came. */
const rewritten =
  (write: (event: NewEvent) => NewEvent) =>
  ({ append }: EventStore<object>): Partial<EventStore<object>> => ({
    append: (tx, events) => append(tx, events.map(write)),
  });

/** Keys kept by the double itself: known from `known` on, and nobody waits for them. */
const ownKeys = ({ append }: EventStore<object>, known: 'at once' | 'after the next turn') => {
  const used = new Map<string, NewEvent>();
  return {
    append: async (tx, events) => {
      const outcomes: AppendOutcome[] = [];
      for (const { idempotencyKey, ...event } of events) {
        const key = idempotencyKey === undefined ? undefined : `${event.accountId} ${idempotencyKey}`;
        const owner = key === undefined ? undefined : used.get(key);
        if (owner)
          outcomes.push({ kind: owner.bodyTail === event.bodyTail ? 'replayed' : 'conflict', eventId: owner.id });
        else {
          if (known === 'after the next turn') await meanwhile();
          if (key !== undefined) used.set(key, event);
          outcomes.push(...(await append(tx, [event])));
        }
      }
      return outcomes;
    },
  } satisfies Partial<EventStore<object>>;
};

const transactional = (
  how: string,
  breaks: Double<StorageFixture>['breaks'],
  change: (storage: StorageFixture['storage']) => Partial<StorageFixture['storage']>,
): Double<StorageFixture> => ({
  how,
  breaks,
  make: (fixture) => ({ ...fixture, storage: { ...fixture.storage, ...change(fixture.storage) } }),
});

const doubles: readonly Double<StorageFixture>[] = [
  broken(
    'an event is seen before it is committed',
    ['an event is invisible until its transaction commits'],
    ({ append, listEvents }) => {
      const seen = new Map<string, NewEvent>();
      return {
        append: async (tx, events) => {
          for (const event of events) seen.set(event.id, event);
          return append(tx, events);
        },
        listEvents: async (accountId, page, filter) => {
          const { items, ...rest } = await listEvents(accountId, page, filter);
          const own = [...seen.values()].filter((event) => event.accountId === accountId);
          return items.length === 0 ? { ...rest, items: own } : { ...rest, items };
        },
      };
    },
  ),
  transactional('a rollback commits', ['a rollback removes its events'], ({ transaction }) => ({
    transaction: async (work) => {
      const ended = await transaction((tx) =>
        work(tx).then(
          (value) => ({ value }),
          (cause: unknown) => ({ cause }),
        ),
      );
      if ('cause' in ended) throw ended.cause;
      return ended.value;
    },
  })),
  transactional(
    'an event does not join its transaction',
    ['an event is invisible until its transaction commits', 'an ended transaction accepts no more events'],
    ({ events, transaction }) => ({
      events: { ...events, append: (_tx, appended) => transaction((own) => events.append(own, appended)) },
    }),
  ),
  broken('two publishers of one object get into a lock', ['publishers do not wait for each other'], ({ append }) => {
    const locks = new Map<string, object>();
    return {
      append: async (tx, events) => {
        for (const { accountId, objectId } of events) {
          const key = `${accountId} ${objectId}`;
          if ((locks.get(key) ?? tx) !== tx) throw new Error('could not obtain lock on row');
          locks.set(key, tx);
        }
        return append(tx, events);
      },
    };
  }),
  transactional(
    'an open transaction holds a lock on all of the storage',
    ['an open transaction blocks no worker, and no change of an endpoint'],
    ({ events, endpoints, transaction }) => {
      let open = 0;
      return {
        events: {
          ...events,
          append: async (tx, appended) => {
            open++;
            return events.append(tx, appended);
          },
        },
        endpoints: {
          ...endpoints,
          replaceEndpoint: async (endpoint) => {
            if (open > 0) throw new Error('could not obtain lock on relation "endpoint"');
            return endpoints.replaceEndpoint(endpoint);
          },
        },
        transaction: async (work) => {
          try {
            return await transaction(work);
          } finally {
            open = 0;
          }
        },
      };
    },
  ),
  {
    how: 'what is appended alone is stored one by one',
    breaks: ['an append without a transaction is atomic, and stored when it resolves'],
    make: (fixture) => {
      const { events, transaction } = fixture.storage;
      const appendAlone: EventStore<object>['appendAlone'] = async (appended) => {
        const outcomes: AppendOutcome[] = [];
        for (const event of appended) outcomes.push(...(await transaction((tx) => events.append(tx, [event]))));
        return outcomes;
      };
      return { ...fixture, storage: { ...fixture.storage, events: { ...events, appendAlone } } };
    },
  },
  broken(
    'outcomes come in another order',
    ['an append returns one outcome for each event, in order'],
    ({ append }) => ({
      append: async (tx, events) => (await append(tx, events)).toReversed(),
    }),
  ),
  broken(
    'a time is kept to the second',
    ['an event is read as it was stored, with its dispatch after the dispatch'],
    rewritten(({ occurredAt, ...event }) =>
      occurredAt === undefined ? event : { ...event, occurredAt: Math.floor(occurredAt / 1_000) * 1_000 },
    ),
  ),
  broken(
    'the text is kept as JSON',
    ['the body is stored byte for byte'],
    rewritten((event) => {
      const { data, objectName, type } = JSON.parse(`{"":0${event.bodyTail}`);
      return { ...event, bodyTail: `,"data":${JSON.stringify(data)},"objectName":"${objectName}","type":"${type}"}` };
    }),
  ),
  broken('an event is found by every account', ['only its own account finds an event, by its id'], ({ findEvent }) => ({
    findEvent: async (_accountId, eventId) => {
      const found = await Promise.all(accounts.map((accountId) => findEvent(accountId, eventId)));
      return found.find((event) => event !== undefined);
    },
  })),
  broken('a list has the bodies', ['a list of events has no bodies'], ({ listEvents, findEvent }) => ({
    listEvents: async (accountId, page, filter) => {
      const { items, ...rest } = await listEvents(accountId, page, filter);
      const whole = await Promise.all(
        items.map(async (item) => ({ ...item, ...(await findEvent(accountId, item.id)) })),
      );
      return { ...rest, items: whole };
    },
  })),
  broken('everybody lists all events', ['only its own account lists an event'], ({ listEvents }) => ({
    listEvents: async (_accountId, page, filter) => {
      const found = await Promise.all(accounts.map((accountId) => listEvents(accountId, page, filter)));
      return { items: found.flatMap(({ items }) => items) };
    },
  })),

  broken(
    'a key is never found again',
    [
      'a used key replays the same content, and conflicts with other content',
      'a key is used within its own batch, and within its own transaction',
      "a key is replayed: a store's clock 3 hours ahead",
      "a key is replayed: a store's clock 3 hours behind",
    ],
    rewritten((event) => (keyed(event) ? { ...event, idempotencyKey: event.id } : event)),
  ),
  broken(
    'every content of a key is the same',
    ['a used key replays the same content, and conflicts with other content'],
    ({ append }) => ({
      append: async (tx, events) =>
        (await append(tx, events)).map((outcome) =>
          outcome.kind === 'conflict' ? { ...outcome, kind: 'replayed' } : outcome,
        ),
    }),
  ),
  broken('a key is one key for all accounts', ['a key of another account is another key'], ({ append }) => {
    const owners = new Map<string, NewEvent>();
    return {
      append: async (tx, events) => {
        const outcomes = await append(tx, events);
        return outcomes.map((outcome, index) => {
          const event = events[index] as NewEvent;
          const owner = owners.get(event.idempotencyKey ?? event.id) ?? event;
          owners.set(event.idempotencyKey ?? event.id, owner);
          return owner.accountId === event.accountId ? outcome : { kind: 'conflict', eventId: owner.id };
        });
      },
    };
  }),
  broken(
    'events are inserted one by one',
    [
      'a conflict stores none of the events, and uses none of their keys',
      'batches with the same keys in opposite order do not deadlock',
    ],
    ({ append }) => ({
      append: async (tx, events) => {
        const outcomes: AppendOutcome[] = [];
        for (const event of events) outcomes.push(...(await append(tx, [event])));
        return outcomes;
      },
    }),
  ),
  broken('a conflict aborts the transaction', ['a transaction stays usable after a used key'], ({ append }) => {
    const aborted = new Set<object>();
    return {
      append: async (tx, events) => {
        if (aborted.has(tx)) throw new Error('current transaction is aborted');
        const outcomes = await append(tx, events);
        if (outcomes.some(({ kind }) => kind === 'conflict')) aborted.add(tx);
        return outcomes;
      },
    };
  }),
  broken(
    'a key counts before its transaction has committed',
    ['a key of an open transaction blocks until that transaction ends'],
    (events) => ownKeys(events, 'at once'),
  ),
  broken(
    'a key is looked up, and then used',
    [
      'exactly one of many simultaneous events with one key and the same content is stored',
      'exactly one of many simultaneous events with one key and different content is stored',
    ],
    (events) => ownKeys(events, 'after the next turn'),
  ),
  broken('a key is kept for a week', ['a key is kept 30 days'], ({ append }, { storeNow }) => ({
    append: async (tx, events) => {
      const week = Math.floor((await storeNow()) / (7 * 86_400_000));
      return append(
        tx,
        events.map((event) => (keyed(event) ? { ...event, idempotencyKey: `${week} ${event.idempotencyKey}` } : event)),
      );
    },
  })),

  broken('the filter knows no types', ['events match every given filter, with any page size'], (events) => ({
    listEvents: (accountId, page, { type: _type, ...filter } = {}) => events.listEvents(accountId, page, filter),
  })),
  broken('an invalid cursor restarts the list', ['an invalid cursor is reported'], ({ listEvents }) => ({
    listEvents: (accountId, { after, ...page }, filter) =>
      listEvents(accountId, after !== undefined && /^\d+$/.test(after) ? { ...page, after } : page, filter),
  })),
  ...brokenPages('events').map(({ how, breaks, of }) =>
    broken(how, breaks, ({ listEvents }) => ({
      listEvents: of(listEvents as List) as EventStore<object>['listEvents'],
    })),
  ),
];

findsEveryFault(eventStoreContract, memoryStorageFixture, doubles);
