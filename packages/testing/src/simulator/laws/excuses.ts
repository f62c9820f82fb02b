import type { DurationMs, EpochMs } from '@partnerkit/core';
import { endpointAt } from '../network.ts';
import type { SentPost } from '../trace.ts';
import { outcomesOf } from './breaker.ts';
import type { Facts } from './facts.ts';
import { complement, crowded, type Interval, union } from './intervals.ts';
import { breakerTable, failuresToOpen, lease } from './numbers.ts';
import { isSuccess, retryAfter } from './outcomes.ts';

/** How long a worker takes to notice what came, and to read and store what belongs to it. */
const notice: DurationMs = 3_000;
/** An attempt whose sender breaks its promise is given up a little later than its deadline. */
const giveUp: DurationMs = 6_000;

/** Times for which nothing can be expected of workers. */
const troubles = ({ trace, membership, store }: Facts): Interval[] => {
  const { pollEvery } = trace.history;
  const recovery = pollEvery + notice;
  /** A lease is over by the clock of the store, which may be set back meanwhile. */
  const takeover = (from: EpochMs): DurationMs => store.passed(from, lease) - from + recovery;
  const found: Interval[] = [];
  const excuse = (from: EpochMs, length: DurationMs): void => {
    found.push({ from, to: from + length });
  };
  for (const call of trace.calls) {
    const end = call.heardAt ?? call.effectAt ?? call.sentAt;
    if (call.heard === 'error' || end - call.sentAt > 1_000) found.push({ from: call.sentAt, to: end + recovery });
  }
  for (const life of trace.lives) {
    if (life.machine === 0) continue;
    // Shards are divided anew; those in use are handed over once their attempts have ended.
    excuse(life.startedAt, takeover(life.startedAt));
    if (life.stopAskedAt !== undefined) excuse(life.stopAskedAt, takeover(life.stopAskedAt));
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

/** Times in which no worker lives that is not about to stop. */
const deserted = ({ trace }: Facts): readonly Interval[] => {
  const alive: Interval[] = [];
  for (const { machine, startedAt, diedAt, stopAskedAt, pauses } of trace.lives) {
    if (machine === 0) continue;
    const to = Math.min(diedAt ?? trace.endedAt, stopAskedAt ?? trace.endedAt);
    const still = pauses.map((pause) => ({ from: pause.from, to: pause.to + notice }));
    alive.push(...complement({ from: startedAt + notice, to }, still));
  }
  return complement({ from: trace.startedAt - 1, to: Number.POSITIVE_INFINITY }, alive);
};

const flight = (post: SentPost, { trace }: Facts): Interval => ({
  from: post.at,
  to: Math.max(post.heardAt ?? post.until, post.until) + (post.outcome ? 50 : giveUp + trace.history.pollEvery),
});

/** When an endpoint is left alone, for as long as it may be. */
const pausesOf = (facts: Facts, endpointId: string): readonly Interval[] => {
  const found: Interval[] = [];
  let failures = 0;
  let openings = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { at, post, row } of outcomesOf(facts).get(endpointId) ?? []) {
    if (isSuccess(post.outcome)) {
      // Who did not learn of it may go on as before.
      if (row) [failures, openings] = [0, 0];
      continue;
    }
    const asked = retryAfter(post.outcome);
    if (asked > 0) found.push({ from: at, to: at + asked + facts.store.back(at, at + asked) });
    if (++failures < failuresToOpen) continue;
    if (at >= until) {
      until = at + (breakerTable[Math.min(openings, breakerTable.length - 1)] ?? 0);
      openings++;
    }
    const most = at + (breakerTable[Math.min(openings, breakerTable.length - 1)] ?? 0);
    found.push({ from: at, to: Math.max(until, most) + facts.store.back(at, most) });
  }
  return found;
};

/** When an endpoint may have been half-open: then one attempt keeps all others back. */
const isEverFailing = (facts: Facts, endpointId: string): boolean =>
  (outcomesOf(facts).get(endpointId) ?? []).filter(({ post }) => !isSuccess(post.outcome)).length >= failuresToOpen;

/** Why deliveries wait without anybody's fault. @internal */
export interface Excuses {
  /** Nobody may have been there, or able, to serve it. */
  readonly troubles: readonly Interval[];
  /** These, and that all slots of a worker were taken. */
  readonly general: readonly Interval[];
  /** For deliveries of an endpoint: those that it and its own account give. */
  readonly own: (endpointId: string) => readonly Interval[];
  /** All of them, for deliveries of an endpoint. */
  readonly ofEndpoint: (endpointId: string) => readonly Interval[];
}

const made = new WeakMap<Facts, Excuses>();

const makeExcuses = (facts: Facts): Excuses => {
  const { trace, ledger, endpoints } = facts;
  const { concurrency, perEndpoint } = trace.history;
  const perAccount = Math.max(1, Math.floor(concurrency / 4));
  const busy = [...Map.groupBy(trace.posts, ({ process }) => process).values()].flatMap((posts) => [
    ...crowded(
      posts.map((post) => flight(post, facts)),
      concurrency,
    ),
  ]);
  const troubled = union([...troubles(facts), ...deserted(facts)]);
  const general = union([...troubled, ...busy]);
  const byAccount = Map.groupBy(trace.posts, ({ url }) => {
    const account = trace.history.endpoints[endpointAt(url)]?.account ?? 0;
    return trace.accountIds[account % trace.accountIds.length];
  });
  const known = new Map<string, readonly Interval[]>();
  const all = new Map<string, readonly Interval[]>();
  const own = (endpointId: string): readonly Interval[] => {
    const before = known.get(endpointId);
    if (before) return before;
    const versions = endpoints.get(endpointId) ?? [];
    const accountId = versions[0]?.endpoint?.accountId;
    const away = versions.flatMap(({ endpoint, from }, index) =>
      endpoint?.state === 'enabled' ? [] : [{ from, to: versions[index + 1]?.from ?? Number.POSITIVE_INFINITY }],
    );
    const flights = (byAccount.get(accountId) ?? []).map((post) => flight(post, facts));
    const sent = trace.posts.filter((post) => ledger.deliveryOf(post)?.endpointId === endpointId);
    const cap = isEverFailing(facts, endpointId) ? 1 : perEndpoint;
    const found = union([
      ...away,
      ...pausesOf(facts, endpointId),
      ...crowded(flights, perAccount),
      ...crowded(
        sent.map((post) => flight(post, facts)),
        cap,
      ),
    ]);
    known.set(endpointId, found);
    return found;
  };
  const ofEndpoint = (endpointId: string): readonly Interval[] => {
    const before = all.get(endpointId) ?? union([...general, ...own(endpointId)]);
    all.set(endpointId, before);
    return before;
  };
  return { troubles: troubled, general, own, ofEndpoint };
};

/** @internal */
export const excusesOf = (facts: Facts): Excuses => {
  const known = made.get(facts) ?? makeExcuses(facts);
  made.set(facts, known);
  return known;
};
