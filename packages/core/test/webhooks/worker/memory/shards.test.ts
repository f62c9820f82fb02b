import { describe, expect, test } from 'vitest';
import { shardCount } from '../../../../src/webhooks/shards/shard.ts';
import { createShards, type ShardsDeps } from '../../../../src/webhooks/worker/memory/shards.ts';
import { nothingStored } from '../../../support/worker.ts';

const numbers = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);
const acquired = (shards: readonly number[]) =>
  shards.map((shard) => ({ shard, watermark: 0, wasAbandoned: false }) as const);

const world = (deps: Partial<ShardsDeps> = {}) => {
  const clock = { now: 0 };
  const shards = createShards({ takesAll: false, lease: 20_000, now: () => clock.now, ...deps });
  /** What it wants once the store has told of this many workers and free shards. */
  const wanted = (workers: number, freeShards: number = shardCount): number => {
    shards.note({ workers, freeShards, stored: nothingStored });
    return shards.wanted();
  };
  /** Serves these many shards, from shard 0. */
  const serve = (count: number): void => {
    shards.add(acquired(numbers(0, count)));
    shards.serve();
  };
  return { clock, shards, wanted, serve };
};

describe('a worker wants', () => {
  test.each([
    [1, 128],
    [2, 64],
    [3, 43],
    [200, 1],
  ])('of %i workers, %i shards each', (workers, share) => {
    const { wanted, serve } = world();
    expect(wanted(workers)).toBe(share);
    serve(share);
    expect(wanted(workers)).toBe(0);
  });

  test('nothing before the store has told of the workers, or twice for what it told once', () => {
    const { shards, wanted } = world();
    expect(shards.wanted()).toBe(0);
    expect(wanted(2)).toBe(64);
    expect(shards.wanted()).toBe(0);
  });

  test('with takesAll, all shards', () => {
    expect(world({ takesAll: true }).wanted(3)).toBe(128);
  });

  test('none while no shard is free', () => {
    expect(world().wanted(2, 0)).toBe(0);
  });

  test('what it lacks, when it has some; those that are not recovered yet count', () => {
    const { shards, wanted, serve } = world();
    serve(30);
    shards.add(acquired(numbers(30, 10)));
    expect(wanted(2)).toBe(24);
  });

  test('to leave those above its share, whether others are free or not', () => {
    const { wanted, serve } = world();
    serve(128);
    expect([wanted(2, 0), wanted(3, 5)]).toEqual([-64, -85]);
  });
});

describe('an acquired shard', () => {
  test('is served once it is recovered', () => {
    const { shards } = world();
    shards.add(acquired([3]));
    shards.add(acquired([5]));
    expect([shards.served(), shards.acquired().map(({ shard }) => shard)]).toEqual([[], [3, 5]]);
    shards.serve();
    expect([shards.served(), shards.acquired()]).toEqual([[3, 5], []]);
  });
});

describe('a shard that is left', () => {
  test('is served no longer, and can be released at once', () => {
    const { shards, serve } = world();
    serve(4);
    expect(shards.leave(2)).toEqual(new Set([2, 3]));
    expect([shards.served(), shards.releasable()]).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(shards.leave(0)).toEqual(new Set());
    expect(shards.served()).toEqual([0, 1]);
  });

  test('is released after the last of its deliveries that are in flight, or not stored', () => {
    const { shards, serve } = world();
    serve(4);
    for (const shard of [3, 3, 0]) shards.use(shard);
    shards.leave(2);
    expect(shards.releasable()).toEqual([2]);
    shards.unuse(3);
    expect(shards.releasable()).toEqual([2]);
    shards.unuse(3);
    expect(shards.releasable()).toEqual([2, 3]);
  });

  test('is released once; one whose release failed can be released again', () => {
    const { shards, serve } = world();
    serve(4);
    shards.leave(2);
    shards.change('release');
    expect(shards.releasable()).toEqual([2, 3]);
    shards.released([2]);
    expect(shards.releasable()).toEqual([3]);
  });

  test('counts until it is released: no others are acquired in its place', () => {
    const { shards, wanted, serve } = world();
    serve(128);
    shards.leave(96);
    expect(wanted(2, 64)).toBe(0);
    shards.released(shards.releasable().slice(0, 90));
    expect(wanted(2, 64)).toBe(26);
  });

  test('keeps the worker from acquiring while its release is uncertain: it could get and lose the same', () => {
    const { shards, wanted, serve } = world();
    serve(64);
    const left = [...shards.leave(32)];
    shards.change('release');
    expect(wanted(1, 96)).toBe(0);
    // It still leaves those above its share.
    expect(wanted(8, 96)).toBe(-16);
    shards.released(left);
    expect(wanted(1, 96)).toBe(96);
  });
});

test('the lease is counted from when the call that renewed it was sent; without one there is none', () => {
  const { clock, shards } = world();
  expect(shards.leaseLeft()).toBeLessThan(0);
  clock.now = 12_000;
  shards.renewed(10_000);
  expect(shards.leaseLeft()).toBe(18_000);
  clock.now = 30_000;
  expect(shards.leaseLeft()).toBe(0);
  clock.now = 90_000;
  expect(shards.leaseLeft()).toBe(-60_000);
});
