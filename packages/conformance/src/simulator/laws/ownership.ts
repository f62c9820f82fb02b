import { groupBy } from '../../node-20.ts';
import type { Call } from '../trace.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { lease, shardOfAccount } from './numbers.ts';
import { unsettledOf, wasWritten } from './unsettled.ts';

export const noWriteAfterFence: Law = {
  name: 'no write of a worker takes effect after it was fenced, and nobody is fenced whose lease lives',
  check: ({ membership }) => membership.wrong.fence,
};

export const oneOwner: Law = {
  name: 'a shard has one owner at most',
  check: ({ membership }) => membership.wrong.owners,
};

export const nothingIsMissed: Law = {
  name: 'no worker misses what the storage has',
  check: ({ trace }) =>
    firstWrong(
      trace.signals,
      ({ process, signal }) =>
        signal.kind === 'worker_error' &&
        signal.error.name === 'CommitsLost' &&
        `${process} misses commits, and the storage lost none`,
    ),
};

/** The accounts whose rows a call writes. A repeated or late propagation makes one copy. */
const accountsOf = (call: Call): readonly string[] => {
  if (call.name === 'deliveries.dispatch') {
    const [, events, pending] = (call as Call<'deliveries.dispatch'>).args;
    return [...events.map(({ event }) => event.accountId), ...pending.map(({ accountId }) => accountId)];
  }
  if (call.name === 'deliveries.dispatchAnnounced') {
    const { result } = call as Call<'deliveries.dispatchAnnounced'>;
    return result === undefined || result === 'fenced' ? [] : result.map(({ accountId }) => accountId);
  }
  if (call.name === 'deliveries.settle') {
    const [, { attempts, pending, queued, finished, health, transitions }] = (call as Call<'deliveries.settle'>).args;
    return [...attempts, ...pending, ...queued, ...finished, ...health, ...transitions].map(
      ({ accountId }) => accountId,
    );
  }
  return [];
};

/**
 * Finds settlements that were stored before: the first call was given up, its repetition was stored, and the first one
 * comes late. It writes nothing, and its shards may have been released meanwhile.
 */
const createRepeats = () => {
  const stored = new Set<string>();
  return (call: Call): boolean => {
    if (call.name !== 'deliveries.settle') return false;
    const [workerId, { number }] = (call as Call<'deliveries.settle'>).args;
    const key = `${workerId} ${number}`;
    const isRepeat = stored.has(key);
    stored.add(key);
    return isRepeat;
  };
};

export const writesToOwnShards: Law = {
  name: 'a worker writes to shards that it owns, and to no others',
  check: ({ effects, membership }) => {
    const isRepeat = createRepeats();
    return firstWrong(effects, (call) => {
      if (!wasWritten(call) || isRepeat(call)) return undefined;
      const [workerId] = call.args as readonly [string];
      return firstWrong(new Set(accountsOf(call)), (accountId) => {
        const shard = shardOfAccount(accountId);
        if (shard === undefined) return `account ${accountId} has no shard`;
        const owner = membership.ownerAt(shard, call.order ?? 0);
        return (
          owner?.id !== workerId &&
          `${call.name} of ${call.process} wrote to shard ${shard}, which ${owner?.process ?? 'nobody'} owns`
        );
      });
    });
  },
};

/** The leases of a process as it may rely on them: from the start of the request, once it has the result. */
const renewals = ({ trace }: Facts) =>
  groupBy(
    trace.calls.filter(
      ({ name, learned, result }) =>
        (name === 'shards.join' || name === 'shards.heartbeat') && learned === 'answer' && result !== 'fenced',
    ),
    ({ process }) => process,
  );

export const leaseOutlivesAttempts: Law = {
  name: 'no attempt starts unless the lease outlives its deadline',
  check: (facts) => {
    const byProcess = renewals(facts);
    return firstWrong(facts.trace.posts, (post) => {
      const renewed = byProcess.get(post.process)?.findLast(({ learnedAt = Infinity }) => learnedAt <= post.at);
      const left = renewed ? renewed.sentAt + lease - post.at : 0;
      return (
        left < post.deadline &&
        `${post.process} sent with ${left} ms of its lease left, and a deadline of ${post.deadline}`
      );
    });
  },
};

export const ownersAlone: Law = {
  name: 'a worker attempts deliveries of shards that it owns, and of no others',
  check: ({ trace, ledger, membership, store }) =>
    firstWrong(trace.posts, (post) => {
      const accountId = ledger.deliveryOf(post)?.accountId;
      const shard = accountId === undefined ? undefined : shardOfAccount(accountId);
      // A clock that is set ahead ends a lease early.
      if (shard === undefined || store.ahead(post.at - lease, post.at) > 0) return undefined;
      const owner = membership.ownerAt(shard, post.order);
      return (
        owner?.process !== post.process &&
        `${post.process} sent for shard ${shard}, which ${owner?.process ?? 'nobody'} owns`
      );
    }),
};

export const watermarksAreTrue: Law = {
  name: 'a watermark never passes a delivery that is neither logged nor pending',
  check: (facts) => {
    const open = unsettledOf(facts);
    return firstWrong(facts.callsOf('shards.heartbeat'), (call) => {
      const [workerId, , { shards, watermark }] = call.args;
      if (call.result === 'fenced' || call.result === undefined) return undefined;
      const order = call.order ?? 0;
      return firstWrong(open, ({ dispatch, endpointId, settledOrder }) => {
        const shard = shardOfAccount(dispatch.accountId) ?? -1;
        return (
          dispatch.order <= order &&
          settledOrder >= order &&
          dispatch.dispatchedAt < watermark &&
          shards.includes(shard) &&
          facts.membership.ownerAt(shard, order)?.id === workerId &&
          `the watermark of ${call.process} is ${watermark - dispatch.dispatchedAt} ms past event ${dispatch.event.id} for ${endpointId}`
        );
      });
    });
  },
};

export const attemptsEndBeforeHandover: Law = {
  name: 'no attempt is in flight still when another worker owns its shard',
  check: ({ trace, ledger, membership, store }) =>
    firstWrong(membership.tenures, (tenure) => {
      const next = membership.next(tenure);
      if (!next || next.member === tenure.member) return undefined;
      // A clock that is set ahead ends a lease early.
      if (store.ahead(next.from.at - 2 * lease, next.from.at) > 0) return undefined;
      const late = trace.posts.find(
        (post) =>
          post.process === tenure.member.process &&
          post.order > tenure.from.order &&
          post.order < next.from.order &&
          post.until > next.from.at &&
          shardOfAccount(ledger.deliveryOf(post)?.accountId ?? '') === tenure.shard,
      );
      return (
        late &&
        `${late.process} is sending ${late.until - next.from.at} ms after ${next.member.process} acquired shard ${tenure.shard}`
      );
    }),
};
