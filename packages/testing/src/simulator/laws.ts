import { isDelivered, mostAttempts, retrySchedule } from '@partnerkit/core';
import { heldExpireInTime, pausesHold, turnsAreTold } from './breaker-laws.ts';
import { onlyWhoReachesIsSent, parentsGetCopies } from './family-laws.ts';
import type { Grant, Sent, Trace } from './trace.ts';

/** A law that a trace breaks. @public */
export class LawBroken extends Error {
  override readonly name = 'LawBroken';
  /** Which one. */
  readonly law: string;
  constructor(law: string, detail: string) {
    super(`${law}: ${detail}`);
    this.law = law;
  }
}

type Law = (trace: Trace) => string | undefined;

const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => Map.groupBy(items, keyOf);
const first = <T>(items: Iterable<T>, wrong: (item: T) => string | undefined | false): string | undefined => {
  for (const item of items) {
    const detail = wrong(item);
    if (detail) return detail;
  }
  return undefined;
};

const bodyOf = (event: Trace['events'][number]): string => ('body' in event ? event.body : '');

/** The delivery of a POST: no two endpoints share a URL, no two events of one account a body. */
const deliveryOf = (trace: Trace): ((post: Sent) => string | undefined) => {
  const ids = new Map<string, string>();
  const bodies = new Map(trace.events.map((event) => [`${event.accountId} ${event.id}`, bodyOf(event)]));
  const urls = new Map(trace.endpoints.map(({ id, url }) => [id, url]));
  for (const { id, accountId, eventId, endpointId } of trace.deliveries)
    ids.set(`${urls.get(endpointId)} ${bodies.get(`${accountId} ${eventId}`)}`, id);
  return ({ url, body }) => ids.get(`${url} ${body}`);
};

/** The end of a grant that came while its lease lived: one that came later may have been too late. */
const endOf = (trace: Trace, grant: Grant) =>
  trace.ended.find(
    ({ lease, deliveryId, order, at }) =>
      lease === grant.lease && deliveryId === grant.deliveryId && order > grant.order && at < grant.until,
  );

/** Consecutive grants of each delivery. */
const turns = function* (trace: Trace): Generator<{ readonly grant: Grant; readonly next: Grant | undefined }> {
  for (const grants of grouped(trace.grants, ({ deliveryId }) => deliveryId).values()) {
    for (const [index, grant] of grants.entries()) yield { grant, next: grants[index + 1] };
  }
};

const committedIsSettled: Law = ({ events, endpoints, deliveries, history }) => {
  const subscribed = (endpointId: string, { type, origin }: Trace['events'][number]): boolean => {
    const script = history.endpoints[endpoints.findIndex(({ id }) => id === endpointId)];
    return script?.events.some((each) => each === type && (origin === undefined || script.includeChildren)) ?? false;
  };
  const states = new Map(endpoints.map(({ id, state }) => [id, state]));
  return (
    first(events, (event) =>
      first(endpoints, ({ id, accountId, steady }) => {
        if (accountId !== event.accountId) return undefined;
        const own = deliveries.filter((delivery) => delivery.eventId === event.id && delivery.endpointId === id);
        const expected = subscribed(id, event);
        if (own.length > 1) return `event ${event.id} has ${own.length} deliveries to one endpoint`;
        if (own.length === 1 && !expected) return `event ${event.id} goes to an endpoint that must not have it`;
        return expected && steady && own.length === 0 && `event ${event.id} has no delivery`;
      }),
    ) ??
    first(deliveries, ({ id, state, endpointId, attempts, log }) => {
      if (state === 'waiting') return `delivery ${id} still waits`;
      if (state === 'held' && !['disabled', 'disabled_by_breaker'].includes(states.get(endpointId) ?? ''))
        return `delivery ${id} is held for an endpoint that is not disabled`;
      if (state === 'exhausted' && attempts !== mostAttempts)
        return `delivery ${id} was exhausted by ${attempts} attempts`;
      return (
        state === 'delivered' && !log.some(isDelivered) && `delivery ${id} counts as delivered, and nobody confirmed it`
      );
    })
  );
};

const onlyTheCommittedIsSent: Law = ({ events, publishes, sent }) => {
  const committed = new Set(events.map(({ id }) => id));
  const bodies = new Set(events.map(bodyOf));
  return (
    first(publishes, ({ eventId, end }) => {
      if (eventId === undefined) return undefined;
      if (end === 'committed' && !committed.has(eventId)) return `the committed event ${eventId} is not stored`;
      return end === 'rolled back' && committed.has(eventId) && `the event ${eventId} was rolled back and is stored`;
    }) ?? first(sent, ({ body }) => !bodies.has(body) && `sent, and not a committed event: ${body}`)
  );
};

/** As a receiver sees it. */
const objectOf = (event: Trace['events'][number]): string => {
  const { data }: { readonly data: { readonly id: string } } = JSON.parse(bodyOf(event));
  return `${event.accountId} ${data.id}`;
};

const timestampsAreUnique: Law = ({ events }) =>
  first(grouped(events, objectOf).values(), (ofObject) => {
    const seconds = ofObject.map((event) => ('timestamp' in event ? event.timestamp : undefined));
    return new Set(seconds).size !== seconds.length && `events of one object have the timestamps ${seconds.join(', ')}`;
  });

/** Each publish has its own `n`: it tells which event a body is of, whatever else of it changed. A copy may have bytes of its own. */
const bytesNeverChange: Law = ({ sent, endpoints }) => {
  const bodies = new Map<string, string>();
  const owners = new Map(endpoints.map(({ url, accountId }) => [url, accountId]));
  return first(sent, ({ url, body }) => {
    const { data }: { readonly data: { readonly n: number } } = JSON.parse(body);
    const key = `${owners.get(url)} ${data.n}`;
    const known = bodies.get(key) ?? body;
    bodies.set(key, body);
    return known !== body && `${known} became ${body}`;
  });
};

const leasesExclude: Law = (trace) =>
  first(turns(trace), ({ grant, next }) => {
    if (!next || next.at >= grant.until || (endOf(trace, grant)?.order ?? Infinity) < next.order) return undefined;
    return `delivery ${grant.deliveryId} was leased to ${next.process} while ${grant.process} held it`;
  });

const attemptsFitTheirLease: Law = (trace) => {
  const find = deliveryOf(trace);
  return first(trace.sent, (post) => {
    const grant = trace.grants.findLast(
      ({ deliveryId, process, at }) => deliveryId === find(post) && process === post.process && at <= post.at,
    );
    if (!grant) return `${post.process} sent without a lease: ${post.body}`;
    return (
      post.at + post.deadline > grant.until &&
      `${post.process} sent ${post.at + post.deadline - grant.until} ms too late for its lease`
    );
  });
};

const attemptsNeverOverlap: Law = (trace) => {
  const find = deliveryOf(trace);
  return first(grouped(trace.sent, (post) => find(post) ?? '').values(), (posts) =>
    first(posts.entries(), ([index, post]) => {
      const next = posts[index + 1];
      return next && next.at < (post.ended ?? post.at + post.deadline) && `two attempts at once of ${post.body}`;
    }),
  );
};

const neverEarly: Law = (trace) =>
  first(turns(trace), ({ grant, next }) => {
    const scheduled = retrySchedule[grant.attempt - 1] ?? Number.POSITIVE_INFINITY;
    const end = endOf(trace, grant);
    if (typeof end?.next === 'string') return undefined;
    if (end?.next && end.next.retryIn < scheduled) {
      return `attempt ${grant.attempt} is repeated after ${end.next.retryIn} ms, not ${scheduled}`;
    }
    // What was given back, or waits for whoever enables its endpoint, has no schedule: also when word of it came late.
    const unscheduled = trace.ended.some(
      ({ lease, next: outcome }) => lease === grant.lease && (outcome === undefined || outcome === 'gone'),
    );
    if (!next || unscheduled) return undefined;
    // Without an end in time the lease lapsed, and the attempt counts as failed from then on.
    const earliest = end?.next ? end.at + end.next.retryIn : grant.until + scheduled;
    return next.at < earliest && `attempt ${next.attempt} was made ${earliest - next.at} ms early`;
  });

const doneIsDone: Law = (trace) =>
  first(turns(trace), ({ grant, next }) => {
    const end = endOf(trace, grant)?.next;
    return (
      next &&
      (end === 'delivered' || end === 'exhausted') &&
      `delivery ${grant.deliveryId} was ${end}, and is attempted again`
    );
  });

const attemptsCount: Law = (trace) =>
  first(turns(trace), ({ grant, next }) => {
    if (grant.attempt > mostAttempts) return `attempt ${grant.attempt} of ${grant.deliveryId}`;
    if (!next) return undefined;
    // A delivery that was given back was not attempted, and the word that its endpoint is gone does not count; come too late, either counts
    // as abandoned or not at all.
    const uncounted = trace.ended.find(
      ({ lease, next: end }) =>
        lease === grant.lease && (end === undefined || end === 'gone' || end === 'out_of_reach'),
    );
    const fits = uncounted
      ? next.attempt === grant.attempt || (uncounted.at >= grant.until && next.attempt === grant.attempt + 1)
      : next.attempt === grant.attempt + 1;
    return !fits && `attempt ${grant.attempt} is followed by ${next.attempt}`;
  });

/** Nothing left, or nobody knows. */
const unsent: readonly string[] = ['abandoned', 'internal', 'out_of_reach'];

const everyAttemptIsLogged: Law = (trace) => {
  const find = deliveryOf(trace);
  const logs = new Map(trace.deliveries.map(({ id, log }) => [id, log]));
  return first(
    grouped(trace.sent, (post) => find(post) ?? ''),
    ([id, posts]) => {
      const log = logs.get(id) ?? [];
      const settled = log.filter((attempt) => attempt.kind !== 'failed' || !unsent.includes(attempt.reason)).length;
      if (settled > posts.length)
        return `delivery ${id} was sent ${posts.length} times, and ${settled} outcomes are logged`;
      return (
        log.length < posts.length &&
        `delivery ${id} was sent ${posts.length} times, and ${log.length} attempts are logged`
      );
    },
  );
};

const idempotencyKeysHold: Law = ({ events }) =>
  first(
    grouped(
      events.filter((event) => event.idempotencyKey !== undefined),
      ({ accountId, idempotencyKey }) => `${accountId} ${idempotencyKey}`,
    ),
    ([key, sharing]) => sharing.length > 1 && `${sharing.length} events with the key ${key}`,
  );

const capsHold: Law = (trace) =>
  first(trace.grants, (grant) => {
    const living = trace.grants.filter(
      (other) =>
        other.process === grant.process &&
        other.accountId === grant.accountId &&
        other.order <= grant.order &&
        other.until > grant.at &&
        !trace.ended.some((end) => end.lease === other.lease && end.order < grant.order),
    );
    return (
      living.length > trace.perAccount &&
      `${grant.process} holds ${living.length} leases of one account; ${trace.perAccount} are allowed`
    );
  });

/** Each law by its name: what is wrong, or `undefined`. */
const laws: Readonly<Record<string, Law>> = {
  'an event that was committed is delivered, exhausted, held or expired': committedIsSettled,
  'every attempt sends the same bytes': bytesNeverChange,
  'only what was committed is sent': onlyTheCommittedIsSent,
  'no two events of one object share a timestamp': timestampsAreUnique,
  'no delivery is under two living leases': leasesExclude,
  'no attempt starts under a lease that may lapse before its deadline': attemptsFitTheirLease,
  'no two attempts of a delivery overlap': attemptsNeverOverlap,
  'no attempt is early': neverEarly,
  'what is done is not attempted again': doneIsDone,
  'attempts are counted': attemptsCount,
  'every started attempt is in the log, and each outcome once': everyAttemptIsLogged,
  'an idempotency key makes one event': idempotencyKeysHold,
  'no worker holds more of an account than its share': capsHold,
  'a paused endpoint is left alone, and a half-open one probed by one attempt at a time': pausesHold,
  'endpoints turn as the breaker has it, and each turn is told once': turnsAreTold,
  'what is held expires in time, and is counted': heldExpireInTime,
  'nothing is sent to an account that does not reach the account of the event': onlyWhoReachesIsSent,
  'what happens to a child goes to its parent, once': parentsGetCopies,
};

/**
 * Checks all laws of publish, dispatch, claim and settle on what was seen.
 * @throws LawBroken that names the law.
 * @public
 */
export const checkLaws = (trace: Trace): void => {
  for (const [law, check] of Object.entries(laws)) {
    const detail = check(trace);
    if (detail !== undefined) throw new LawBroken(law, detail);
  }
};
