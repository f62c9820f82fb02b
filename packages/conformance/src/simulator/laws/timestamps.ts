import { groupBy } from '../../node-20.ts';
import type { PublishedEvent } from '../trace.ts';
import type { Dispatch } from './dispatch.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { aheadTolerated } from './numbers.ts';

const objectOf = ({ accountId, event }: Dispatch): string => `${accountId} ${event.objectId}`;

export const timestampsIncrease: Law = {
  name: 'the timestamps of one object strictly increase, in the order in which its events were published',
  check: ({ ledger }) =>
    firstWrong(groupBy(ledger.dispatches.values(), objectOf).values(), (dispatches) => {
      const inOrder = dispatches.toSorted((a, b) => a.order - b.order);
      return (
        firstWrong(inOrder.entries(), ([index, { timestamp, event }]) => {
          const before = inOrder[index - 1];
          // Several dispatches of one call are in its order.
          return (
            before &&
            before.timestamp >= timestamp &&
            `event ${event.id} has the timestamp ${timestamp} after ${before.timestamp}`
          );
        }) ??
        firstWrong(inOrder, (later) => {
          const published = ledger.publishedAs(later.event.id);
          if (!published || later.event.origin !== undefined) return undefined;
          return firstWrong(inOrder, (earlier) => {
            const first = ledger.publishedAs(earlier.event.id);
            return (
              earlier.event.origin === undefined &&
              (first?.committedAt ?? Number.POSITIVE_INFINITY) < published.begunAt &&
              earlier.timestamp >= later.timestamp &&
              `event ${earlier.event.id} was published first and has the later timestamp`
            );
          });
        })
      );
    }),
};

/** The clock of the storage when the owner of an event read it. It may have been set before the dispatch. */
const shownAtRead = (
  { callsOf }: Facts,
  { process, order, accountId, event }: Dispatch,
): readonly [from: number, to: number] => {
  const reads = callsOf('deliveries.readOutbox').filter(
    (call) =>
      call.process === process &&
      (call.order ?? 0) < order &&
      call.result?.events.some((each) => each.accountId === accountId && each.id === event.id),
  );
  // A read that was given up may take effect after the next one.
  const read = reads.toSorted((a, b) => a.sentAt - b.sentAt).at(-1);
  const times = [read?.storeTime ?? 0, read?.storeTimeDone ?? 0];
  return [Math.min(...times), Math.max(...times)];
};

/**
 * The possible timestamps of an event. A time ahead of the clock of the storage counts as its present. A copy has the
 * time of the dispatch of its original.
 */
const happened = (
  facts: Facts,
  dispatch: Dispatch,
  { occurredAt, begunInStore, storedBetween }: PublishedEvent,
): readonly [least: number, most: number] => {
  const { event } = dispatch;
  const toSecond = (time: number): number => Math.floor(time / 1_000);
  if (event.origin !== undefined) return [toSecond(event.occurredAt ?? 0), toSecond(event.occurredAt ?? 0)];
  const times = occurredAt === undefined ? [begunInStore, ...(storedBetween ?? [])] : [occurredAt];
  const [from, to] = dispatch.isAnnounced
    ? [Math.min(begunInStore, ...(storedBetween ?? [])), Math.max(dispatch.storeTime, ...(storedBetween ?? []))]
    : shownAtRead(facts, dispatch);
  return [toSecond(Math.min(...times, from)), toSecond(Math.min(Math.max(...times), to))];
};

export const timestampIsOfItsEvent: Law = {
  name: 'a timestamp is that of its event, and not ahead of the clock, unless the object needs a later one',
  check: (facts) => {
    const { ledger, callsOf } = facts;
    const pruned = callsOf('log.prune').some(({ result }) => result !== undefined);
    const last = new Map<string, number>();
    let largest = 0;
    return firstWrong(
      [...ledger.dispatches.values()].toSorted((a, b) => a.order - b.order),
      (dispatch) => {
        const { event, timestamp } = dispatch;
        const object = objectOf(dispatch);
        const floor = last.get(object);
        const prunedFloor = largest;
        last.set(object, timestamp);
        largest = Math.max(largest, timestamp);
        const published = ledger.publishedAs(event.id);
        if (!published) return `event ${event.id} was dispatched, and not committed`;
        const [least, most] = happened(facts, dispatch, published);
        const isOwn = timestamp >= least && timestamp <= most && timestamp > (floor ?? 0);
        const isNext = floor !== undefined && timestamp === floor + 1 && least <= floor + 1;
        const isPruned = pruned && timestamp > (floor ?? 0) && timestamp <= prunedFloor + 1;
        return (
          !isOwn &&
          !isNext &&
          !isPruned &&
          `event ${event.id} happened at ${least} to ${most} and has the timestamp ${timestamp} after ${floor}`
        );
      },
    );
  },
};

export const neverAheadOfTheClock: Law = {
  name: 'nothing is sent whose timestamp lies more than a minute ahead of the clock of the storage, unless it is sent again',
  check: ({ ledger, trace, store, callsOf }) => {
    // Sending a waiting delivery again makes it due at once.
    const sentAgain = new Set(
      callsOf('log.sendAgain').flatMap(({ result, args: [{ accountId, eventId, endpointId }] }) =>
        result?.kind === 'sent' ? [`${accountId} ${eventId} ${endpointId}`] : [],
      ),
    );
    return firstWrong(trace.posts, (post) => {
      const delivery = ledger.deliveryOf(post);
      const dispatch = delivery && ledger.dispatches.get(`${delivery.accountId} ${delivery.eventId}`);
      if (!dispatch || delivery.replay > 0 || dispatch.event.origin !== undefined) return undefined;
      if (sentAgain.has(`${delivery.accountId} ${delivery.eventId} ${delivery.endpointId}`)) return undefined;
      // The clock may have been set back since the dispatch, and is read before it.
      const now =
        store.now(post.at) + store.back(dispatch.at - 60_000, post.at) + store.ahead(dispatch.at - 60_000, dispatch.at);
      const by = dispatch.timestamp * 1_000 - now - aheadTolerated;
      return by > 1_000 && `event ${dispatch.event.id} was sent ${by} ms too early for its timestamp`;
    });
  },
};
