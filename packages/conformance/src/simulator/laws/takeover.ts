import type { DurationMs } from '@partnerkit/core';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { type Interval, outside, union } from './intervals.ts';
import { lease } from './numbers.ts';

/** Allowance from the expiry of a lease until its shards are acquired: a request or two. */
const slack: DurationMs = 2_000;
/** How often a worker renews its lease, and so detects free shards. */
const beat: DurationMs = lease / 5;

/** Times at which a live worker cannot be expected to take over shards. */
const disruptions = ({ trace, store }: Facts, process: string): readonly Interval[] => {
  const life = trace.lives.find((each) => each.process === process);
  const calls = trace.calls.filter(
    (call) => call.process === process && (call.learned !== 'answer' || (call.learnedAt ?? 0) - call.sentAt > 1_000),
  );
  const end = life?.diedAt ?? trace.endedAt;
  // By the clock of the storage, which may be set back meanwhile.
  const leaseEnd = (from: number): number => store.passed(from, lease) + 1_000;
  // A worker that joined without learning of it joins again: shards are reserved for the unused row.
  const ghosts = calls.filter(({ name, effectAt }) => name === 'shards.join' && effectAt !== undefined);
  // A worker that could not leave has its share until its lease expires.
  const stays = calls.filter(({ name, effectAt }) => name === 'shards.leave' && effectAt === undefined);
  // Shares belong to all live leases. A dead worker has a share until its lease expires; a late call may still have
  // renewed it.
  const renewed = trace.calls.filter(({ process: by, name }) => by === process && name === 'shards.heartbeat');
  const died = life?.diedAt !== undefined && life.stoppedAt === undefined ? life.diedAt : Number.POSITIVE_INFINITY;
  const lastRenewed = Math.max(died, ...renewed.map(({ effectAt = 0 }) => effectAt));
  return [
    ...ghosts.map(({ effectAt = 0 }) => ({ from: effectAt, to: leaseEnd(effectAt) })),
    ...stays.map(({ sentAt }) => ({ from: sentAt, to: leaseEnd(sentAt) })),
    { from: died, to: leaseEnd(lastRenewed) },
    ...(life?.pauses ?? []).map(({ from, to }) => ({ from, to: to + 3_000 })),
    ...calls.map(({ sentAt, learnedAt = end }) => ({ from: sentAt, to: learnedAt + trace.history.pollEvery + 3_000 })),
  ];
};

/** The same, and all time after its end. */
const away = (facts: Facts, process: string): readonly Interval[] => {
  const life = facts.trace.lives.find((each) => each.process === process);
  const { endedAt } = facts.trace;
  const end = Math.min(life?.stopRequestedAt ?? endedAt, life?.diedAt ?? endedAt);
  return [...disruptions(facts, process), { from: end, to: Number.POSITIVE_INFINITY }];
};

export const takenOverInTime: Law = {
  name: 'the shards of a worker that died are taken over within its lease',
  check: (facts) => {
    const { membership, trace, store, callsOf } = facts;
    const others = [...membership.members.values()];
    // A worker takes its share and no more; the rest waits for other workers.
    const someAway = union(trace.lives.flatMap((life) => disruptions(facts, life.process)));
    const awayOf = new Map(trace.lives.map(({ process }) => [process, union([...someAway, ...away(facts, process)])]));
    return firstWrong(trace.lives, ({ process, diedAt, stoppedAt, machine }) => {
      if (machine === 0 || diedAt === undefined || stoppedAt !== undefined || diedAt >= trace.endedAt) return undefined;
      const owned = membership.tenures.filter(
        ({ member, from, to }) =>
          member.process === process && from.at <= diedAt && (to === undefined || to.at > diedAt),
      );
      if (owned.length === 0) return undefined;
      const renewed = callsOf('shards.heartbeat').findLast(
        ({ process: by, result }) => by === process && result !== 'fenced',
      );
      const renewedAt = Math.max(renewed?.effectAt ?? 0, ...owned.map(({ member }) => member.joinedAt));
      // A clock that is set back lengthens the lease.
      if (store.jumps.some(({ at, by }) => by < 0 && at > Math.min(renewedAt, diedAt - lease))) return undefined;
      const expiresAt = Math.max(renewedAt, diedAt - lease) + lease;
      return firstWrong(owned, (tenure) => {
        const next = membership.next(tenure);
        const until = next?.from.at ?? trace.endedAt;
        // Another worker that was live for the whole time.
        return firstWrong(others, (other) => {
          if (other.process === process || other.joinedAt > diedAt || (other.goneAt ?? Infinity) < until)
            return undefined;
          const wait = until > expiresAt ? outside({ from: expiresAt, to: until }, awayOf.get(other.process) ?? []) : 0;
          return (
            wait > beat + slack + trace.history.pollEvery &&
            `${process} died, and shard ${tenure.shard} was free for ${wait} ms while ${other.process} lived`
          );
        });
      });
    });
  },
};

export const stopLosesNothing: Law = {
  name: 'stop() settles all that is in flight, hands the shards over, and ends in time',
  check: ({ trace, ledger, membership }) =>
    firstWrong(trace.lives, ({ process, stopRequestedAt, stoppedAt, diedAt, machine, pauses }) => {
      if (machine === 0 || stopRequestedAt === undefined) return undefined;
      const isTroubled =
        pauses.some(({ to }) => to >= stopRequestedAt - lease) ||
        trace.calls.some(
          (call) =>
            call.process === process &&
            (call.learnedAt ?? Infinity) >= stopRequestedAt - 2 * lease &&
            (call.learned !== 'answer' || (call.learnedAt ?? 0) - call.sentAt > 3_000 || call.result === 'fenced'),
        );
      if (isTroubled) return undefined;
      const end = stoppedAt ?? diedAt ?? trace.endedAt;
      if (end - stopRequestedAt > 40_000) return `${process} did not stop within ${end - stopRequestedAt} ms`;
      if (stoppedAt === undefined) return undefined;
      const late = trace.posts.find((post) => post.process === process && post.at > stopRequestedAt + 3_000);
      if (late) return `${process} sent ${late.at - stopRequestedAt} ms after it was asked to stop`;
      const unsettled = trace.posts.find(
        (post) =>
          post.process === process &&
          post.at > stopRequestedAt - lease &&
          post.outcome !== undefined &&
          !ledger.deliveryOf(post)?.rows.some((row) => row.post === post),
      );
      if (unsettled) return `${process} stopped, and did not settle ${unsettled.body}`;
      // An earlier session of the process may have failed to leave: its lease ends it.
      const current = [...membership.members.values()].findLast(
        (member) => member.process === process && member.joinedAt <= stoppedAt,
      );
      const kept = membership.tenures.find(
        ({ member, to }) => member === current && member.gone !== 'expired' && (to === undefined || to.at > stoppedAt),
      );
      return kept && `${process} stopped, and owns shard ${kept.shard} still`;
    }),
};

/** Maximum duration of `stop()`, whatever the storage does. */
const longestStop: DurationMs = 60_000;

export const stopEnds: Law = {
  name: 'stop() ends within a minute, also when the storage does not answer',
  check: ({ trace }) =>
    firstWrong(trace.lives, ({ process, stopRequestedAt, stoppedAt, diedAt, machine, pauses }) => {
      if (machine === 0 || stopRequestedAt === undefined) return undefined;
      const lasted = outside({ from: stopRequestedAt, to: stoppedAt ?? diedAt ?? trace.endedAt }, union(pauses));
      return lasted > longestStop && `${process} did not stop within ${lasted} ms`;
    }),
};

export const handedOverAtOnce: Law = {
  name: 'the shards of a worker that stopped are served by another at once',
  check: (facts) => {
    const { membership, trace, store } = facts;
    // Leases last longer by a clock that was set back.
    if (store.jumps.some(({ by }) => by < 0)) return undefined;
    const someAway = union(trace.lives.flatMap((life) => disruptions(facts, life.process)));
    const awayOf = new Map(trace.lives.map(({ process }) => [process, union([...someAway, ...away(facts, process)])]));
    return firstWrong(trace.lives, ({ process, stoppedAt, machine }) => {
      if (machine === 0 || stoppedAt === undefined) return undefined;
      return firstWrong(membership.tenures, (tenure) => {
        if (tenure.member.process !== process || tenure.to === undefined || tenure.to.at > stoppedAt) return undefined;
        const { at } = tenure.to;
        const next = membership.next(tenure);
        const until = next?.from.at ?? trace.endedAt;
        return firstWrong(membership.members.values(), (other) => {
          if (other.process === process || other.joinedAt > at || (other.goneAt ?? Infinity) < until) return undefined;
          const wait = until - at > beat ? outside({ from: at, to: until }, awayOf.get(other.process) ?? []) : 0;
          return (
            wait > beat + slack + trace.history.pollEvery &&
            `${process} gave shard ${tenure.shard} back, and nobody served it for ${wait} ms while ${other.process} lived`
          );
        });
      });
    });
  },
};
