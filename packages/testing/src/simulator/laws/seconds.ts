import type { PublishedEvent } from '../trace.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { aheadTolerated } from './numbers.ts';
import type { Stamp } from './stamp.ts';

const objectOf = ({ accountId, event }: Stamp): string => `${accountId} ${event.objectId}`;

/** @internal */
export const secondsIncrease: Law = {
  name: 'the seconds of one object strictly increase, in the order in which its events were published',
  check: ({ ledger }) =>
    firstWrong(Map.groupBy(ledger.stamps.values(), objectOf).values(), (stamps) => {
      const inOrder = stamps.toSorted((a, b) => a.order - b.order);
      return (
        firstWrong(inOrder.entries(), ([index, { second, event }]) => {
          const before = inOrder[index - 1];
          // Several stamps of one call are in its order.
          return (
            before && before.second >= second && `event ${event.id} has the second ${second} after ${before.second}`
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
              earlier.second >= later.second &&
              `event ${earlier.event.id} was published first and has the later second`
            );
          });
        })
      );
    }),
};

/** The clock of the storage when the owner of an event read it. It may have been set before the stamp. */
const shownAtRead = (
  { callsOf }: Facts,
  { process, order, accountId, event }: Stamp,
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
 * The possible seconds of an event. A time ahead of the clock of the storage counts as its present. A copy has the time
 * of the stamp of its original.
 */
const happened = (
  facts: Facts,
  stamp: Stamp,
  { occurredAt, begunInStore, storedBetween }: PublishedEvent,
): readonly [least: number, most: number] => {
  const { event } = stamp;
  const toSecond = (time: number): number => Math.floor(time / 1_000);
  if (event.origin !== undefined) return [toSecond(event.occurredAt ?? 0), toSecond(event.occurredAt ?? 0)];
  const times = occurredAt === undefined ? [begunInStore, ...(storedBetween ?? [])] : [occurredAt];
  const [from, to] = shownAtRead(facts, stamp);
  return [toSecond(Math.min(...times, from)), toSecond(Math.min(Math.max(...times), to))];
};

/** @internal */
export const secondIsOfItsEvent: Law = {
  name: 'a second is that of its event, and not ahead of the clock, unless the object needs a later one',
  check: (facts) => {
    const { ledger, callsOf } = facts;
    const pruned = callsOf('log.prune').some(({ result }) => result !== undefined);
    const last = new Map<string, number>();
    let largest = 0;
    return firstWrong(
      [...ledger.stamps.values()].toSorted((a, b) => a.order - b.order),
      (stamp) => {
        const { event, second } = stamp;
        const object = objectOf(stamp);
        const floor = last.get(object);
        const prunedFloor = largest;
        last.set(object, second);
        largest = Math.max(largest, second);
        const published = ledger.publishedAs(event.id);
        if (!published) return `event ${event.id} was dispatched, and not committed`;
        const [least, most] = happened(facts, stamp, published);
        const isOwn = second >= least && second <= most && second > (floor ?? 0);
        const isNext = floor !== undefined && second === floor + 1 && least <= floor + 1;
        const isPruned = pruned && second > (floor ?? 0) && second <= prunedFloor + 1;
        return (
          !isOwn &&
          !isNext &&
          !isPruned &&
          `event ${event.id} happened at ${least} to ${most} and has the second ${second} after ${floor}`
        );
      },
    );
  },
};

/** @internal */
export const neverAheadOfTheClock: Law = {
  name: 'nothing is sent whose second lies more than a minute ahead of the clock of the storage, unless it is sent again',
  check: ({ ledger, trace, store, callsOf }) => {
    // Sending a waiting delivery again makes it due at once.
    const sentAgain = new Set(
      callsOf('log.sendAgain').flatMap(({ result, args: [{ accountId, eventId, endpointId }] }) =>
        result?.kind === 'sent' ? [`${accountId} ${eventId} ${endpointId}`] : [],
      ),
    );
    return firstWrong(trace.posts, (post) => {
      const delivery = ledger.deliveryOf(post);
      const stamp = delivery && ledger.stamps.get(`${delivery.accountId} ${delivery.eventId}`);
      if (!stamp || delivery.replay > 0 || stamp.event.origin !== undefined) return undefined;
      if (sentAgain.has(`${delivery.accountId} ${delivery.eventId} ${delivery.endpointId}`)) return undefined;
      // The clock may have been set back since the stamp, and is read before it.
      const now =
        store.now(post.at) + store.back(stamp.at - 60_000, post.at) + store.ahead(stamp.at - 60_000, stamp.at);
      const by = stamp.second * 1_000 - now - aheadTolerated;
      return by > 1_000 && `event ${stamp.event.id} was sent ${by} ms too early for its second`;
    });
  },
};
