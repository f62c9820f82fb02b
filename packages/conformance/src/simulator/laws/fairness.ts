import type { EpochMs } from '@partnerkit/core';
import { groupBy } from '../../node-20.ts';
import type { SentPost } from '../trace.ts';
import { excusesOf } from './excuses.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { firstDueAt } from './in-time.ts';
import type { DeliveryRecord } from './ledger.ts';
import { shardOfAccount } from './numbers.ts';

/**
 * Maximum number of attempts of another account or endpoint while a delivery could be sent, for each attempt of its own
 * that goes first.
 */
const attemptsAllowed = (concurrency: number): number => 2 * Math.max(1, Math.floor(concurrency / 4)) + 4;

interface Turns {
  readonly name: string;
  /** Who takes turns. */
  readonly of: (delivery: DeliveryRecord) => string;
  /** Which reasons of its own excuse a delivery. */
  readonly excuse: 'own' | 'itself';
  /** Whose turns count for a delivery: all others, or only siblings. */
  readonly isOther: (delivery: DeliveryRecord, other: DeliveryRecord) => boolean;
}

/**
 * When a delivery begins to take turns. One whose timestamp was ahead waits in the store until it is due; it takes
 * turns from the next read of due deliveries, which comes once in a poll.
 */
const takesTurnsFrom = (facts: Facts, delivery: DeliveryRecord, process: string): EpochMs => {
  const due = firstDueAt(facts, delivery);
  if (due <= delivery.createdAt) return due;
  const shard = shardOfAccount(delivery.accountId);
  const read = facts
    .callsOf('deliveries.readDue')
    .find((call) => call.process === process && (call.effectAt ?? 0) >= due && call.args[0].includes(shard));
  return read?.learnedAt ?? due;
};

const lawOf = ({ name, of, excuse, isOther }: Turns): Law => ({
  name,
  check: (facts) => {
    const { trace, ledger, membership } = facts;
    const most = attemptsAllowed(trace.history.concurrency);
    const { disruptions, [excuse]: own } = excusesOf(facts);
    return firstWrong(ledger.deliveries.values(), (delivery) => {
      const [first] = delivery.posts;
      if (!first || delivery.replay > 0) return undefined;
      const excuses = [...disruptions, ...own(delivery.endpointId)];
      // A worker serves the account from when it acquired its shard.
      const acquired = membership.tenures.findLast(
        ({ member, shard, from }) =>
          member.process === first.process && shard === shardOfAccount(delivery.accountId) && from.at <= first.at,
      );
      const since = Math.max(takesTurnsFrom(facts, delivery, first.process), acquired?.from.at ?? 0);
      const between = trace.posts.filter(
        ({ process, at }) => process === first.process && at >= since && at < first.at,
      );
      const turnOf = (post: SentPost): string | undefined => {
        const sent = ledger.deliveryOf(post);
        return sent && of(sent);
      };
      const ahead = between.filter((post) => turnOf(post) === of(delivery)).length;
      const others = groupBy(
        between.filter((post) => {
          const sent = ledger.deliveryOf(post);
          return sent && isOther(delivery, sent) && !excuses.some(({ from, to }) => post.at >= from && post.at <= to);
        }),
        turnOf,
      );
      return firstWrong(
        others,
        ([other, posts]) =>
          posts.length > most * (ahead + 1) &&
          `delivery ${delivery.id} waited for ${posts.length} attempts of ${other}, and ${ahead} of its own`,
      );
    });
  },
});

export const accountsTakeTurns: Law = lawOf({
  name: 'no account waits behind the backlog of another',
  of: ({ accountId }) => `account ${accountId}`,
  excuse: 'own',
  isOther: (delivery, other) => other.accountId !== delivery.accountId,
});

export const endpointsTakeTurns: Law = lawOf({
  name: 'no endpoint waits behind the backlog of another one of its account',
  of: ({ endpointId }) => `endpoint ${endpointId}`,
  // Turns are taken while the account is at its limit.
  excuse: 'itself',
  isOther: (delivery, other) => other.accountId === delivery.accountId && other.endpointId !== delivery.endpointId,
});
