import type { DurationMs, EpochMs } from '@partnerkit/core';
import { groupBy } from '../../node-20.ts';
import { endpointAt } from '../network.ts';
import type { SentPost } from '../trace.ts';
import { outcomesOf } from './breaker.ts';
import type { Facts } from './facts.ts';
import { complement, crowded, type Interval, intersection, union } from './intervals.ts';
import { breakerTable, failuresToOpen, lease } from './numbers.ts';
import { isSuccess, retryAfter } from './outcomes.ts';
import { sendingPausesOf } from './sending-pauses.ts';

/** Time for a worker to notice a change, read what belongs to it, and store the result. */
const notice: DurationMs = 3_000;
/** Time after its deadline at which an attempt with a pending promise is abandoned. */
const abandonAfter: DurationMs = 6_000;

/** Times at which nothing can be expected of workers. */
const disruptions = ({ trace, membership, store }: Facts): Interval[] => {
  const { pollEvery } = trace.history;
  const recovery = pollEvery + notice;
  /** A lease ends by the clock of the store, which may be set back meanwhile. */
  const takeover = (from: EpochMs): DurationMs => store.passed(from, lease) - from + recovery;
  const found: Interval[] = [];
  const excuse = (from: EpochMs, length: DurationMs): void => {
    found.push({ from, to: from + length });
  };
  for (const call of trace.calls) {
    const end = call.learnedAt ?? call.effectAt ?? call.sentAt;
    // It is given up before a lease ends, and what it wrote is uncertain until the next lease has ended.
    if (call.learned === undefined) excuse(call.sentAt, 2 * lease + recovery);
    if (call.learned === 'error' || end - call.sentAt > 1_000) found.push({ from: call.sentAt, to: end + recovery });
  }
  for (const life of trace.lives) {
    if (life.machine === 0) continue;
    // Shards are divided anew; shards in use are handed over after their attempts.
    excuse(life.startedAt, takeover(life.startedAt));
    if (life.stopRequestedAt !== undefined) excuse(life.stopRequestedAt, takeover(life.stopRequestedAt));
    if (life.diedAt !== undefined && life.stoppedAt === undefined) excuse(life.diedAt, takeover(life.diedAt));
    for (const { from, to } of life.pauses) {
      excuse(from, Math.min(to - from, lease) + recovery);
      excuse(to, takeover(to));
    }
  }
  for (const { gone, goneAt } of membership.members.values())
    if (gone === 'expired' && goneAt !== undefined) excuse(goneAt, takeover(goneAt));
  for (const { at, by } of store.jumps) excuse(at, by < 0 ? -by + recovery : lease + recovery);
  return found;
};

/** Times without a live worker, except stopping ones. */
const deserted = ({ trace }: Facts): readonly Interval[] => {
  const alive: Interval[] = [];
  for (const { machine, startedAt, diedAt, stopRequestedAt, pauses } of trace.lives) {
    if (machine === 0) continue;
    const to = Math.min(diedAt ?? trace.endedAt, stopRequestedAt ?? trace.endedAt);
    const still = pauses.map((pause) => ({ from: pause.from, to: pause.to + notice }));
    alive.push(...complement({ from: startedAt + notice, to }, still));
  }
  return complement({ from: trace.startedAt - 1, to: Number.POSITIVE_INFINITY }, alive);
};

const flight = (post: SentPost, { trace }: Facts): Interval => ({
  from: post.at,
  to: Math.max(post.learnedAt ?? post.until, post.until) + (post.outcome ? 50 : abandonAfter + trace.history.pollEvery),
});

/** The pauses that an endpoint requested. */
export const requestedPausesOf = (facts: Facts, endpointId: string): readonly Interval[] =>
  (outcomesOf(facts).get(endpointId) ?? []).flatMap(({ at, post }) => {
    const requested = retryAfter(post.outcome);
    return requested > 0 ? [{ from: at, to: at + requested + facts.store.back(at, at + requested) }] : [];
  });

/** Maximum pauses of an endpoint by its breaker. */
const breakerPausesOf = (facts: Facts, endpointId: string): readonly Interval[] => {
  const found: Interval[] = [];
  let failures = 0;
  let openCount = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { at, post, row } of outcomesOf(facts).get(endpointId) ?? []) {
    if (isSuccess(post.outcome)) {
      // Workers that did not learn of it may continue as before.
      if (row) [failures, openCount] = [0, 0];
      continue;
    }
    if (++failures < failuresToOpen) continue;
    if (at >= until) {
      until = at + (breakerTable[Math.min(openCount, breakerTable.length - 1)] ?? 0);
      openCount++;
    }
    const most = at + (breakerTable[Math.min(openCount, breakerTable.length - 1)] ?? 0);
    found.push({ from: at, to: Math.max(until, most) + facts.store.back(at, most) });
  }
  return found;
};

/** Whether an endpoint may have been half-open: then one attempt blocks all others. */
const isEverFailing = (facts: Facts, endpointId: string): boolean =>
  (outcomesOf(facts).get(endpointId) ?? []).filter(({ post }) => !isSuccess(post.outcome)).length >= failuresToOpen;

/** Whether an attempt timed out, or was given up. */
const isTimedOut = ({ outcome }: SentPost): boolean =>
  outcome === undefined || (outcome.kind === 'failed' && outcome.reason === 'timeout');

/** Reasons for a delivery to wait without a fault of partnerkit. */
export interface Excuses {
  /** Times without a worker that could serve it. */
  readonly disruptions: readonly Interval[];
  /** `disruptions`, and times at which a worker was at its limit of attempts in flight. */
  readonly general: readonly Interval[];
  /** For what a person sends to an endpoint: all reasons but its breaker. */
  readonly urgent: (endpointId: string) => readonly Interval[];
  /** For deliveries of an endpoint: the reasons of the endpoint alone. */
  readonly itself: (endpointId: string) => readonly Interval[];
  /** For deliveries of an endpoint: the reasons of the endpoint and its account. */
  readonly own: (endpointId: string) => readonly Interval[];
  /** All reasons for deliveries of an endpoint. */
  readonly ofEndpoint: (endpointId: string) => readonly Interval[];
}

const made = new WeakMap<Facts, Excuses>();

const makeExcuses = (facts: Facts): Excuses => {
  const { trace, ledger, endpoints } = facts;
  const { concurrency, perEndpoint } = trace.history;
  const perAccount = Math.max(1, Math.floor(concurrency / 4));
  const busy = [...groupBy(trace.posts, ({ process }) => process).values()].flatMap((posts) => [
    ...crowded(
      posts.map((post) => flight(post, facts)),
      concurrency,
    ),
  ]);
  const disrupted = union([...disruptions(facts), ...deserted(facts)]);
  const general = union([...disrupted, ...busy]);
  const byAccount = groupBy(trace.posts, ({ url }) => {
    const account = trace.history.endpoints[endpointAt(url)]?.account ?? 0;
    return trace.accountIds[account % trace.accountIds.length];
  });
  /** Endpoints that ever timed out: they have one attempt each, and half of all together. */
  const slow = new Set(trace.posts.filter(isTimedOut).map(({ url }) => endpointAt(url)));
  const slowFlights = trace.posts.filter(({ url }) => slow.has(endpointAt(url))).map((post) => flight(post, facts));
  const slowBusy = crowded(slowFlights, Math.max(1, Math.floor(concurrency / 2)));
  const flightsOfAccount = (endpointId: string): readonly Interval[] => {
    const accountId = endpoints.get(endpointId)?.[0]?.endpoint?.accountId;
    return (byAccount.get(accountId) ?? []).map((post) => flight(post, facts));
  };
  /** While they hold three quarters, an endpoint that was not tried waits for the attempts of its account. */
  const untriedBusy = crowded(slowFlights, Math.max(1, Math.floor((3 * concurrency) / 4)));
  const known = new Map<string, readonly Interval[]>();
  const all = new Map<string, readonly Interval[]>();
  const unpaused = (endpointId: string): readonly Interval[] => {
    const versions = endpoints.get(endpointId) ?? [];
    const away = versions.flatMap(({ endpoint, from }, index) =>
      endpoint?.state === 'enabled' ? [] : [{ from, to: versions[index + 1]?.from ?? Number.POSITIVE_INFINITY }],
    );
    const sent = trace.posts.filter((post) => ledger.deliveryOf(post)?.endpointId === endpointId);
    const isSlow = sent.some(({ url }) => slow.has(endpointAt(url)));
    const cap = isSlow || isEverFailing(facts, endpointId) ? 1 : perEndpoint;
    return union([
      ...away,
      ...sendingPausesOf(facts, endpointId),
      ...requestedPausesOf(facts, endpointId),
      ...(isSlow ? slowBusy : intersection(untriedBusy, union(flightsOfAccount(endpointId)))),
      ...crowded(
        sent.map((post) => flight(post, facts)),
        cap,
      ),
    ]);
  };
  const itself = (endpointId: string): readonly Interval[] =>
    union([...unpaused(endpointId), ...breakerPausesOf(facts, endpointId)]);
  const accountBusy = (endpointId: string): readonly Interval[] => crowded(flightsOfAccount(endpointId), perAccount);
  const own = (endpointId: string): readonly Interval[] => {
    const before = known.get(endpointId);
    if (before) return before;
    const found = union([...itself(endpointId), ...accountBusy(endpointId)]);
    known.set(endpointId, found);
    return found;
  };
  const urgent = (endpointId: string): readonly Interval[] =>
    union([...general, ...unpaused(endpointId), ...accountBusy(endpointId)]);
  const ofEndpoint = (endpointId: string): readonly Interval[] => {
    const before = all.get(endpointId) ?? union([...general, ...own(endpointId)]);
    all.set(endpointId, before);
    return before;
  };
  return { disruptions: disrupted, general, urgent, itself, own, ofEndpoint };
};

export const excusesOf = (facts: Facts): Excuses => {
  const known = made.get(facts) ?? makeExcuses(facts);
  made.set(facts, known);
  return known;
};
