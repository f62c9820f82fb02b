import type { DurationMs } from '@partnerkit/core';
import { excusesOf } from './excuses.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { outside, union } from './intervals.ts';
import { shardOfAccount } from './numbers.ts';

const day: DurationMs = 86_400_000;

/** Since when an endpoint has not been enabled, just before a call. */
const disabledSince = ({ endpoints }: Facts, endpointId: string, order: number): number | undefined => {
  const versions = (endpoints.get(endpointId) ?? []).filter((version) => version.order < order);
  const enabled = versions.findLastIndex(({ endpoint }) => endpoint?.state === 'enabled');
  return versions[enabled + 1]?.from;
};

export const heldLongEnough: Law = {
  name: 'what is held expires after its time, and not before',
  check: (facts) => {
    const { callsOf, trace, store } = facts;
    const { held } = trace.history.retention;
    return firstWrong(callsOf('log.prune'), ({ result, order = 0, effectAt = 0 }) =>
      firstWrong(result?.expired ?? [], ({ endpointId, deliveries }) => {
        const since = disabledSince(facts, endpointId, order);
        if (since === undefined) return `${deliveries} deliveries of endpoint ${endpointId} expired, which is enabled`;
        const early = since + held - effectAt - store.ahead(since, effectAt);
        return early > 0 && `${deliveries} deliveries of endpoint ${endpointId} expired ${early} ms early`;
      }),
    );
  },
};

/** Maximum time until old rows are pruned by live workers. */
const pruneTime = ({ trace }: Facts): DurationMs => 1.5 * trace.history.pruneEvery + trace.history.pollEvery + 30_000;

export const heldNotForEver: Law = {
  name: 'what is held for too long, or has no endpoint any more, expires',
  check: (facts) => {
    const { trace, endpoints, store } = facts;
    const { general } = excusesOf(facts);
    return firstWrong(trace.deliveries, ({ id, state, accountId, endpointId }) => {
      const versions = endpoints.get(endpointId) ?? [];
      if (state !== 'held') return undefined;
      const since = disabledSince(facts, endpointId, Number.POSITIVE_INFINITY);
      // A delivery counts from its last row: at most the longest retry after its endpoint was disabled.
      const rows = [lastRow(facts, id), lastRecovery(facts, accountId)];
      const from = Math.max(since ?? 0, versions.at(-1)?.from ?? 0, ...rows) + trace.history.retention.held;
      const wait = outside({ from, to: trace.endedAt - store.back(from, trace.endedAt) }, union(general));
      return wait > pruneTime(facts) + 60_000 && `delivery ${id} is held ${wait} ms longer than it should be`;
    });
  },
};

/** When the account's shard was last recovered: deliveries that only its last owner had in memory get a row then. */
const lastRecovery = ({ callsOf }: Facts, accountId: string): number =>
  Math.max(
    0,
    ...callsOf('deliveries.recover')
      .filter(
        ({ args: [, shards], result }) =>
          result === 'stored' && shards.some(({ shard }) => shard === shardOfAccount(accountId)),
      )
      .map(({ effectAt = 0 }) => effectAt),
  );

const lastRow = ({ ledger }: Facts, id: string): number => {
  const [eventId, endpointId] = id.split('.');
  let last = 0;
  for (const each of ledger.deliveries.values())
    if (each.eventId === eventId && each.endpointId === endpointId)
      last = Math.max(last, each.rows.at(-1)?.at ?? 0, each.createdAt);
  return last;
};

/** When pruning last expired deliveries of an endpoint: each has an entry of that time in the log. */
const lastExpiry = ({ callsOf }: Facts, endpointId: string): number =>
  Math.max(
    0,
    ...callsOf('log.prune')
      .filter(({ result }) => result?.expired.some((each) => each.endpointId === endpointId))
      .map(({ effectAt = 0 }) => effectAt),
  );

export const oldEventsGo: Law = {
  name: 'events go after their time, once all their deliveries are finished',
  check: (facts) => {
    const { trace, ledger, store } = facts;
    const { general } = excusesOf(facts);
    const open = new Set(
      trace.deliveries.filter(({ state }) => state === 'waiting' || state === 'held').map(({ eventId }) => eventId),
    );
    return firstWrong(trace.events, ({ id, accountId }) => {
      const dispatch = ledger.dispatches.get(`${accountId} ${id}`);
      if (!dispatch || open.has(id)) return undefined;
      // By the clock of the storage at that time; a watermark may be older than that.
      const ends = [...ledger.deliveries.values()]
        .filter(({ eventId }) => eventId === id)
        .map(({ rows }) => rows.at(-1)?.at ?? 0);
      const expiries = trace.deliveries
        .filter(({ eventId, state }) => eventId === id && state === 'expired')
        .map(({ endpointId }) => lastExpiry(facts, endpointId));
      const from =
        Math.max(dispatch.at, ...ends, ...expiries) +
        trace.history.retention.events +
        Math.abs(store.back(0, trace.endedAt));
      const wait = outside({ from, to: trace.endedAt }, general);
      return wait > 2 * pruneTime(facts) && `event ${id} is there ${wait} ms longer than it should be`;
    });
  },
};

export const youngEventsStay: Law = {
  name: 'nothing is pruned before its time',
  check: ({ trace, ledger, store }) => {
    const events = new Set(trace.events.map(({ id, accountId }) => `${accountId} ${id}`));
    return firstWrong(ledger.dispatches, ([key, { at, event, accountId }]) => {
      const age = trace.endedAt - at + store.ahead(at, trace.endedAt);
      return (
        !events.has(key) &&
        age < trace.history.retention.events &&
        `event ${event.id} of ${accountId} is gone after ${age / day} days`
      );
    });
  },
};

export const pendingEventsStay: Law = {
  name: 'an event stays as long as one of its deliveries is pending',
  check: ({ trace }) => {
    const events = new Set(trace.events.map(({ id, accountId }) => `${accountId} ${id}`));
    return firstWrong(trace.deliveries, ({ id, state, accountId, eventId }) => {
      const isPending = state === 'waiting' || state === 'held';
      return isPending && !events.has(`${accountId} ${eventId}`) && `delivery ${id} is ${state}, and its event is gone`;
    });
  },
};
