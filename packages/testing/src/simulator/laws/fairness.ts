import { excusesOf } from './excuses.ts';
import { firstWrong, type Law } from './facts.ts';
import { outside } from './intervals.ts';

/**
 * While a delivery waits, its owner starts no more attempts of one other account than this, for each delivery of its own account that goes
 * first.
 */
const turnsOf = (concurrency: number): number => 2 * Math.max(1, Math.floor(concurrency / 4)) + 4;

/** @internal */
export const accountsTakeTurns: Law = {
  name: 'no account waits behind the backlog of another',
  check: (facts) => {
    const { trace, ledger } = facts;
    const { concurrency, pollEvery } = trace.history;
    const most = turnsOf(concurrency);
    const { ofEndpoint } = excusesOf(facts);
    return firstWrong(ledger.deliveries.values(), (delivery) => {
      const [first] = delivery.posts;
      if (!first || delivery.replay > 0) return undefined;
      const from = delivery.createdAt + 200;
      if (first.at - from < 1_000 || outside({ from, to: first.at }, ofEndpoint(delivery.endpointId)) > pollEvery) return undefined;
      const between = trace.posts.filter(({ process, at }) => process === first.process && at >= from && at < first.at);
      const own = between.filter((post) => ledger.deliveryOf(post)?.accountId === delivery.accountId).length;
      const others = Map.groupBy(
        between.filter((post) => ledger.deliveryOf(post)?.accountId !== delivery.accountId),
        (post) => ledger.deliveryOf(post)?.accountId,
      );
      return firstWrong(
        others,
        ([accountId, posts]) =>
          posts.length > most * (own + 1) &&
          `delivery ${delivery.id} waited for ${posts.length} attempts of account ${accountId}, and ${own} of its own`,
      );
    });
  },
};
