import type { EventDispatch, FeedPart } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { breakPort, clocks, type Double, meanwhile } from '../support/doubles.ts';

const broken = breakPort('feeds');
const onDispatch = breakPort('deliveries');
const onLog = breakPort('log');
const onEndpoints = breakPort('endpoints');

const inOrder = 'dispatched events join the feed in the order of publication, with their bytes';
const behind = 'no entry is committed behind one that was read';
const several = 'one dispatch appends to the feeds of several endpoints and accounts, beside deliveries';
const empty = 'the feed of a new endpoint is empty; other endpoints have none';
const noted = 'the last cursor is noted with the time of the store';
const pruned = 'an entry is pruned with its event: the last one is remembered, and numbers continue';
const again = 'an endpoint that is stored again continues its numbers until its last entry is pruned';

/** A dispatch with other feeds. */
const dispatching = (
  how: string,
  breaks: Double<StorageFixture>['breaks'],
  change: (events: readonly EventDispatch[]) => readonly EventDispatch[],
) =>
  onDispatch(how, breaks, ({ dispatch }) => ({
    dispatch: (workerId, events, ...rest) => dispatch(workerId, change(events), ...rest),
  }));

/** What is read of a feed, changed. */
const reading = (how: string, breaks: Double<StorageFixture>['breaks'], change: (part: FeedPart) => FeedPart) =>
  broken(how, breaks, ({ readFeed }) => ({
    readFeed: async (...args) => {
      const part = await readFeed(...args);
      return part && change(part);
    },
  }));

/** Stores that lose events of feeds, or mix them up. */
export const brokenFeeds: readonly Double<StorageFixture>[] = [
  dispatching('no event joins a feed', [inOrder, several, behind], (events) =>
    events.map((each) => ({ ...each, pullEndpointIds: [] })),
  ),
  dispatching('an event joins one feed only', [several], (events) =>
    events.map((each) => ({ ...each, pullEndpointIds: (each.pullEndpointIds ?? []).slice(0, 1) })),
  ),
  dispatching(
    'a pull endpoint has deliveries, too',
    ['a pull endpoint has no deliveries: not for lists, backlogs, statistics or the next owner'],
    (events) =>
      events.map((each) => ({ ...each, endpointIds: [...each.endpointIds, ...(each.pullEndpointIds ?? [])] })),
  ),
  reading('entries are in the order of their events, newest first', [inOrder], (part) => ({
    ...part,
    entries: part.entries.toReversed(),
  })),
  reading('an entry has the body after its timestamp only', [inOrder], (part) => ({
    ...part,
    entries: part.entries.map((each) => ({ ...each, event: { ...each.event, body: '' } })),
  })),
  reading('the newest entry appears before the one before it', [behind], (part) => ({
    ...part,
    entries: part.entries.filter(({ number }) => number !== part.last - 1),
  })),
  broken('the last number runs ahead of the entries', [behind], ({ readFeed }) => {
    let last = 0;
    return {
      readFeed: async (...args) => {
        const before = last;
        const part = await readFeed(...args);
        last = part?.last ?? 0;
        await meanwhile();
        return part && { ...part, entries: part.entries.filter(({ number }) => number <= before) };
      },
    };
  }),
  broken(
    'the limits of a read are ignored',
    ['a read begins after a number, and ends at its limit or with enough text'],
    ({ readFeed }) => ({
      readFeed: (accountId, endpointId, { places }) =>
        readFeed(accountId, endpointId, { limit: 1_000, maxLength: 2 ** 30, places }),
    }),
  ),
  reading('places are not told', ['the places of a feed have the ids of their events', pruned], (part) => ({
    ...part,
    places: [],
  })),
  broken('everybody reads every feed', [empty], ({ readFeed, readProgress }, { storage: { endpoints } }) => ({
    readFeed: async (accountId, endpointId, read) => {
      for (const each of (await endpoints.listAllEndpoints({})).items)
        if (each.id === endpointId) return readFeed(each.accountId, endpointId, read);
      return readFeed(accountId, endpointId, read);
    },
    readProgress,
  })),
  broken(
    'the progress of a foreign feed is told',
    ['progress is read of feeds of several accounts at once'],
    ({ readProgress }) => ({
      readProgress: async (keys) => {
        const found = await readProgress(keys);
        return keys.flatMap(({ endpointId }) => found.find((each) => each.endpointId === endpointId) ?? []);
      },
    }),
  ),
  broken(
    'readers are never woken',
    ['a reader is woken after entries were committed, and not once it has stopped'],
    () => ({ watchFeeds: async () => () => undefined }),
  ),
  broken(
    'readers who have stopped are woken',
    ['a reader is woken after entries were committed, and not once it has stopped'],
    ({ watchFeeds }) => ({
      watchFeeds: async (onWake) => {
        await watchFeeds(onWake);
        return () => undefined;
      },
    }),
  ),
  broken('nothing is noted', [...clocks(noted)], () => ({ noteAsked: async () => undefined })),
  broken('what is noted has the time of the host', [...clocks(noted)], ({ readProgress }) => ({
    readProgress: async (...args) =>
      (await readProgress(...args)).map((each) =>
        each.asked ? { ...each, asked: { ...each.asked, at: Date.UTC(2025, 6, 1, 12) } } : each,
      ),
  })),
  broken('an event is found in every feed', ['only its own account finds an event in a feed'], ({ findEntry }) => ({
    findEntry: async (...args) => (await findEntry(...args)) ?? 1,
  })),
  reading(
    'nothing is ever pruned',
    [pruned, again, 'an event that is pruned before an older one moves the begin of the feed'],
    (part) => ({
      ...part,
      pruned: 0,
    }),
  ),
  onEndpoints(
    'a deleted endpoint can still be read',
    ['a dispatch for an endpoint that is gone is stored all the same', again],
    () => ({ deleteEndpoint: async () => true }),
  ),
  onDispatch(
    'a dispatch for an endpoint that is gone fails',
    ['a dispatch for an endpoint that is gone is stored all the same'],
    ({ dispatch }, { storage: { endpoints } }) => ({
      dispatch: async (workerId, events, ...rest) => {
        for (const { event, pullEndpointIds = [] } of events)
          for (const id of pullEndpointIds)
            if (!(await endpoints.findEndpoint(event.accountId, id))) throw new Error('no such feed');
        return dispatch(workerId, events, ...rest);
      },
    }),
  ),
  onDispatch(
    'a fenced worker appends',
    ['a repeated dispatch, one of another shard and one of a fenced worker append nothing'],
    ({ dispatch }) => ({
      dispatch: (workerId, ...rest) => dispatch(workerId === 'nobody' ? 'worker-1' : workerId, ...rest),
    }),
  ),
  onLog('events are replayed to every endpoint', ['events are not replayed to a pull endpoint'], () => ({
    replay: async () => ({ kind: 'replayed', deliveries: 0 }),
  })),
  broken(
    'numbers begin again with each worker',
    ['a feed survives its owner: another worker continues the numbers', inOrder],
    ({ readFeed }) => ({
      readFeed: async (...args) => {
        const part = await readFeed(...args);
        return part && { ...part, entries: part.entries.map((each) => ({ ...each, number: 1 })) };
      },
    }),
  ),
  broken(
    'the feed of a deleted endpoint stays',
    ['the feed of a deleted endpoint ends with its last entry'],
    ({ readFeed }) => {
      let most = 0;
      return {
        readFeed: async (...args) => {
          const part = await readFeed(...args);
          most = Math.max(most, part?.last ?? 0, 2);
          return part && { ...part, last: Math.max(part.last, most) };
        },
      };
    },
  ),
];
