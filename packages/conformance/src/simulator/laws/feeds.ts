import type { TracedReader } from '../trace.ts';
import type { Dispatch } from './dispatch.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { selects } from './selects.ts';

const eventIdOf = (messageId: string): string => messageId.split('_')[0] ?? '';

/** Whether every event that ever joined the feed is there, and is read by its reader. */
const isWhole = ({ trace }: Facts, { accountId, feed }: TracedReader): boolean =>
  feed.pruned === 0 && (accountId !== trace.accountIds[0] || (trace.childUntil ?? Infinity) === Infinity);

/** Whether a dispatched event belongs in the feed of a reader. */
const isFor =
  ({ trace: { history } }: Facts, number: number, { accountId }: TracedReader) =>
  ({ event, accountId: of }: Dispatch): boolean => {
    const script = history.readers?.[number];
    if (!script || of !== accountId || event.onlyTo !== undefined) return false;
    return selects(script, event) && (event.origin === undefined || script.includeChildren);
  };

export const feedsHaveEveryEvent: Law = {
  name: 'each event that a pull endpoint selects is in its feed, once, in the order of dispatch, with its timestamp',
  check: (facts) =>
    firstWrong(facts.trace.readers.entries(), ([number, reader]) => {
      const { accountId, endpointId, feed } = reader;
      if (feed.pruned > 0) return undefined;
      const wanted = [...facts.ledger.dispatches.values()].filter(isFor(facts, number, reader));
      const found = new Set(feed.entries.map(({ eventId }) => eventId));
      if (found.size !== feed.entries.length) return `endpoint ${endpointId} has an event twice`;
      const missing = wanted.find(({ event }) => !found.has(event.id));
      if (missing) return `event ${missing.event.id} is not in the feed of ${endpointId}`;
      if (found.size !== wanted.length) return `the feed of ${endpointId} has events that it does not select`;
      let last = -1;
      return firstWrong(feed.entries, ({ eventId, event }) => {
        const dispatch = facts.ledger.dispatches.get(`${accountId} ${eventId}`);
        const before = last;
        last = dispatch?.order ?? 0;
        if (before > last) return `event ${eventId} is behind one that was dispatched later`;
        return event.timestamp !== dispatch?.timestamp && `event ${eventId} has another timestamp`;
      });
    }),
};

export const nothingIsBehindACursor: Law = {
  name: 'a cursor goes on where its page ended, whatever is dispatched later',
  check: (facts) =>
    firstWrong(facts.trace.readers, (reader) => {
      if (!isWhole(facts, reader)) return undefined;
      const { pulls, feed, endpointId } = reader;
      const order = feed.entries.map(({ eventId }) => eventId);
      const places = new Map<string | undefined, number>([[undefined, 0]]);
      return firstWrong(pulls, ({ after, page }) => {
        if (typeof page === 'string') return page !== 'unavailable' && `a good cursor of ${endpointId} is ${page}`;
        const from = places.get(after) ?? 0;
        const to = from + page.items.length;
        places.set(page.next, to);
        if (page.items.some(({ id }, index) => eventIdOf(id) !== order[from + index]))
          return `a page of ${endpointId} after ${from} entries is not what the feed has there`;
        return page.hasMore && to >= order.length && `there is nothing after the last entry of ${endpointId}`;
      });
    }),
};

/** What the feed of a reader has, and the reader never got. */
const unreadBy = ({ pulls, feed }: TracedReader): readonly string[] => {
  const got = new Set(
    pulls.flatMap(({ page }) => (typeof page === 'string' ? [] : page.items.map(({ id }) => eventIdOf(id)))),
  );
  return feed.entries.map(({ eventId }) => eventId).filter((id) => !got.has(id));
};

export const readersGetEverything: Law = {
  name: 'a reader that reads to the end has got all that its feed has',
  check: (facts) =>
    firstWrong(facts.trace.readers, (reader) => {
      const [first] = isWhole(facts, reader) ? unreadBy(reader) : [];
      return first !== undefined && `event ${first} of ${reader.endpointId} was not read`;
    }),
};
