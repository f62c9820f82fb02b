import type { DurationMs, EpochMs } from '@partnerkit/core';
import { excusesOf } from './excuses.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { type Interval, outside, union } from './intervals.ts';
import { counts, type DeliveryRecord } from './ledger.ts';
import { aheadTolerated, jitter, lease, retryTable } from './numbers.ts';
import { retryAfter } from './outcomes.ts';

/** Allowance for requests and polls on the way. */
const slack: DurationMs = 4_000;

/** Maximum time until something due is attempted. */
export const attemptTime = ({ trace }: Facts): DurationMs => trace.history.pollEvery + lease + slack;

export const dispatchedInTime: Law = {
  name: 'what is committed is dispatched within a poll and a lease, as long as a worker lives',
  check: (facts) => {
    const { general } = excusesOf(facts);
    return firstWrong(facts.ledger.committed.values(), ({ eventId, accountId, committedAt = 0, n }) => {
      const dispatch = facts.ledger.dispatches.get(`${accountId} ${eventId}`);
      const wait = outside({ from: committedAt, to: dispatch?.at ?? facts.trace.endedAt }, general);
      return (
        wait > attemptTime(facts) &&
        `event ${n} was ${dispatch ? 'dispatched' : 'still waiting'} after ${wait} ms, at ${dispatch?.at}`
      );
    });
  },
};

/** A time for which a delivery waits for an attempt. */
interface Wait extends Interval {
  readonly number: number;
}

/** When a delivery expired, or could no longer be attempted. */
const endOf = (facts: Facts, { endpointId }: DeliveryRecord): EpochMs =>
  facts.endpoints.get(endpointId)?.find(({ endpoint }) => endpoint === undefined)?.from ?? facts.trace.endedAt;

/** When the first attempt of a delivery is due: not long before the timestamp of its event. */
export const firstDueAt = ({ ledger, store }: Facts, delivery: DeliveryRecord): EpochMs => {
  const dispatch = ledger.dispatches.get(`${delivery.accountId} ${delivery.eventId}`);
  const ahead =
    dispatch && delivery.replay === 0 ? dispatch.timestamp * 1_000 - store.now(dispatch.at) - aheadTolerated : 0;
  return store.passed(delivery.createdAt, Math.max(ahead, 0));
};

const waitsOf = function* (facts: Facts, delivery: DeliveryRecord): Generator<Wait> {
  const { store, trace } = facts;
  const end = Math.min(endOf(facts, delivery), trace.endedAt);
  let due = firstDueAt(facts, delivery);
  const steps = [
    ...delivery.rows.map((row) => ({ order: row.post?.order ?? row.order, row, post: row.post })),
    ...delivery.posts
      .filter((post) => !delivery.rows.some((row) => row.post === post))
      .map((post) => ({ order: post.order, row: undefined, post })),
  ].sort((a, b) => a.order - b.order || (a.row?.number ?? 0) - (b.row?.number ?? 0));
  let settled = 0;
  for (const { row, post, order } of steps) {
    if (row?.outcome.kind === 'failed' && row.outcome.reason === 'abandoned') continue;
    // A fenced worker made it before its successor settled another, which decides when the next is due.
    if (!row && order < settled) continue;
    settled = Math.max(settled, row?.order ?? 0);
    const startedAt = post?.at ?? row?.sentAt ?? end;
    yield { number: row?.number ?? 0, from: due, to: Math.min(startedAt, end) };
    if (row?.state !== undefined) return;
    const made = delivery.rows.filter(({ number, outcome }) => number <= (row?.number ?? 0) && counts(outcome)).length;
    const isCounted = row !== undefined && counts(row.outcome);
    const wait = isCounted ? Math.max((retryTable[made - 1] ?? 0) * (1 + jitter), retryAfter(row.outcome)) : 0;
    // The storage counts from the time at which it stored the outcome.
    const from = Math.max(post?.learnedAt ?? post?.until ?? 0, row?.lastAt ?? 0);
    // It was stored by a clock that was set back since.
    due = store.passed(from, wait);
  }
  yield { number: (delivery.rows.at(-1)?.number ?? 0) + 1, from: due, to: end };
};

export const attemptedInTime: Law = {
  name: 'what is due is attempted within a poll and a lease, unless its endpoint may not be sent to',
  check: (facts) => {
    const { ofEndpoint } = excusesOf(facts);
    return firstWrong(facts.ledger.deliveries.values(), (delivery) => {
      const expired = prunedAt(facts, delivery);
      return firstWrong(waitsOf(facts, delivery), ({ from, to, number }) => {
        if (from >= to || (expired !== undefined && expired <= from)) return undefined;
        const excuses = ofEndpoint(delivery.endpointId);
        // A replay is served after all other deliveries of its endpoint.
        const others = delivery.replay > 0 ? otherFlights(facts, delivery) : [];
        const wait = outside(
          { from, to: Math.min(to, expired ?? to) },
          others.length > 0 ? union([...excuses, ...others]) : excuses,
        );
        return (
          wait > attemptTime(facts) &&
          `delivery ${delivery.id}: attempt ${number}, due at ${from - facts.trace.startedAt}, was not made for ${wait} ms`
        );
      });
    });
  },
};

/** When a held delivery expired: the endpoint is signalled, and another law counts the deliveries. */
const prunedAt = ({ callsOf }: Facts, { endpointId, accountId }: DeliveryRecord): EpochMs | undefined =>
  callsOf('log.prune').find(({ result }) =>
    result?.expired.some((each) => each.endpointId === endpointId && each.accountId === accountId),
  )?.effectAt;

const otherFlights = ({ trace, ledger }: Facts, delivery: DeliveryRecord): readonly Interval[] =>
  trace.posts
    .filter((post) => {
      const other = ledger.deliveryOf(post);
      return other !== delivery && other?.endpointId === delivery.endpointId;
    })
    .map(({ at, until }) => ({ from: at - 2_000, to: until + 2_000 }));
