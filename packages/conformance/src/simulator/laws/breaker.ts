import type { EpochMs } from '@partnerkit/core';
import type { SentPost } from '../trace.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { isUnsent, type LogRow } from './ledger.ts';
import { breakerTable, disabledAfter, failuresToOpen, lease } from './numbers.ts';
import { isSuccess, retryAfter } from './outcomes.ts';
import { isUrgent } from './urgent.ts';

/** A learned outcome of an endpoint. */
interface Outcome {
  readonly at: EpochMs;
  /** The position of that moment: several may be learned in one millisecond. */
  readonly order: number;
  readonly post: SentPost;
  /** Absent: it was never settled. */
  readonly row: LogRow | undefined;
}

const byEndpoint = new WeakMap<Facts, ReadonlyMap<string, readonly Outcome[]>>();

/** The outcomes of each endpoint, in the order in which they were learned. */
export const outcomesOf = (facts: Facts): ReadonlyMap<string, readonly Outcome[]> => {
  const known = byEndpoint.get(facts);
  if (known) return known;
  const { ledger } = facts;
  const found = new Map<string, Outcome[]>();
  for (const delivery of ledger.deliveries.values())
    for (const post of delivery.posts) {
      if (post.learnedAt === undefined || !post.outcome) continue;
      const row = delivery.rows.find((each) => each.post === post);
      // Its process had abandoned it.
      if (row && isUnsent(row.outcome)) continue;
      const outcomes = found.get(delivery.endpointId) ?? [];
      outcomes.push({ at: post.learnedAt, order: post.learnedOrder ?? 0, post, row });
      found.set(delivery.endpointId, outcomes);
    }
  for (const outcomes of found.values()) outcomes.sort((a, b) => a.order - b.order);
  byEndpoint.set(facts, found);
  return found;
};

const isPauseAsked = ({ outcome }: SentPost): boolean =>
  outcome?.kind === 'answered' && (outcome.status === 429 || outcome.status === 503);

const isGone = ({ outcome }: SentPost): boolean => outcome?.kind === 'answered' && outcome.status === 410;

/**
 * From when on attempts count for the version of the endpoint at the start of a POST. An attempt of a worker that did
 * not know of a change is not stored.
 */
const changedBefore = ({ endpoints, trace }: Facts, endpointId: string, post: SentPost): EpochMs => {
  const versions = (endpoints.get(endpointId) ?? []).filter(({ order }) => order < post.order);
  const changed = versions.at(-1)?.from ?? 0;
  if (versions.length <= 1) return changed;
  const notice = trace.history.pollEvery + 2_000;
  const noticed = changed + notice;
  // A worker that waits for an answer of the storage acts on what it read before.
  const waits = trace.calls.flatMap(({ process, sentAt, learnedAt = 0 }) =>
    process === post.process && sentAt <= noticed && learnedAt > noticed ? [learnedAt + notice] : [],
  );
  return Math.max(noticed, ...waits);
};

/**
 * When a settlement took effect that its worker had given up long before: it may overwrite the health that was stored
 * meanwhile.
 */
const overwrittenAt = ({ callsOf }: Facts, endpointId: string, post: SentPost): EpochMs =>
  Math.max(
    0,
    ...callsOf('deliveries.settle').flatMap(({ sentAt, effectAt = sentAt, order = 0, args: [, { health }] }) =>
      effectAt - sentAt > lease / 2 && order < post.order && health.some((each) => each.endpointId === endpointId)
        ? [effectAt]
        : [],
    ),
  );

/** Consecutive failures before a POST that were settled when it started, in the order in which they were learned. */
interface Failures {
  readonly all: readonly Outcome[];
  /** Failures that count for every worker, whether it knew the last change of the endpoint or not. */
  readonly certain: readonly Outcome[];
}

const failuresBefore = (facts: Facts, endpointId: string, post: SentPost): Failures => {
  const since = Math.max(changedBefore(facts, endpointId, post), overwrittenAt(facts, endpointId, post));
  const known = (outcomesOf(facts).get(endpointId) ?? []).filter(({ order }) => order < post.order);
  const success = known.findLastIndex(({ post: each }) => isSuccess(each.outcome));
  // One that is in progress may end well before the others were settled.
  const all = known
    .slice(success + 1)
    .filter(({ row, post: each }) => row !== undefined && row.order < post.order && !isGone(each));
  return { all, certain: all.filter(({ post: each }) => each.at >= since) };
};

/** A pause that an endpoint requested, from the position of its response on. */
interface RequestedPause {
  readonly order: number;
  /** Its end for a failure at that time: the clock of the storage may be set ahead, or back, meanwhile. */
  readonly endAt: (failedAt: EpochMs) => EpochMs;
}

/** Until when the breaker is open, and what opened it. Failures during a requested pause open nothing. */
const breakerAfter = (
  failures: readonly Outcome[],
  requested: readonly RequestedPause[],
): { readonly until: EpochMs; readonly opener?: Outcome } => {
  let until = Number.NEGATIVE_INFINITY;
  let openCount = 0;
  let opener: Outcome | undefined;
  for (const [index, failure] of failures.entries()) {
    const { at, order } = failure;
    const isPaused = at < until || requested.some((pause) => pause.order < order && at < pause.endAt(at));
    if (index + 1 < failuresToOpen || isPaused) continue;
    until = at + (breakerTable[Math.min(openCount, breakerTable.length - 1)] ?? 0);
    openCount++;
    opener ??= failure;
  }
  return { until, ...(opener ? { opener } : {}) };
};

/**
 * The earliest possible end of the open state. Failures before a change of the endpoint was known may count, the last
 * ones first. One more failure opens the breaker earlier; a failure while it is open does not extend it.
 */
const openUntil = ({ all, certain }: Failures, pauses: RequestedPauses): EpochMs => {
  const uncertain = all.filter((failure) => !certain.includes(failure));
  const ways = [uncertain.length, ...uncertain.keys()].map((forgotten) => new Set(uncertain.slice(0, forgotten)));
  return Math.min(
    ...ways.flatMap((without) => {
      const failures = all.filter((failure) => !without.has(failure));
      return [pauses.shortest, pauses.longest].map((requested) => breakerAfter(failures, requested).until);
    }),
  );
};

/** The pauses that an endpoint requested, as short and as long as the clock of the storage may have made them. */
interface RequestedPauses {
  readonly shortest: readonly RequestedPause[];
  readonly longest: readonly RequestedPause[];
}

const requestedPauses = (facts: Facts, endpointId: string): RequestedPauses => {
  const requests = (outcomesOf(facts).get(endpointId) ?? []).filter(({ post }) => isPauseAsked(post));
  return {
    shortest: requests.map(({ at, order, post }) => ({
      order,
      endAt: (failedAt) => at + retryAfter(post.outcome) - facts.store.ahead(at, failedAt),
    })),
    longest: requests.map(({ at, order, post }) => ({
      order,
      endAt: () => facts.store.passed(at, retryAfter(post.outcome)),
    })),
  };
};

export const openBreakerSendsNothing: Law = {
  name: 'after five failures in a row only what a person sends goes to an endpoint, for a minute, then five and fifteen',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const endpointId = facts.ledger.deliveryOf(post)?.endpointId;
      if (endpointId === undefined) return undefined;
      const until = openUntil(failuresBefore(facts, endpointId, post), requestedPauses(facts, endpointId));
      const early = until - post.at - facts.store.ahead(until - 900_000, post.at);
      return (
        early > 0 &&
        !isUrgent(facts, post) &&
        `endpoint ${endpointId} was sent to ${early} ms before its breaker is half-open, at ${post.at - facts.trace.startedAt}`
      );
    }),
};

export const probesGoAlone: Law = {
  name: 'a half-open breaker lets one attempt through at a time',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const endpointId = facts.ledger.deliveryOf(post)?.endpointId;
      if (endpointId === undefined) return undefined;
      const { certain } = failuresBefore(facts, endpointId, post);
      // With more failures before, it opens no later.
      const { opener } = breakerAfter(certain, requestedPauses(facts, endpointId).longest);
      if (!opener?.row) return undefined;
      const others = facts.trace.posts.filter(
        (each) =>
          each.order < post.order &&
          each.until > post.at &&
          each.at > (opener.row?.at ?? 0) &&
          facts.ledger.deliveryOf(each)?.endpointId === endpointId,
      );
      const isJumped = facts.store.ahead(post.at - 2 * lease, post.at) > 0;
      return (
        others.length > 0 &&
        !isJumped &&
        `endpoint ${endpointId} is half-open, and ${others.length + 1} attempts are in flight at ${post.at - facts.trace.startedAt}`
      );
    }),
};

export const retryAfterIsHeard: Law = {
  name: 'a receiver that answers 429 or 503 with Retry-After is left alone for so long',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const endpointId = facts.ledger.deliveryOf(post)?.endpointId;
      if (endpointId === undefined) return undefined;
      const since = changedBefore(facts, endpointId, post);
      return firstWrong(outcomesOf(facts).get(endpointId) ?? [], ({ at, row, post: requested }) => {
        if (!row || row.order > post.order || requested.at < since || !isPauseAsked(requested)) return undefined;
        const early = at + retryAfter(requested.outcome) - post.at - facts.store.ahead(at, post.at);
        return (
          early > 0 &&
          `endpoint ${endpointId} was sent to ${early} ms before it requested to be, at ${post.at - facts.trace.startedAt}`
        );
      });
    }),
};

export const disabledForAReason: Law = {
  name: 'an endpoint is disabled after 410, or after five days of failures, ten of them, and an exhausted delivery',
  check: (facts) =>
    firstWrong(facts.callsOf('deliveries.settle'), (call) => {
      if (call.result === undefined || call.result === 'fenced') return undefined;
      const { transitions } = call.args[1];
      return firstWrong(call.result.transitions.entries(), ([index, { isDisabled }]) => {
        const { endpointId = '', disable } = transitions[index] ?? {};
        if (!isDisabled || !disable) return undefined;
        const known = (outcomesOf(facts).get(endpointId) ?? []).filter(({ at }) => at <= call.sentAt);
        const enabled = facts.endpoints
          .get(endpointId)
          ?.findLast(({ order, endpoint }) => order < (call.order ?? 0) && endpoint?.state === 'enabled')?.from;
        if (disable.reason === 'gone')
          return (
            !known.some(({ post }) => isGone(post)) && `endpoint ${endpointId} was disabled, and never answered 410`
          );
        const success = known.findLastIndex(({ row, post }) => row !== undefined && isSuccess(post.outcome));
        const failures = known.slice(success + 1).filter(({ post }) => !isGone(post));
        const [first] = failures;
        const days = first ? call.sentAt - first.at : 0;
        const isExhausted = [...facts.ledger.deliveries.values()].some(
          (delivery) =>
            delivery.endpointId === endpointId &&
            delivery.rows.some(({ state, sentAt }) => state === 'exhausted' && sentAt <= call.sentAt),
        );
        const isDue =
          failures.length >= disabledAfter.failures &&
          days + facts.store.ahead(first?.at ?? 0, call.sentAt) >= disabledAfter.failing &&
          isExhausted;
        return (
          !isDue &&
          `endpoint ${endpointId}, enabled at ${enabled}, was disabled after ${failures.length} failures in ${days} ms`
        );
      });
    }),
};

export const goneIsDisabled: Law = {
  name: 'an endpoint that answers 410 is disabled with the settlement of that answer',
  check: (facts) =>
    firstWrong(outcomesOf(facts), ([endpointId, outcomes]) =>
      firstWrong(outcomes, ({ post, row, at }) => {
        if (!row || !isGone(post)) return undefined;
        const versions = facts.endpoints.get(endpointId) ?? [];
        // A change that its worker did not know yet keeps the endpoint as it is.
        const isChanged = versions.some(
          ({ from, isBreaker }) => !isBreaker && from >= post.at - 60_000 && from <= row.at,
        );
        const after = versions.findLast(({ order }) => order <= row.order)?.endpoint;
        return (
          !isChanged && after?.state === 'enabled' && `endpoint ${endpointId} answered 410 at ${at}, and is enabled`
        );
      }),
    ),
};

export const failingIsDisabled: Law = {
  name: 'an endpoint that fails for five days does not stay enabled',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const delivery = facts.ledger.deliveryOf(post);
      if (!delivery || delivery.replay > 0) return undefined;
      const { endpointId } = delivery;
      const { certain: failures } = failuresBefore(facts, endpointId, post);
      const [first, last] = [failures[0], failures.at(-1)];
      const exhausted = failures.findIndex(({ row }) => row?.state === 'exhausted');
      if (!first || !last || exhausted < 0 || failures.length < disabledAfter.failures) return undefined;
      // Attempts in flight when the last failure was learned change nothing.
      const days = last.at - first.at - facts.store.back(first.at, last.at);
      return (
        days > disabledAfter.failing + 60_000 &&
        post.at > last.at + 60_000 &&
        `endpoint ${endpointId} failed ${failures.length} times in ${days} ms, and is sent to`
      );
    }),
};
