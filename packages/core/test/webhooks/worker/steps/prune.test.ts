import { describe, expect, test } from 'vitest';
import { day, second } from '../../../../src/base/runtime/time.ts';
import type { Signal } from '../../../../src/base/signals/signal.ts';
import type { PruneLimits, PruneOutcome } from '../../../../src/webhooks/log/delivery-log.ts';
import { defaultRetention } from '../../../../src/webhooks/worker/context/retention.ts';
import { createWorkerErrors } from '../../../../src/webhooks/worker/context/worker-errors.ts';
import { prune } from '../../../../src/webhooks/worker/steps/prune.ts';
import { testClock } from '../../../support/clock.ts';

const nothing: PruneOutcome = { expired: [], hasMore: false };
const more: PruneOutcome = { expired: [], hasMore: true };
const ages = { ...defaultRetention, deleted: 50 * second };

/** Prunes shards 3 and 5 of a log that answers so, one call after the other; then that there is nothing. */
const pruneWith = async (
  answers: (PruneOutcome | Error)[],
  {
    served = [3, 5],
    onCall = () => undefined,
  }: { served?: number[]; onCall?: (calls: number, stop: () => void, served: number[]) => void } = {},
) => {
  const signals: Signal[] = [];
  const calls: { readonly shards: readonly number[]; readonly limits: PruneLimits }[] = [];
  const stopping = new AbortController();
  const observe = (signal: Signal) => signals.push(signal);
  const reported: unknown[] = [];
  const errors = createWorkerErrors(testClock(), (during, cause) => reported.push([during, cause]));
  const log = {
    prune: async (shards: readonly number[], limits: PruneLimits): Promise<PruneOutcome> => {
      calls.push({ shards, limits });
      onCall(calls.length, () => stopping.abort(), served);
      const answer = answers.shift() ?? nothing;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  await prune({ log, observe, errors, served: () => [...served], ages }, stopping.signal);
  return { signals, calls, reported, errors, shards: calls.map((call) => call.shards) };
};

test('golden: held for 14 days, events for 30, the audit trail for 400', () => {
  expect(defaultRetention).toEqual({ held: 14 * day, events: 30 * day, audit: 400 * day });
});

describe('rows are deleted', () => {
  test('by one call for all shards, of a few rows, when there are no more', async () => {
    const { calls } = await pruneWith([]);
    expect(calls).toEqual([{ shards: [3, 5], limits: { ...ages, limit: 8 } }]);
  });

  test('shard by shard when there are more, as long as one has more', async () => {
    const { calls } = await pruneWith([more, more, more, nothing, more]);
    expect(calls.map(({ shards, limits: { limit } }) => [shards, limit])).toEqual([
      [[3, 5], 8],
      [[3], 1_000],
      [[3], 1_000],
      [[3], 1_000],
      [[5], 1_000],
      [[5], 1_000],
    ]);
    expect(calls[1]?.limits).toEqual({ ...ages, limit: 1_000 });
  });

  test('in no shard, while the worker serves none', async () => {
    expect((await pruneWith([more], { served: [] })).calls).toEqual([]);
  });

  test('no longer in a shard that is released meanwhile', async () => {
    const onCall = (calls: number, _: () => void, served: number[]): void => {
      if (calls === 2) served.splice(0, 2, 5);
    };
    const { shards } = await pruneWith([more, more, more], { onCall });
    expect(shards).toEqual([[3, 5], [3], [5], [5]]);
  });

  test('until the worker stops, which ends it between two calls', async () => {
    const onCall = (calls: number, stop: () => void): void => {
      if (calls === 3) stop();
    };
    const { calls } = await pruneWith(Array(1_000).fill(more), { onCall });
    expect(calls).toHaveLength(3);
  });
});

describe('a storage that fails', () => {
  const cause = new Error('down');

  test('is reported, and remembered', async () => {
    const { calls, reported, errors } = await pruneWith([cause]);
    expect([calls.length, reported, errors.hasFailed()]).toEqual([1, [['prune', cause]], true]);
  });

  test('is not called again for the other shards', async () => {
    const { shards, reported } = await pruneWith([more, more, cause]);
    expect([shards, reported]).toEqual([[[3, 5], [3], [3]], [['prune', cause]]]);
  });
});

test('expired deliveries are signalled once for each endpoint, whatever number of calls expired them', async () => {
  const of = (endpointId: string, deliveries: number) => ({ accountId: 'acc_a', endpointId, deliveries });
  const { signals } = await pruneWith([
    { expired: [of('e1', 1)], hasMore: true },
    { expired: [of('e2', 2), of('e1', 10)], hasMore: false },
    { expired: [of('e2', 20)], hasMore: false },
  ]);
  const expired = { kind: 'delivery_expired', accountId: 'acc_a', reason: 'held_too_long' };
  expect(signals).toEqual([
    { ...expired, endpointId: 'e1', deliveries: 11 },
    { ...expired, endpointId: 'e2', deliveries: 22 },
  ]);
});
