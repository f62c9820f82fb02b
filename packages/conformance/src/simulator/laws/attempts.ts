import type { SendOutcome } from '@partnerkit/core/adapter';
import type { SentPost } from '../trace.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { counts, type DeliveryRecord, isUnsent, type LogRow } from './ledger.ts';
import { lease, maxAttempts, retryTable, shardOfAccount } from './numbers.ts';
import { isSuccess, retryAfter } from './outcomes.ts';

export const describe = ({ id }: DeliveryRecord): string => `delivery ${id}`;

/** The last settled row at the start of a POST. */
const lastRow = ({ rows }: DeliveryRecord, order: number): LogRow | undefined =>
  rows.findLast((row) => row.order < order);

/**
 * Whether its process sends from memory what another process has sent since. The clock of the storage was set ahead and
 * ended the lease early; the process does not know it yet.
 */
const hasLostShard = ({ membership, store }: Facts, { accountId }: DeliveryRecord, post: SentPost): boolean =>
  store.ahead(post.at - lease, post.at) > 0 &&
  membership.ownerAt(shardOfAccount(accountId) ?? -1, post.order)?.process !== post.process;

export const neverEarly: Law = {
  name: 'no attempt is early',
  check: (facts) => {
    const { ledger, callsOf, store } = facts;
    return firstWrong(ledger.deliveries.values(), (delivery) =>
      firstWrong(delivery.posts, (post) => {
        const before = lastRow(delivery, post.order);
        if (!before || before.state !== undefined || !counts(before.outcome)) return undefined;
        if (hasLostShard(facts, delivery, post)) return undefined;
        const hurried = callsOf('log.sendAgain').some(
          ({ args: [key], order = 0, result }) =>
            result?.kind === 'sent' &&
            key.eventId === delivery.eventId &&
            key.endpointId === delivery.endpointId &&
            order > before.order &&
            order < post.order,
        );
        if (hurried) return undefined;
        const made = delivery.rows.filter(({ number, outcome }) => number <= before.number && counts(outcome)).length;
        const wait = Math.max(retryTable[made - 1] ?? Number.POSITIVE_INFINITY, retryAfter(before.outcome));
        const from = before.post?.learnedAt ?? before.sentAt - (before.post ? 0 : lease);
        const early = from + wait - post.at - store.ahead(before.sentAt, post.at);
        return early > 0 && `${describe(delivery)}: attempt ${made + 1} was made ${early} ms early`;
      }),
    );
  },
};

export const finishedIsFinished: Law = {
  name: 'what is delivered, exhausted or expired is not attempted again',
  check: (facts) =>
    firstWrong(facts.ledger.deliveries.values(), (delivery) => {
      const end = delivery.rows.find(({ state }) => state !== undefined);
      if (!end) return undefined;
      const later = delivery.posts.find((post) => post.order > end.order && !hasLostShard(facts, delivery, post));
      if (later) return `${describe(delivery)} was ${end.state}, and is attempted again`;
      const more = delivery.rows.find(({ number }) => number > end.number);
      return more && `${describe(delivery)} was ${end.state}, and has a later attempt in its log`;
    }),
};

export const tenAttempts: Law = {
  name: 'a delivery is exhausted by its tenth attempt that counts, and delivered by a 2xx answer',
  check: ({ ledger }) =>
    firstWrong(ledger.deliveries.values(), (delivery) => {
      let made = 0;
      return firstWrong(
        delivery.rows.toSorted((a, b) => a.number - b.number),
        ({ number, outcome, state, post }) => {
          if (counts(outcome)) made++;
          const [isLast, isDelivered] = [made === maxAttempts && counts(outcome), isSuccess(outcome)];
          const expected = isDelivered ? 'delivered' : isLast ? 'exhausted' : undefined;
          const isExpired = outcome.kind === 'failed' && outcome.reason === 'out_of_reach';
          if (isDelivered && !isSuccess(post?.outcome))
            return `${describe(delivery)} counts as delivered, and nobody confirmed it`;
          return (
            state !== (isExpired ? 'expired' : expected) &&
            `${describe(delivery)}: row ${number}, number ${made} of those that count, made it ${state ?? 'unfinished'}`
          );
        },
      );
    }),
};

export const attemptsNeverOverlap: Law = {
  name: 'no two attempts of a delivery overlap',
  check: ({ ledger, store }) =>
    firstWrong(ledger.deliveries.values(), (delivery) =>
      firstWrong(delivery.posts.entries(), ([index, post]) => {
        const next = delivery.posts[index + 1];
        return (
          next &&
          next.at < post.until &&
          store.ahead(next.at - 2 * lease, next.at) === 0 &&
          `${describe(delivery)} was sent by ${next.process} while ${post.process} was sending it`
        );
      }),
    ),
};

/** When each shard of a worker was recovered because it died, lost its lease or gave up: positions among effects. */
const recoveries = ({ membership, callsOf }: Facts): ReadonlyMap<number, readonly number[]> => {
  const stored = callsOf('deliveries.recover').filter(({ result }) => result === 'stored');
  const found = new Map<number, number[]>();
  for (const tenure of membership.tenures) {
    const { member, shard, to } = tenure;
    const isLost = member.gone === 'expired' && to?.at === member.goneAt;
    const next = isLost ? membership.next(tenure) : undefined;
    // The results of earlier ones were lost.
    const recovery =
      next &&
      stored.findLast(
        ({ args: [workerId, acquired], order = 0 }) =>
          workerId === next.member.id &&
          order > next.from.order &&
          order < (next.to?.order ?? Number.POSITIVE_INFINITY) &&
          acquired.some((each) => each.shard === shard),
      );
    if (recovery) found.set(shard, [...(found.get(shard) ?? []), recovery.order ?? 0]);
  }
  return found;
};

export const abandonedAfterLoss: Law = {
  name: 'an abandoned attempt is logged only after its shard was taken over of a worker that was lost',
  check: (facts) => {
    const recovered = recoveries(facts);
    return firstWrong(facts.ledger.deliveries.values(), (delivery) => {
      const abandoned = delivery.rows.filter(
        ({ outcome }) => outcome.kind === 'failed' && outcome.reason === 'abandoned',
      );
      const orders = recovered.get(shardOfAccount(delivery.accountId) ?? -1) ?? [];
      return firstWrong(abandoned.entries(), ([index, row]) => {
        // Recovery covers what is due by then, also if it was created after the shard was acquired.
        const before = orders.filter((order) => order > delivery.createdOrder && order < row.order).length;
        return (
          index >= before &&
          `${describe(delivery)} has ${index + 1} abandoned attempts, after ${before} workers were lost`
        );
      });
    });
  },
};

/**
 * Deliveries read from the queue of their endpoint are not recovered when the worker dies, because a queue may be long.
 */
const wasQueued = (
  { callsOf }: Facts,
  { eventId, endpointId }: DeliveryRecord,
  { process, order }: SentPost,
): boolean =>
  callsOf('deliveries.readQueued').some(
    (call) =>
      call.process === process &&
      (call.order ?? 0) < order &&
      call.result?.deliveries.some((each) => each.eventId === eventId && each.endpointId === endpointId),
  );

/** A worker acquires a shard, loses the result, and leaves: nobody knows any more that an owner before it died. */
const isForgotten = ({ callsOf }: Facts, { createdOrder }: DeliveryRecord): boolean =>
  callsOf('shards.acquire').some((call) => call.learned !== 'answer' && (call.order ?? 0) > createdOrder);

/** A clock was set back before the shard was recovered: by that clock, the attempt was not due yet. */
const isBeforeItsTime = ({ store }: Facts, { rows, createdAt }: DeliveryRecord, { order }: SentPost): boolean => {
  const since = rows.findLast((row) => row.order < order)?.at ?? createdAt;
  const until = rows.find((row) => row.order > order)?.at ?? Number.POSITIVE_INFINITY;
  return store.jumps.some(({ at, by }) => by < 0 && at > since && at < until);
};

export const logTellsAttempts: Law = {
  name: 'the log has each attempt, once and in order',
  check: (facts) => {
    const { ledger, trace, endpoints, callsOf } = facts;
    const stored = new Map(trace.deliveries.map((delivery) => [`${delivery.accountId} ${delivery.id}`, delivery]));
    return firstWrong(ledger.deliveries.values(), (delivery) => {
      const numbers = delivery.rows.map(({ number }) => number).sort((a, b) => a - b);
      if (numbers.some((number, index) => number !== index + 1)) return `${describe(delivery)} has the rows ${numbers}`;
      // A settlement of an attempt that nobody made.
      const unmade = delivery.rows.find(({ outcome, post }) => !isUnsent(outcome) && !post);
      if (unmade) return `${describe(delivery)}: row ${unmade.number} is of an attempt that was not made`;
      const forgotten = delivery.posts.find(
        (post) =>
          !wasQueued(facts, delivery, post) &&
          !isForgotten(facts, delivery) &&
          !isBeforeItsTime(facts, delivery, post) &&
          !delivery.rows.some((row) => row.post === post) &&
          delivery.rows.some(({ post: later }) => later && later.order > post.order) &&
          !delivery.rows.some(({ outcome }) => outcome.kind === 'failed' && outcome.reason === 'abandoned'),
      );
      if (forgotten) return `${describe(delivery)}: an attempt of ${forgotten.process} is not in its log`;
      const id = `${delivery.accountId} ${delivery.eventId}.${delivery.endpointId}${delivery.replay > 0 ? `.${delivery.replay}` : ''}`;
      const found = stored.get(id);
      const kept = trace.endedAt - trace.history.retention.events;
      const recent = delivery.rows.filter(({ at }) => at > kept + 86_400_000);
      const listed = recent.filter(
        ({ outcome }) => !(outcome.kind === 'failed' && (outcome.reason as string).startsWith('held')),
      );
      if (!found) return listed.length > 0 && `${describe(delivery)} is gone`;
      const logged = found.log.map(outcomeText).join();
      // A delivery that expires with its endpoint during an attempt is logged as expired, with the number of the next
      // row.
      const deleted = endpoints.get(delivery.endpointId)?.find(({ endpoint }) => !endpoint)?.order;
      // The same for a delivery that was held too long: the endpoint was disabled, and the worker suspended for days.
      // Of an abandoned attempt and the one under way, which are settled together, only the first row is taken.
      const expiries = callsOf('log.prune')
        .filter(({ result }) => result?.expired.some(({ endpointId }) => endpointId === delivery.endpointId))
        .map(({ order = 0 }) => order)
        .filter((expiry) => delivery.rows.some(({ order, post }) => post && post.order < expiry && expiry < order));
      const taken = expiries.map((expiry) =>
        Math.min(...delivery.rows.filter(({ order }) => order > expiry).map(({ number }) => number)),
      );
      const expected = listed
        .filter(({ order }) => order < (deleted ?? Number.POSITIVE_INFINITY))
        .filter(({ number }) => !taken.includes(number))
        .map(({ outcome }) => outcomeText(outcome))
        .join();
      const isLogged = deleted === undefined ? logged.endsWith(expected) : logged.includes(expected);
      return !isLogged && `${describe(delivery)} has the log ${logged}, and ${expected} was settled`;
    });
  },
};

const outcomeText = (outcome: SendOutcome): string =>
  outcome.kind === 'answered' ? `${outcome.status}` : outcome.reason;
