import { excusesOf } from './excuses.ts';
import { firstWrong, type Law } from './facts.ts';
import { shardOfAccount } from './numbers.ts';

/**
 * Maximum number of attempts of another account while a delivery could be sent, for each attempt of its own account
 * that goes first.
 */
const attemptsAllowed = (concurrency: number): number => 2 * Math.max(1, Math.floor(concurrency / 4)) + 4;

/** @internal */
export const accountsTakeTurns: Law = {
  name: 'no account waits behind the backlog of another',
  check: (facts) => {
    const { trace, ledger, membership } = facts;
    const most = attemptsAllowed(trace.history.concurrency);
    const { own, disruptions } = excusesOf(facts);
    return firstWrong(ledger.deliveries.values(), (delivery) => {
      const [first] = delivery.posts;
      if (!first || delivery.replay > 0) return undefined;
      const excuses = [...disruptions, ...own(delivery.endpointId)];
      // A worker serves the account from when it acquired its shard.
      const acquired = membership.tenures.findLast(
        ({ member, shard, from }) =>
          member.process === first.process && shard === shardOfAccount(delivery.accountId) && from.at <= first.at,
      );
      const since = Math.max(delivery.createdAt, acquired?.from.at ?? 0);
      const between = trace.posts.filter(
        ({ process, at }) => process === first.process && at >= since && at < first.at,
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
