import type { Call } from '../trace.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { accounts, lease } from './numbers.ts';

const shardOfAccount = new Map(accounts.map(({ id, shard }) => [id, shard]));

/** @internal */
export const noWriteAfterFence: Law = {
  name: 'no write of a worker takes effect after it was fenced, and nobody is fenced whose lease lives',
  check: ({ membership }) => membership.wrong.fence,
};

/** @internal */
export const oneOwner: Law = {
  name: 'a shard has one owner at most',
  check: ({ membership }) => membership.wrong.owners,
};

/** What a call writes rows of. Whoever propagates an event twice, or late, makes one copy. */
const accountsOf = (call: Call): readonly string[] => {
  if (call.name === 'deliveries.stamp') {
    const [, events, pending] = (call as Call<'deliveries.stamp'>).args;
    return [...events.map(({ event }) => event.accountId), ...pending.map(({ accountId }) => accountId)];
  }
  if (call.name === 'deliveries.settle') {
    const [, { attempts, pending, queued, finished, health, transitions }] = (call as Call<'deliveries.settle'>).args;
    return [...attempts, ...pending, ...queued, ...finished, ...health, ...transitions].map(
      ({ accountId }) => accountId,
    );
  }
  return [];
};

const wasWritten = ({ result }: Call): boolean => result !== undefined && result !== 'fenced';

/** @internal */
export const writesToOwnShards: Law = {
  name: 'a worker writes to shards that it owns, and to no others',
  check: ({ effects, membership }) =>
    firstWrong(effects, (call) => {
      if (!wasWritten(call)) return undefined;
      const [workerId] = call.args as readonly [string];
      return firstWrong(new Set(accountsOf(call)), (accountId) => {
        const shard = shardOfAccount.get(accountId);
        if (shard === undefined) return `account ${accountId} has no shard`;
        const owner = membership.ownerAt(shard, call.order ?? 0);
        return (
          owner?.id !== workerId &&
          `${call.name} of ${call.process} wrote to shard ${shard}, which ${owner?.process ?? 'nobody'} owns`
        );
      });
    }),
};

/** The leases of a process, as it may count on them: from when the request was sent, once the answer has come. */
const renewals = ({ trace }: Facts) =>
  Map.groupBy(
    trace.calls.filter(
      ({ name, heard, result }) =>
        (name === 'shards.join' || name === 'shards.heartbeat') && heard === 'answer' && result !== 'fenced',
    ),
    ({ process }) => process,
  );

/** @internal */
export const leaseOutlivesAttempts: Law = {
  name: 'no attempt starts unless the lease outlives its deadline',
  check: (facts) => {
    const byProcess = renewals(facts);
    return firstWrong(facts.trace.posts, (post) => {
      const renewed = byProcess.get(post.process)?.findLast(({ heardAt = Infinity }) => heardAt <= post.at);
      const left = renewed ? renewed.sentAt + lease - post.at : 0;
      return (
        left < post.deadline &&
        `${post.process} sent with ${left} ms of its lease left, and a deadline of ${post.deadline}`
      );
    });
  },
};

/** @internal */
export const ownersAlone: Law = {
  name: 'a worker attempts deliveries of shards that it owns, and of no others',
  check: ({ trace, ledger, membership, store }) =>
    firstWrong(trace.posts, (post) => {
      const accountId = ledger.deliveryOf(post)?.accountId;
      const shard = accountId === undefined ? undefined : shardOfAccount.get(accountId);
      // A clock that is set ahead takes a lease away before its time.
      if (shard === undefined || store.ahead(post.at - lease, post.at) > 0) return undefined;
      const owner = membership.ownerAt(shard, post.order);
      return (
        owner?.process !== post.process &&
        `${post.process} sent for shard ${shard}, which ${owner?.process ?? 'nobody'} owns`
      );
    }),
};

/** What a mark says must be in the log of each delivery, or pending. */
const unsettled = ({ ledger, effects }: Facts) => {
  const settled = new Map<string, number>();
  const note = (key: string, order: number): void => {
    if (!settled.has(key)) settled.set(key, order);
  };
  for (const call of effects) {
    if (!wasWritten(call)) continue;
    const order = call.order ?? 0;
    const pending =
      call.name === 'deliveries.stamp'
        ? (call as Call<'deliveries.stamp'>).args[2]
        : call.name === 'deliveries.settle'
          ? [
              ...(call as Call<'deliveries.settle'>).args[1].attempts,
              ...(call as Call<'deliveries.settle'>).args[1].pending,
            ]
          : [];
    for (const { accountId, eventId, endpointId } of pending) note(`${accountId} ${eventId} ${endpointId}`, order);
  }
  return [...ledger.stamps.values()].flatMap((stamp) =>
    stamp.endpointIds.map((endpointId) => ({
      stamp,
      endpointId,
      settledOrder: settled.get(`${stamp.accountId} ${stamp.event.id} ${endpointId}`) ?? Number.POSITIVE_INFINITY,
    })),
  );
};

/** @internal */
export const marksAreTrue: Law = {
  name: 'a mark never passes a delivery that is neither logged nor pending',
  check: (facts) => {
    const open = unsettled(facts);
    // What a successor found and queued is pending.
    const recovered = facts.callsOf('deliveries.recover').filter(({ result }) => result === 'stored');
    return firstWrong(facts.callsOf('shards.heartbeat'), (call) => {
      const [workerId, , { shards, settledTo }] = call.args;
      if (call.result === 'fenced' || call.result === undefined) return undefined;
      const order = call.order ?? 0;
      return firstWrong(open, ({ stamp, endpointId, settledOrder }) => {
        const shard = shardOfAccount.get(stamp.accountId) ?? -1;
        if (stamp.order > order || settledOrder < order || stamp.dispatchedAt >= settledTo || !shards.includes(shard))
          return undefined;
        if (facts.membership.ownerAt(shard, order)?.id !== workerId) return undefined;
        const isQueued = recovered.some(
          ({ args, order: at = 0 }) =>
            at > stamp.order &&
            at < order &&
            args[1].some((each) => each.shard === shard && each.settledTo <= stamp.dispatchedAt),
        );
        return (
          !isQueued &&
          `${call.process} marked ${settledTo - stamp.dispatchedAt} ms past event ${stamp.event.id} for ${endpointId}`
        );
      });
    });
  },
};
