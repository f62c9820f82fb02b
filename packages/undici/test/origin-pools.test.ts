import { Pool } from 'undici';
import { expect, test } from 'vitest';
import { originPools } from '../src/origin-pools.ts';

const start = () => {
  let now = 0;
  const pools = originPools(
    (origin) => new Pool(origin),
    () => now,
  );
  const pass = (ms: number) => {
    now += ms;
  };
  return { ...pools, pass };
};

test('an origin keeps its pool while it is used', () => {
  const { get, pass } = start();
  const pool = get('https://a.test');
  for (let minutes = 0; minutes < 10; minutes += 1) {
    pass(59_000);
    expect(get('https://a.test')).toBe(pool);
  }
  expect(get('https://b.test')).not.toBe(pool);
  expect(pool.closed).toBe(false);
});

test('an origin that is no longer used is closed and forgotten, however its last request ended', () => {
  const { get, pass } = start();
  const pool = get('https://a.test');
  pass(60_000);
  get('https://b.test');
  expect(pool.closed).toBe(false);
  pass(60_000);
  get('https://b.test');
  expect(pool.closed).toBe(true);
  expect(get('https://a.test')).not.toBe(pool);
});

test('10,000 origins, one each second, leave no more than two minutes of them open', () => {
  const { get, pass } = start();
  const made = Array.from({ length: 10_000 }, (_, index) => {
    pass(1_000);
    return get(`https://${index}.test`);
  });
  expect(made.filter((pool) => !pool.closed).length).toBeLessThanOrEqual(120);
});

test('destroy ends the pools of both generations', async () => {
  const { get, pass, destroy } = start();
  const old = get('https://a.test');
  pass(60_000);
  const young = get('https://b.test');
  await destroy();
  expect([old.destroyed, young.destroyed]).toEqual([true, true]);
});
