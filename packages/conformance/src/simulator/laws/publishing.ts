import { groupBy } from '../../node-20.ts';
import type { Dispatch } from './dispatch.ts';
import { type EndpointVersion, versionsBetween } from './endpoint-versions.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { parentStaleness } from './numbers.ts';
import { selects } from './selects.ts';

export const rolledBackIsNeverSent: Law = {
  name: 'what was rolled back is never sent or stored, and what was committed is stored',
  check: ({ trace, ledger }) => {
    const ids = new Set(trace.events.map(({ id }) => id));
    const pruned = trace.history.retention.events;
    return (
      firstWrong(
        trace.published,
        ({ eventId, end, committedAt, n }) =>
          eventId !== undefined &&
          ((end === 'rolled back' && ids.has(eventId) && `event ${n} was rolled back, and is stored`) ||
            (end === 'committed' &&
              committedAt === undefined &&
              `event ${n} was committed for its host, not for others`) ||
            (committedAt !== undefined &&
              trace.endedAt - committedAt < pruned / 2 &&
              !ids.has(eventId) &&
              `event ${n} was committed, and is gone`)),
      ) ??
      firstWrong(
        ledger.strays,
        ({ post }) => `sent, though nothing of the kind was to be delivered: ${post.url} ${post.body}`,
      )
    );
  },
};

export const keysMakeOneEvent: Law = {
  name: 'an idempotency key makes one event',
  check: ({ trace }) =>
    firstWrong(
      groupBy(
        trace.published.filter((event) => event.idempotencyKey !== undefined && event.committedAt !== undefined),
        ({ accountId, idempotencyKey }) => `${accountId} ${idempotencyKey}`,
      ),
      // A key expires after 30 days; no history lasts that long.
      ([key, events]) => events.length > 1 && `${events.length} events of the key ${key}`,
    ),
};

const bodyTail = ({ ledger }: Facts, { event }: Dispatch): string => {
  const { data } = JSON.parse(`{"timestamp":0${event.bodyTail}`);
  const published = ledger.committed.get(data.n);
  return `,"data":{"id":"${published?.object}","n":${data.n}},"objectName":"RequestSecurityDeposit","type":"${published?.type}"}`;
};

export const sameBytes: Law = {
  name: 'every attempt sends the bytes that were dispatched, which say what was published',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const delivery = facts.ledger.deliveryOf(post);
      const dispatch = delivery && facts.ledger.dispatches.get(`${delivery.accountId} ${delivery.eventId}`);
      if (!dispatch) return undefined;
      const expected = `{"timestamp":${dispatch.timestamp}${bodyTail(facts, dispatch)}`;
      return post.body !== expected && `sent ${post.body}, and dispatched ${expected}`;
    }),
};

const wouldTake = ({ endpoint }: EndpointVersion, { event }: Dispatch): boolean => {
  if (!endpoint || endpoint.state === 'disabled') return false;
  if (event.onlyTo !== undefined) return endpoint.id === event.onlyTo;
  return selects(endpoint, event) && (event.origin === undefined || endpoint.includeChildren);
};

/**
 * The earliest time at which a dispatch read an endpoint: the last outbox read that its process knew, or later. The
 * result may have arrived late, and the dispatch may have taken effect long after it was given up. This uses the order
 * of effects, too: the next read may take effect in the millisecond of the dispatch.
 */
const lookedAfter = ({ callsOf }: Facts, { process, sentAt, at, order: dispatched, isAnnounced }: Dispatch): number => {
  // The storage compares the endpoints.
  if (isAnnounced) return at;
  const read = callsOf('deliveries.readOutbox').findLast(
    ({ process: by, learned, learnedAt = Number.POSITIVE_INFINITY, order = 0 }) =>
      by === process && learned === 'answer' && learnedAt <= sentAt && order < dispatched,
  );
  return read?.effectAt ?? at;
};

export const eventsReachTheirEndpoints: Law = {
  name: 'an event goes to the endpoints that take it when it is dispatched, and to no others',
  check: (facts) =>
    firstWrong(facts.ledger.dispatches.values(), (dispatch) => {
      const since = lookedAfter(facts, dispatch);
      return firstWrong(facts.endpoints, ([id, versions]) => {
        const [first] = versions;
        const isOwn = first?.endpoint?.accountId === dispatch.accountId;
        const isGiven = dispatch.endpointIds.includes(id);
        if (!isOwn) return isGiven && `event ${dispatch.event.id} goes to an endpoint of another account`;
        const possible = versionsBetween(versions, since, dispatch.at).map((version) => wouldTake(version, dispatch));
        if ((first?.from ?? 0) > since) possible.push(false);
        return (
          !possible.includes(isGiven) &&
          `event ${dispatch.event.id} ${isGiven ? 'goes' : 'does not go'} to endpoint ${id}`
        );
      });
    }),
};

export const onlyParentsAreSent: Law = {
  name: 'nothing is sent to an account that does not reach the account of the event',
  check: ({ trace, ledger }) =>
    firstWrong(trace.posts, (post) => {
      const delivery = ledger.deliveryOf(post);
      const dispatch = delivery && ledger.dispatches.get(`${delivery.accountId} ${delivery.eventId}`);
      if (!delivery || !dispatch) return undefined;
      const { data } = JSON.parse(post.body);
      const from = ledger.committed.get(data.n)?.accountId;
      if (from === delivery.accountId) return undefined;
      const [parent, child] = trace.accountIds;
      if (from !== child || delivery.accountId !== parent)
        return `account ${delivery.accountId} was sent an event of ${from}`;
      const until = (trace.childUntil ?? 0) + parentStaleness;
      return post.at > until && `${post.at - until} ms too late a parent was sent an event of an account that left it`;
    }),
};
