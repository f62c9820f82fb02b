import type { EpochMs } from '@partnerkit/core';
import { groupBy } from '../../node-20.ts';
import type { CallName } from '../call-name.ts';
import type { Call, Trace } from '../trace.ts';

/** A worker under one id. */
interface Member {
  readonly id: string;
  readonly process: string;
  readonly joinedAt: EpochMs;
  /** By the clock of the storage. */
  expiresAt: EpochMs;
  /** When and how its row was removed. */
  goneAt?: EpochMs;
  gone?: 'left' | 'expired';
}

/** An ownership of a shard, in the order of effects. */
interface Tenure {
  readonly shard: number;
  readonly member: Member;
  readonly from: { readonly order: number; readonly at: EpochMs };
  /** Absent: until the end. */
  to?: { readonly order: number; readonly at: EpochMs };
}

/** The expected effects of calls on workers and shards. */
export interface WorkerMembership {
  readonly members: ReadonlyMap<string, Member>;
  readonly tenures: readonly Tenure[];
  /** The first call with another effect. */
  readonly wrong: { readonly fence?: string; readonly owners?: string };
  /** The next owner of the same shard. */
  readonly next: (tenure: Tenure) => Tenure | undefined;
  readonly ownerAt: (shard: number, order: number) => Member | undefined;
}

const writes: ReadonlySet<CallName> = new Set<CallName>([
  'shards.acquire',
  'deliveries.dispatch',
  'deliveries.dispatchAnnounced',
  'deliveries.settle',
  'deliveries.recover',
  'parents.propagate',
  'shards.heartbeat',
]);

/** Replays joins, expiries and ownerships of shards. */
export const readMembership = (effects: Trace['calls']): WorkerMembership => {
  const members = new Map<string, Member>();
  const alive = new Set<Member>();
  const owners = new Map<number, Tenure>();
  const tenures: Tenure[] = [];
  const wrong: { fence?: string; owners?: string } = {};

  const free = (tenure: Tenure, call: Call): void => {
    tenure.to = { order: call.order ?? 0, at: call.effectAt ?? 0 };
    owners.delete(tenure.shard);
  };
  const expire = (call: Call, except: Member | undefined): void => {
    for (const member of alive) {
      if (member === except || member.expiresAt > (call.storeTime ?? 0)) continue;
      alive.delete(member);
      Object.assign(member, { gone: 'expired', goneAt: call.effectAt });
      for (const tenure of owners.values()) if (tenure.member === member) free(tenure, call);
    }
  };

  const join = (call: Call<'shards.join'>): void => {
    const [id, lease] = call.args;
    expire(call, members.get(id));
    const expiresAt = (call.storeTime ?? 0) + lease;
    const known = members.get(id);
    if (known) {
      known.expiresAt = expiresAt;
      alive.add(known);
      return;
    }
    const member = { id, process: call.process, joinedAt: call.effectAt ?? 0, expiresAt };
    members.set(id, member);
    alive.add(member);
  };

  const acquire = (call: Call<'shards.acquire'>, member: Member): void => {
    if (call.result === 'fenced') return;
    for (const { shard } of call.result ?? []) {
      const owner = owners.get(shard);
      if (owner) {
        wrong.owners ??= `${member.process} acquired shard ${shard}, which ${owner.member.process} owns`;
        free(owner, call);
      }
      const tenure = { shard, member, from: { order: call.order ?? 0, at: call.effectAt ?? 0 } };
      owners.set(shard, tenure);
      tenures.push(tenure);
    }
  };

  const release = (call: Call, member: Member | undefined, shards: Iterable<number>): void => {
    for (const shard of [...shards]) {
      const tenure = owners.get(shard);
      if (tenure && tenure.member === member) free(tenure, call);
    }
  };

  const fence = (call: Call): void => {
    const [id] = call.args as readonly [string];
    const member = members.get(id);
    const isGone = !member || !alive.has(member);
    if (isGone && call.result !== 'fenced' && call.result !== undefined)
      wrong.fence ??= `${call.name} of ${call.process} took effect after it was fenced`;
    // A store with one writer may have kept the call waiting until then.
    else if (!isGone && call.result === 'fenced' && member.expiresAt > (call.storeTimeDone ?? call.storeTime ?? 0))
      wrong.fence ??= `${call.name} of ${call.process} was fenced, though its lease lives`;
  };

  const relive = (call: Call): void => {
    if (writes.has(call.name)) fence(call);
    const [id] = call.args as readonly [string];
    const member = members.get(id);
    if (call.name === 'shards.join') join(call as Call<'shards.join'>);
    else if (call.name === 'shards.heartbeat' && call.result !== 'fenced') {
      const [, lease] = (call as Call<'shards.heartbeat'>).args;
      if (member) member.expiresAt = (call.storeTime ?? 0) + lease;
      expire(call, member);
    } else if (call.name === 'shards.acquire' && member) acquire(call as Call<'shards.acquire'>, member);
    else if (call.name === 'shards.release') release(call, member, (call as Call<'shards.release'>).args[1]);
    else if (call.name === 'shards.leave' && member) {
      release(call, member, owners.keys());
      if (alive.delete(member)) Object.assign(member, { gone: 'left', goneAt: call.effectAt });
    }
  };

  // What the storage rejected, it rolled back.
  for (const call of effects) if (!call.isRefused) relive(call);
  const byShard = groupBy(tenures, ({ shard }) => shard);
  return {
    members,
    tenures,
    wrong,
    next: (tenure) => {
      const same = byShard.get(tenure.shard) ?? [];
      return same[same.indexOf(tenure) + 1];
    },
    ownerAt: (shard, order) =>
      byShard.get(shard)?.find(({ from, to }) => from.order <= order && (to === undefined || order <= to.order))
        ?.member,
  };
};
