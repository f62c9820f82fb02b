import type { DurationMs } from '@partnerkit/core';
import { groupBy } from '../../node-20.ts';
import { endpointAt } from '../network.ts';
import type { SentPost } from '../trace.ts';
import { excusesOf } from './excuses.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { type Interval, outside, union } from './intervals.ts';
import { lease, shardOfAccount } from './numbers.ts';

/** Whether an attempt timed out, or was given up. */
const isTimeout = ({ outcome }: SentPost): boolean =>
  outcome === undefined || (outcome.kind === 'failed' && outcome.reason === 'timeout');

/** The earlier attempts of its worker to the endpoint of a POST. A worker forgets them with the shard. */
const attemptsBefore = (
  { ledger, membership }: Facts,
  post: SentPost,
  sent: readonly SentPost[],
): readonly SentPost[] => {
  const delivery = ledger.deliveryOf(post);
  if (!delivery) return [];
  const shard = shardOfAccount(delivery.accountId);
  const tenure = membership.tenures.findLast(
    ({ member, shard: of, from }) => member.process === post.process && of === shard && from.order < post.order,
  );
  const since = tenure?.from.order ?? post.order;
  const to = endpointAt(post.url);
  return sent.filter(
    (each) =>
      each.process === post.process && endpointAt(each.url) === to && each.order > since && each.order < post.order,
  );
};

/**
 * Whether the last attempt that a worker made to the endpoint of a POST timed out. It is unknown when an attempt is
 * given up, and once the endpoint was changed.
 */
const isSlow = (facts: Facts, post: SentPost, sent: readonly SentPost[]): boolean => {
  const versions = facts.endpoints.get(facts.ledger.deliveryOf(post)?.endpointId ?? '') ?? [];
  const changedAt = versions.findLast(({ isBreaker, order }) => !isBreaker && order < post.order)?.order ?? 0;
  const before = attemptsBefore(facts, post, sent).filter(({ order }) => order > changedAt);
  if (before.some(({ outcome }) => outcome === undefined)) return false;
  const [last] = before
    .filter(({ learnedOrder = Infinity }) => learnedOrder < post.order)
    .toSorted((a, b) => (b.learnedOrder ?? 0) - (a.learnedOrder ?? 0));
  return last !== undefined && isTimeout(last);
};

/** Allowance for requests on the way. */
const slack: DurationMs = 4_000;

/** Whether attempts were in flight that may hold every slot: to endpoints that were not known to hang. */
const isUntried = (sent: readonly SentPost[], slow: ReadonlySet<SentPost>, within: Interval): boolean =>
  sent.some((post) => isTimeout(post) && !slow.has(post) && post.at < within.to && post.until > within.from);

export const hangingDelaysNoOther: Law = {
  name: 'receivers that are known to hang delay no other account longer than a poll',
  check: (facts) => {
    const { trace, ledger } = facts;
    const { pollEvery } = trace.history;
    const isBusyOtherwise = trace.posts.some((post) => !isTimeout(post) && post.until - post.at > 1_000);
    if (isBusyOtherwise || !trace.posts.some(isTimeout)) return undefined;
    const { disruptions, own } = excusesOf(facts);
    const slow = new Set(trace.posts.filter((post) => isSlow(facts, post, trace.posts)));
    const hanging = new Set(trace.posts.filter(isTimeout).map((post) => ledger.deliveryOf(post)?.accountId));
    return firstWrong(
      ledger.deliveries.values(),
      ({ id, accountId, eventId, endpointId, posts, rows, replay, createdAt }) => {
        if (hanging.has(accountId) || replay > 0) return undefined;
        const dispatch = ledger.dispatches.get(`${accountId} ${eventId}`);
        // Events of one object may have to wait for their timestamps.
        if (!dispatch || dispatch.timestamp * 1_000 > facts.store.now(dispatch.at)) return undefined;
        const from = ledger.publishedAs(eventId)?.committedAt ?? createdAt;
        // An attempt may end without a POST.
        const within = { from, to: posts[0]?.at ?? rows[0]?.at ?? trace.endedAt };
        if (isUntried(trace.posts, slow, within)) return undefined;
        const wait = outside(within, union([...disruptions, ...own(endpointId)]));
        return wait > pollEvery + slack && `delivery ${id} waited ${wait} ms for accounts that hang`;
      },
    );
  },
};

export const slowHoldHalf: Law = {
  name: 'endpoints whose last attempt timed out hold at most half of the slots, one each',
  check: (facts) => {
    const { trace } = facts;
    const half = Math.max(1, Math.floor(trace.history.concurrency / 2));
    return firstWrong(
      groupBy(trace.posts, ({ process }) => process),
      ([process, posts]) => {
        if (!posts.some(isTimeout)) return undefined;
        const slow = new Set(posts.filter((post) => isSlow(facts, post, posts)));
        return firstWrong(slow, (post) => {
          // While a shard is given away and comes back, attempts of two memories are in flight.
          if (facts.store.ahead(post.at - 2 * lease, post.at) > 0) return undefined;
          const open = posts.filter(
            (each) => slow.has(each) && each.order <= post.order && (each.learnedAt ?? each.until) > post.at,
          );
          const same = open.filter(({ url }) => endpointAt(url) === endpointAt(post.url)).length;
          return (
            (open.length > half || same > 1) &&
            `${process} has ${open.length} attempts at once to endpoints that timed out, ${same} to one; ${half} are allowed`
          );
        });
      },
    );
  },
};

export const untriedGoAlone: Law = {
  name: 'a worker makes one attempt at a time to an endpoint until one has ended',
  check: (facts) =>
    firstWrong(
      groupBy(facts.trace.posts, ({ process }) => process),
      ([process, posts]) =>
        firstWrong(posts, (post) => {
          // While a shard is given away and comes back, attempts of two memories are in flight.
          if (facts.store.ahead(post.at - 2 * lease, post.at) > 0) return undefined;
          const before = attemptsBefore(facts, post, posts);
          const haveEnded = before.some(
            ({ outcome, learnedOrder = Infinity }) => !outcome || learnedOrder < post.order,
          );
          return before.length > 0 && !haveEnded && `${process} has two attempts at once to an untried endpoint`;
        }),
    ),
};
