import { type OutboxEvent, shardCount } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { sameHash } from '../../../src/contracts/support/records.ts';
import { asGhost, breakPort, clocks, type Double } from '../support/doubles.ts';

const broken = breakPort('deliveries');
const onLog = breakPort('log');
type Breaks = Double<StorageFixture>['breaks'];

const atOnce = 'events of one dispatch have the same dispatch time, by the clock of the store';
const inOrder = 'the outbox is read in the order of the ranges, of accounts, and of publication';

/** What is read of the outbox, changed. */
const reading = (
  how: string,
  breaks: Breaks,
  change: (events: readonly OutboxEvent[], storeAhead: number) => readonly OutboxEvent[],
) =>
  broken(how, breaks, ({ readOutbox }, _fixture, { storeAhead }) => ({
    readOutbox: async (...args) => {
      const { events, ...state } = await readOutbox(...args);
      return { ...state, events: change(events, storeAhead) };
    },
  }));

/** Stores that lose or mix up events of the outbox, or dispatch them wrongly. */
export const brokenDispatch: readonly Double<StorageFixture>[] = [
  broken('ranges are read in reverse order', [inOrder], ({ readOutbox }) => ({
    readOutbox: (ranges, limit, known) => readOutbox(ranges.toReversed(), limit, known),
  })),
  broken('a range includes the account of its cursor', [inOrder], ({ readOutbox }) => ({
    readOutbox: (ranges, limit, known) =>
      readOutbox(
        ranges.map(({ after, ...range }) => (after === undefined ? range : { ...range, after: after.slice(0, -1) })),
        limit,
        known,
      ),
  })),
  reading('an account is left out', [inOrder], (events) => events.filter(({ accountId }) => !accountId.includes('ｱ'))),
  reading('accounts are in the order of UTF-16', [inOrder], (events) =>
    events.toSorted((a, b) => (a.shard === b.shard ? Number(a.accountId > b.accountId) - 0.5 : 0)),
  ),
  reading('the events of an account are in the order of their ids', [inOrder], (events) =>
    events.toSorted((a, b) => (a.accountId === b.accountId ? Number(a.id > b.id) - 0.5 : 0)),
  ),
  broken(
    'the limit applies to each range',
    ['the outbox is read up to the limit, over all given ranges'],
    ({ readOutbox }) => ({
      readOutbox: async (ranges, limit, known) => {
        const read = await Promise.all(ranges.map((range) => readOutbox([range], limit, known)));
        const state = read[0] ?? (await readOutbox([], 0, known));
        return { ...state, events: read.flatMap(({ events }) => events) };
      },
    }),
  ),
  broken(
    'events are found by sequence',
    ['an event with a late commit is read, one that was rolled back never'],
    (store) => {
      let last = '';
      return {
        readOutbox: async (...args) => {
          const { events, ...state } = await store.readOutbox(...args);
          const later = events.filter(({ id }) => id > last);
          last = later.at(-1)?.id ?? last;
          return { ...state, events: later };
        },
      };
    },
  ),
  reading('the trace is not read', ['an event is read as it was published'], (events) =>
    events.map(({ traceContext: _trace, ...event }) => event),
  ),
  reading(
    'events are stored by the clock of the host',
    clocks('an event is stored and read by the clock of the store'),
    (events, ahead) => events.map((event) => ({ ...event, storedAt: event.storedAt - ahead })),
  ),
  reading(
    'an object is shared by all accounts',
    ['the last second is the maximum of the object in its account'],
    (events) => events.map((event) => ({ ...event, lastTimestamp: 200 })),
  ),
  reading(
    'the last second of another object with the hash is not read',
    ['events of two objects that share a hash are dispatched one after the other'],
    (events) =>
      events.map((event) => (event.objectId === sameHash[1] ? { ...event, lastTimestamp: undefined as never } : event)),
  ),
  broken(
    'due deliveries are read without the version of endpoints',
    ['every read and every settlement tells which endpoints changed'],
    (store) => ({
      readDue: async (...args) => ({ ...(await store.readDue(...args)), endpointVersion: 0 }),
    }),
  ),

  broken(
    'events are dispatched for the first of their endpoints',
    ['a dispatched event leaves the outbox, with the bytes of its timestamp, for its endpoints'],
    ({ dispatch }) => ({
      dispatch: (workerId, events, ...rest) =>
        dispatch(
          workerId,
          events.map((each) => ({ ...each, endpointIds: each.endpointIds.slice(0, 1) })),
          ...rest,
        ),
    }),
  ),
  broken(
    'events of shards without an owner are dispatched, too',
    ['a worker dispatches events of its own shards, and leaves those of others'],
    ({ dispatch }, fixture) => ({
      dispatch: async (workerId, ...args) => {
        await asGhost(fixture, async (ghost) => {
          await fixture.storage.shards.acquire(ghost, shardCount);
          await dispatch(ghost, ...args);
        });
        return dispatch(workerId, ...args);
      },
    }),
  ),
  broken(
    'a missing event of the outbox is an error',
    ['a repeated dispatch changes nothing, and dispatches new events'],
    (store) => {
      const dispatched = new Set<string>();
      return {
        dispatch: async (workerId, events, ...rest) => {
          if (events.some(({ event: { id } }) => dispatched.has(id))) throw new Error('no row was deleted');
          for (const { event } of events) dispatched.add(event.id);
          return store.dispatch(workerId, events, ...rest);
        },
      };
    },
  ),
  broken(
    'events are dispatched one by one',
    [...clocks(atOnce), 'two events of an object never share a timestamp: such a dispatch stores nothing'],
    ({ dispatch }, { elapse }) => ({
      dispatch: async (workerId, events, ...rest) => {
        for (const each of events) {
          if ((await dispatch(workerId, [each], ...rest)) === 'fenced') return 'fenced';
          await elapse(1);
        }
        return 'stored';
      },
    }),
  ),
  onLog(
    'events are dispatched by the clock of the host',
    clocks(atOnce),
    ({ listDeliveries }, _fixture, { storeAhead }) => ({
      listDeliveries: (accountId, { from = 0, to = 2 ** 48 - 1, ...filter }, page) =>
        listDeliveries(accountId, { ...filter, from: from + storeAhead, to: to + storeAhead }, page),
    }),
  ),
  broken('`notBefore` is ignored', ['events are dispatched at `notBefore` if that is later'], ({ dispatch }) => ({
    dispatch: (workerId, events, pending) => dispatch(workerId, events, pending, 0),
  })),
  broken(
    'an account has one event a second',
    ['a timestamp may be shared by many objects, and by an object in many accounts'],
    (store) => ({
      dispatch: async (workerId, events, ...rest) => {
        const seconds = events.map(({ event: { accountId }, timestamp }) => `${accountId} ${timestamp}`);
        if (new Set(seconds).size < seconds.length) throw new Error('duplicate key');
        return store.dispatch(workerId, events, ...rest);
      },
    }),
  ),
  broken(
    'postponed deliveries are written over what is pending',
    ['postponed deliveries become pending; pending ones do not change'],
    ({ dispatch, settle }) => {
      let number = 0;
      const nothing = { after: 0, attempts: [], queued: [], finished: [], health: [], transitions: [] };
      return {
        dispatch: async (workerId, events, pending, notBefore) => {
          const dispatched = await dispatch(workerId, events, [], notBefore);
          number += 0.001;
          await settle(workerId, { number, ...nothing, pending }, 0);
          return dispatched;
        },
        settle: (workerId, settlement, known) => {
          number = Math.max(number, settlement.number);
          return settle(workerId, settlement, known);
        },
      };
    },
  ),
];
