import { excusesOf } from './excuses.ts';
import { firstWrong, type Law } from './facts.ts';

/**
 * While a delivery waits that could be sent, its owner starts no more attempts of another account than this, for each attempt of its own
 * account that goes first.
 */
const turnsOf = (concurrency: number): number => 2 * Math.max(1, Math.floor(concurrency / 4)) + 4;

/** @internal */
export const accountsTakeTurns: Law = {
  name: 'no account waits behind the backlog of another',
  check: (facts) => {
    const { trace, ledger } = facts;
    const most = turnsOf(trace.history.concurrency);
    const { own, troubles } = excusesOf(facts);
    return firstWrong(ledger.deliveries.values(), (delivery) => {
      const [first] = delivery.posts;
      if (!first || delivery.replay > 0) return undefined;
      const excuses = [...troubles, ...own(delivery.endpointId)];
      const between = trace.posts.filter(
        ({ process, at }) => process === first.process && at >= delivery.createdAt && at < first.at,
      );
      const ahead = between.filter((post) => ledger.deliveryOf(post)?.accountId === delivery.accountId).length;
      const others = Map.groupBy(
        between.filter(({ at }) => !excuses.some(({ from, to }) => at >= from && at <= to)),
        (post) => ledger.deliveryOf(post)?.accountId,
      );
      return firstWrong(
        others,
        ([accountId, posts]) =>
          accountId !== delivery.accountId &&
          posts.length > most * (ahead + 1) &&
          `delivery ${delivery.id} waited for ${posts.length} attempts of account ${accountId}, and ${ahead} of its own`,
      );
    });
  },
};
