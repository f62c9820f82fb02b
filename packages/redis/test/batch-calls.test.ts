import { expect, test } from 'vitest';
import { batchCalls } from '../src/batch-calls.ts';

const never = () => false;
const turn = () => new Promise(setImmediate);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Doubles each number, and notes the batches it was sent. */
const doubling = (maxSize: number) => {
  const batches: (readonly number[])[] = [];
  const double = batchCalls<number, number>(
    async (batch) => {
      batches.push(batch);
      return batch.map((each) => 2 * each);
    },
    maxSize,
    never,
  );
  return { batches, double };
};

test('the calls of one turn are one batch, and each gets its own answer', async () => {
  const { batches, double } = doubling(10);
  expect(await Promise.all(numbers(5).map(double))).toEqual([0, 2, 4, 6, 8]);
  expect(await double(7)).toBe(14);
  expect(batches).toEqual([[0, 1, 2, 3, 4], [7]]);
});

test('a call of a later turn does not wait for an earlier batch', async () => {
  const answers: (() => void)[] = [];
  const call = batchCalls<string, string>(
    (batch) => new Promise((resolve) => answers.push(() => resolve(batch))),
    10,
    never,
  );
  const first = call('first');
  await turn();
  const second = call('second');
  await turn();
  expect(answers).toHaveLength(2);
  answers[1]?.();
  expect(await second).toBe('second');
  answers[0]?.();
  expect(await first).toBe('first');
});

test('no batch is larger than its maximum, and no call is left out', async () => {
  const { batches, double } = doubling(4);
  expect(await Promise.all(numbers(10).map(double))).toEqual(numbers(10).map((each) => 2 * each));
  expect(batches.map(({ length }) => length)).toEqual([4, 4, 2]);
});

test('a batch that fails rejects each of its calls with the cause, and no other call', async () => {
  const cause = new Error('down');
  const call = batchCalls<number, number>(
    async (batch) => {
      if (batch.includes(2)) throw cause;
      return batch;
    },
    3,
    never,
  );
  const outcomes = await Promise.allSettled(numbers(5).map(call));
  expect(outcomes).toEqual([
    ...numbers(3).map(() => ({ status: 'rejected', reason: cause })),
    { status: 'fulfilled', value: 3 },
    { status: 'fulfilled', value: 4 },
  ]);
  expect(await call(1)).toBe(1);
});

test('too few or too many results reject each call', async () => {
  for (const answers of [[], [1], [1, 2, 3]]) {
    const call = batchCalls<number, number>(async () => answers, 10, never);
    const outcomes = await Promise.allSettled(numbers(2).map(call));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  }
});

test('a batch that must be split is sent again call by call, and so are all later ones', async () => {
  const batches: (readonly number[])[] = [];
  const apart = new Error('apart');
  const broken = new Error('broken');
  const call = batchCalls<number, number>(
    async (batch) => {
      batches.push(batch);
      if (batch.length > 1) throw apart;
      if (batch[0] === 1) throw broken;
      return batch;
    },
    10,
    (cause) => cause === apart,
  );
  const outcomes = await Promise.allSettled(numbers(3).map(call));
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 0 },
    { status: 'rejected', reason: broken },
    { status: 'fulfilled', value: 2 },
  ]);
  expect(await Promise.all([call(3), call(4)])).toEqual([3, 4]);
  expect(batches).toEqual([[0, 1, 2], [0], [1], [2], [3], [4]]);
});

test('a call that is refused alone as if it could be split rejects', async () => {
  const cause = new Error('apart');
  const call = batchCalls<number, number>(
    () => Promise.reject(cause),
    10,
    () => true,
  );
  const outcomes = await Promise.allSettled(numbers(2).map(call));
  expect(outcomes).toEqual(numbers(2).map(() => ({ status: 'rejected', reason: cause })));
});
