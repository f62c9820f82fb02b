import { expect, test } from 'vitest';
import type { Facts } from '../../../src/simulator/laws/facts.ts';
import { storeClock } from '../../../src/simulator/laws/store-clock.ts';
import { handedOverAtOnce } from '../../../src/simulator/laws/takeover.ts';

const second = 1_000;

/**
 * A worker dies at 1 s, another stops at 10 s, and nobody serves its shard until the lease of the dead one has expired.
 */
const factsOf = (served: number, lastHeartbeat?: number): Facts => {
  const [dead, stopped, alive] = ['dead', 'stopped', 'alive'].map((process) => ({ process, joinedAt: 0 }));
  const given = { shard: 7, member: stopped, from: { order: 1, at: 0 }, to: { order: 2, at: 10 * second } };
  const taken = { shard: 7, member: alive, from: { order: 3, at: served } };
  const lives = [
    { process: 'dead', machine: 1, startedAt: 0, diedAt: second, pauses: [] },
    {
      process: 'stopped',
      machine: 2,
      startedAt: 0,
      stopRequestedAt: 10 * second,
      stoppedAt: 10 * second,
      diedAt: 10 * second,
      pauses: [],
    },
    { process: 'alive', machine: 3, startedAt: 0, pauses: [] },
  ];
  const heartbeat = { name: 'shards.heartbeat', process: 'dead', sentAt: 900, effectAt: lastHeartbeat };
  return {
    trace: {
      lives,
      calls: lastHeartbeat === undefined ? [] : [heartbeat],
      endedAt: 100 * second,
      history: { pollEvery: second },
    },
    membership: {
      members: new Map([dead, stopped, alive].map((member) => [member?.process, member])),
      tenures: [given, taken],
      next: () => taken,
    },
    store: storeClock({ storeClock: [{ at: 0, ahead: 0 }] }),
  } as unknown as Facts;
};

test.each([
  ['while its lease lives', false, 21 * second, undefined],
  ['for longer than its lease', true, 30 * second, undefined],
  ['while a lease lives that a heartbeat renewed after its death', false, 30 * second, 9 * second],
  ['for longer than the lease that was renewed after its death', true, 38 * second, 9 * second],
])('to leave the share of a worker that died free %s breaks the law: %s', (_while, isBroken, served, lastHeartbeat) => {
  expect(handedOverAtOnce.check(factsOf(served, lastHeartbeat)) !== undefined).toBe(isBroken);
});
