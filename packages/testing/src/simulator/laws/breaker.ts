import type { EpochMs } from '@partnerkit/core';
import type { SentPost } from '../trace.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { isUnsent, type LogRow } from './ledger.ts';
import { breakerTable, disabledAfter, failuresToOpen, lease } from './numbers.ts';
import { isSuccess, retryAfter } from './outcomes.ts';

/** An outcome of an endpoint that was learned. */
interface Outcome {
  readonly at: EpochMs;
  /** The place of that moment: several may be learned in one millisecond. */
  readonly order: number;
  readonly post: SentPost;
  /** Absent: it was never settled. */
  readonly row: LogRow | undefined;
}

const byEndpoint = new WeakMap<Facts, ReadonlyMap<string, readonly Outcome[]>>();

/** The outcomes of each endpoint in the order in which they were learned. @internal */
export const outcomesOf = (facts: Facts): ReadonlyMap<string, readonly Outcome[]> => {
  const known = byEndpoint.get(facts);
  if (known) return known;
  const { ledger } = facts;
  const found = new Map<string, Outcome[]>();
  for (const delivery of ledger.deliveries.values())
    for (const post of delivery.posts) {
      if (post.heardAt === undefined || !post.outcome) continue;
      const row = delivery.rows.find((each) => each.post === post);
      // Its process had given it up.
      if (row && isUnsent(row.outcome)) continue;
      const outcomes = found.get(delivery.endpointId) ?? [];
      outcomes.push({ at: post.heardAt, order: post.heardOrder ?? 0, post, row });
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
 * From when on attempts tell of the endpoint as it was when a POST started: what a worker says that had not heard of a change is not stored.
 */
const changedBefore = ({ endpoints, trace }: Facts, endpointId: string, post: SentPost): EpochMs => {
  const versions = (endpoints.get(endpointId) ?? []).filter(({ order }) => order < post.order);
  const changed = versions.at(-1)?.from ?? 0;
  return versions.length > 1 ? changed + trace.history.pollEvery + 2_000 : changed;
};

/** What failed in a row before a POST started, and was settled by then, in the order in which it was learned. */
interface Failures {
  readonly all: readonly Outcome[];
  /** Those that count, whoever had heard of the last change of the endpoint: it fails at least like this. */
  readonly certain: readonly Outcome[];
}

const failuresBefore = (facts: Facts, endpointId: string, post: SentPost): Failures => {
  const since = changedBefore(facts, endpointId, post);
  const known = (outcomesOf(facts).get(endpointId) ?? []).filter(({ order }) => order < post.order);
  const success = known.findLastIndex(({ post: each }) => isSuccess(each.outcome));
  // One that is on its way may end well before the others were settled.
  const all = known
    .slice(success + 1)
    .filter(({ row, post: each }) => row !== undefined && row.order < post.order && !isGone(each));
  return { all, certain: all.filter(({ post: each }) => each.at >= since) };
};

/** For how long an endpoint asked to be left alone, from the place of its answer on. */
interface AskedPause {
  readonly order: number;
  readonly until: EpochMs;
}

/** Until when the breaker is open, and what opened it first. What fails while the endpoint is left alone anyway opens nothing. */
const breakerAfter = (
  failures: readonly Outcome[],
  asked: readonly AskedPause[],
): { readonly until: EpochMs; readonly opener?: Outcome } => {
  let until = Number.NEGATIVE_INFINITY;
  let openings = 0;
  let opener: Outcome | undefined;
  for (const [index, failure] of failures.entries()) {
    const { at, order } = failure;
    const isPaused = at < until || asked.some((pause) => pause.order < order && at < pause.until);
    if (index + 1 < failuresToOpen || isPaused) continue;
    until = at + (breakerTable[Math.min(openings, breakerTable.length - 1)] ?? 0);
    openings++;
    opener ??= failure;
  }
  return { until, ...(opener ? { opener } : {}) };
};

/**
 * Until when the breaker is open at least. What failed before a change of the endpoint was heard of may count, the last ones first. With one
 * more failure the breaker opens earlier, and what fails while it is open does not open it for longer.
 */
const openUntil = ({ all, certain }: Failures, asked: readonly AskedPause[]): EpochMs => {
  const uncertain = all.filter((failure) => !certain.includes(failure));
  const ways = [uncertain.length, ...uncertain.keys()].map((forgotten) => new Set(uncertain.slice(0, forgotten)));
  return Math.min(
    ...ways.map(
      (without) =>
        breakerAfter(
          all.filter((failure) => !without.has(failure)),
          asked,
        ).until,
    ),
  );
};

/** When an endpoint asked to be left alone. */
const askedPauses = (facts: Facts, endpointId: string): readonly AskedPause[] =>
  (outcomesOf(facts).get(endpointId) ?? []).flatMap(({ at, order, post }) =>
    isPauseAsked(post) ? [{ order, until: at + retryAfter(post.outcome) }] : [],
  );

/** @internal */
export const openBreakerSendsNothing: Law = {
  name: 'after five failures in a row an endpoint is left alone, for a minute, then for five and for fifteen',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const endpointId = facts.ledger.deliveryOf(post)?.endpointId;
      if (endpointId === undefined) return undefined;
      const until = openUntil(failuresBefore(facts, endpointId, post), askedPauses(facts, endpointId));
      const early = until - post.at - facts.store.ahead(until - 900_000, post.at);
      return (
        early > 0 &&
        `endpoint ${endpointId} was sent to ${early} ms before its breaker is half-open, at ${post.at - facts.trace.startedAt}`
      );
    }),
};

/** @internal */
export const probesGoAlone: Law = {
  name: 'a half-open breaker lets one attempt through at a time',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const endpointId = facts.ledger.deliveryOf(post)?.endpointId;
      if (endpointId === undefined) return undefined;
      const { certain } = failuresBefore(facts, endpointId, post);
      // With more failures before, it opens no later.
      const { opener } = breakerAfter(certain, askedPauses(facts, endpointId));
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

/** @internal */
export const retryAfterIsHeard: Law = {
  name: 'a receiver that answers 429 or 503 with Retry-After is left alone for so long',
  check: (facts) =>
    firstWrong(facts.trace.posts, (post) => {
      const endpointId = facts.ledger.deliveryOf(post)?.endpointId;
      if (endpointId === undefined) return undefined;
      const since = changedBefore(facts, endpointId, post);
      return firstWrong(outcomesOf(facts).get(endpointId) ?? [], ({ at, row, post: asked }) => {
        if (!row || row.order > post.order || asked.at < since || !isPauseAsked(asked)) return undefined;
        const early = at + retryAfter(asked.outcome) - post.at - facts.store.ahead(at, post.at);
        return (
          early > 0 &&
          `endpoint ${endpointId} was sent to ${early} ms before it asked to be, at ${post.at - facts.trace.startedAt}`
        );
      });
    }),
};

/** @internal */
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

/** @internal */
export const goneIsDisabled: Law = {
  name: 'an endpoint that answers 410 is disabled with the settlement of that answer',
  check: (facts) =>
    firstWrong(outcomesOf(facts), ([endpointId, outcomes]) =>
      firstWrong(outcomes, ({ post, row, at }) => {
        if (!row || !isGone(post)) return undefined;
        const versions = facts.endpoints.get(endpointId) ?? [];
        // A change that its worker did not know of yet keeps it as it is.
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

/** @internal */
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
      // What was in flight when the last failure was learned changes nothing.
      const days = last.at - first.at - facts.store.back(first.at, last.at);
      return (
        days > disabledAfter.failing + 60_000 &&
        post.at > last.at + 60_000 &&
        `endpoint ${endpointId} failed ${failures.length} times in ${days} ms, and is sent to`
      );
    }),
};
