import type { PublishedEvent } from '../trace.ts';
import { firstWrong, type Law } from './facts.ts';
import type { Stamp } from './ledger.ts';
import { aheadTolerated } from './numbers.ts';

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
          // Several of one call stand in its order.
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

/** When an event happened, as far as can be known. A copy happened when its original was stamped. */
const happened = (
  { event }: Stamp,
  { occurredAt, begunInStore, storedBetween }: PublishedEvent,
): readonly [number, number] => {
  if (event.origin !== undefined) return [event.occurredAt ?? 0, event.occurredAt ?? 0];
  if (occurredAt !== undefined) return [occurredAt, occurredAt];
  const times = [begunInStore, ...(storedBetween ?? [])];
  return [Math.min(...times), Math.max(...times)];
};

/** @internal */
export const secondIsOfItsEvent: Law = {
  name: 'a second is that of its event, unless the object needs a later one',
  check: ({ ledger, callsOf, store }) => {
    const pruned = callsOf('log.prune').some(({ result }) => result !== undefined);
    const last = new Map<string, number>();
    let largest = 0;
    return firstWrong(
      [...ledger.stamps.values()].toSorted((a, b) => a.order - b.order),
      (stamp) => {
        const { event, second, at } = stamp;
        const object = objectOf(stamp);
        const floor = last.get(object);
        const prunedFloor = largest;
        last.set(object, second);
        largest = Math.max(largest, second);
        const published = ledger.publishedAs(event.id);
        if (!published) return `event ${event.id} was dispatched, and not committed`;
        const [least, most] = happened(stamp, published).map((time) => Math.floor(time / 1_000)) as [number, number];
        const now = Math.floor(store.now(at) / 1_000);
        const isOwn = second >= least && second <= most && second > (floor ?? 0);
        const isNext = floor !== undefined && second === floor + 1 && least <= floor + 1;
        // An occurrence that the storage's clock had not reached counts as its present.
        const isPresent = most > second && second >= now - 60;
        const isPruned = pruned && second > (floor ?? 0) && second <= prunedFloor + 1;
        return (
          !isOwn &&
          !isNext &&
          !isPresent &&
          !isPruned &&
          `event ${event.id} happened at ${least} to ${most} and has the second ${second} after ${floor}`
        );
      },
    );
  },
};

/** @internal */
export const neverAheadOfTheClock: Law = {
  name: 'nothing is sent whose second lies ahead of the clock of the storage',
  check: ({ ledger, trace, store }) =>
    firstWrong(trace.posts, (post) => {
      const delivery = ledger.deliveryOf(post);
      const stamp = delivery && ledger.stamps.get(`${delivery.accountId} ${delivery.eventId}`);
      if (!stamp || delivery.replay > 0 || stamp.event.origin !== undefined) return undefined;
      // The clock may have been set back since the stamp, and is read before it.
      const now =
        store.now(post.at) + store.back(stamp.at - 60_000, post.at) + store.ahead(stamp.at - 60_000, stamp.at);
      const by = stamp.second * 1_000 - now - aheadTolerated;
      return by > 1_000 && `event ${stamp.event.id} was sent ${by} ms too early for its second`;
    }),
};
