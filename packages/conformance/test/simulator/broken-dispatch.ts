import type { StoreState } from '@partnerkit/core/adapter';
import * as attempts from '../../src/simulator/laws/attempts.ts';
import * as inTime from '../../src/simulator/laws/in-time.ts';
import * as publishing from '../../src/simulator/laws/publishing.ts';
import * as secrets from '../../src/simulator/laws/secrets.ts';
import * as seconds from '../../src/simulator/laws/timestamps.ts';
import { type BrokenStore, deliveries } from './broken-store.ts';

/** What is read to be dispatched or sent is wrong. */
export const brokenDispatch: readonly BrokenStore[] = [
  {
    how: 'an event that was committed late is skipped',
    law: inTime.dispatchedInTime,
    break: deliveries(({ readOutbox }) => {
      let last = -1;
      return {
        readOutbox: async (ranges, limit, known) => {
          const read = await readOutbox(ranges, limit, known);
          const events = read.events.filter(({ position }) => Number(position) > last);
          last = Math.max(last, ...read.events.map(({ position }) => Number(position)));
          return { ...read, events };
        },
      };
    }),
  },
  {
    how: 'the last timestamp of an object is forgotten',
    law: seconds.timestampsIncrease,
    break: deliveries(({ readOutbox, dispatch }) => ({
      readOutbox: async (ranges, limit, known) => {
        const read = await readOutbox(ranges, limit, known);
        return { ...read, events: read.events.map(({ lastTimestamp: _forgotten, ...event }) => event) };
      },
      // Two of one second are stored, too.
      dispatch: (id, events, ...rest) =>
        dispatch(
          id,
          events.map((each) => ({ ...each, event: { ...each.event, objectId: each.event.id } })),
          ...rest,
        ),
    })),
  },
  {
    how: 'events of an object are read in the wrong order',
    law: seconds.timestampsIncrease,
    break: deliveries(({ readOutbox }) => ({
      readOutbox: async (ranges, limit, known) => {
        const read = await readOutbox(ranges, limit, known);
        return { ...read, events: read.events.toReversed() };
      },
    })),
  },
  {
    how: 'events are stored a minute later than they were',
    law: seconds.timestampIsOfItsEvent,
    break: deliveries(({ readOutbox }) => ({
      readOutbox: async (ranges, limit, known) => {
        const read = await readOutbox(ranges, limit, known);
        return { ...read, events: read.events.map((event) => ({ ...event, storedAt: event.storedAt - 60_000 })) };
      },
    })),
  },
  {
    how: 'events are read with a late clock',
    law: seconds.timestampIsOfItsEvent,
    break: deliveries(({ readOutbox }) => ({
      readOutbox: async (ranges, limit, known) => {
        const read = await readOutbox(ranges, limit, known);
        return { ...read, now: read.now - 30_000 };
      },
    })),
  },
  {
    how: 'each attempt is the first',
    law: attempts.neverEarly,
    break: deliveries(({ readDue }) => ({
      readDue: async (...args) => {
        const due = await readDue(...args);
        return { ...due, deliveries: due.deliveries.map((delivery) => ({ ...delivery, attempts: 0 })) };
      },
    })),
  },
  {
    how: 'changes of endpoints are not reported',
    law: secrets.onlyEnabledAreSent,
    break: deliveries(({ readOutbox, readDue, readQueued, readEndpoints, settle }) => {
      const silent = <T extends StoreState>(state: T): T => ({ ...state, endpointVersion: 1, changedShards: [] });
      return {
        readOutbox: async (...args) => silent(await readOutbox(...args)),
        readDue: async (...args) => silent(await readDue(...args)),
        readQueued: async (...args) => silent(await readQueued(...args)),
        readEndpoints: async (...args) => silent(await readEndpoints(...args)),
        settle: async (...args) => {
          const settled = await settle(...args);
          return settled === 'fenced' ? settled : silent(settled);
        },
      };
    }),
  },
  {
    how: 'endpoints are read as they were at first',
    law: secrets.signedWithTheSecretOfTheMoment,
    break: deliveries(({ readEndpoints }) => {
      const first = new Map<string, Awaited<ReturnType<typeof readEndpoints>>['endpoints'][number]['endpoint']>();
      return {
        readEndpoints: async (...args) => {
          const read = await readEndpoints(...args);
          for (const { endpoint } of read.endpoints) if (!first.has(endpoint.id)) first.set(endpoint.id, endpoint);
          const endpoints = read.endpoints.map((owned) => {
            const { id, state, version } = owned.endpoint;
            return { ...owned, endpoint: { ...(first.get(id) ?? owned.endpoint), state, version } };
          });
          return { ...read, endpoints };
        },
      };
    }),
  },
  {
    how: 'what is read to be sent again has a later timestamp',
    law: publishing.sameBytes,
    break: deliveries(({ readDue }) => ({
      readDue: async (...args) => {
        const due = await readDue(...args);
        return {
          ...due,
          deliveries: due.deliveries.map((delivery) => {
            const timestamp = delivery.event.timestamp + 1;
            const body = `{"timestamp":${timestamp}${delivery.event.bodyTail}`;
            return { ...delivery, event: { ...delivery.event, timestamp, body } };
          }),
        };
      },
    })),
  },
  {
    how: 'one account is read before all others, whatever it has',
    law: inTime.dispatchedInTime,
    break: deliveries(({ readOutbox }) => ({
      // Few at a time, always from the first shard on.
      readOutbox: (ranges) =>
        readOutbox(
          ranges.map(({ shard }) => ({ shard })).toSorted((a, b) => a.shard - b.shard),
          1,
          0,
        ),
    })),
  },
  {
    how: 'the child of an event is not reported',
    law: publishing.onlyParentsAreSent,
    break: deliveries(({ readOutbox, readDue, readQueued }) => {
      const grown = <T extends { readonly origin?: string }>({ origin: _forgotten, ...event }: T): Omit<T, 'origin'> =>
        event;
      const pending = async (read: ReturnType<typeof readDue>) => {
        const { deliveries: found, ...state } = await read;
        return { ...state, deliveries: found.map((each) => ({ ...each, event: grown(each.event) })) };
      };
      return {
        readOutbox: async (...args) => {
          const { events, ...state } = await readOutbox(...args);
          return { ...state, events: events.map(grown) };
        },
        readDue: (...args) => pending(readDue(...args)),
        readQueued: (...args) => pending(readQueued(...args)),
      };
    }),
  },
];
