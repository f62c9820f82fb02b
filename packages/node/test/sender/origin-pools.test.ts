import { Pool } from 'undici';
import { expect, test } from 'vitest';
import { originPools } from '../../src/sender/origin-pools.ts';

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

const minute = 60_000;

test('an origin has one pool, and after five minutes another, so that a changed name is followed', () => {
  const { get, pass } = start();
  const pool = get('https://a.test');
  expect(get('https://b.test')).not.toBe(pool);
  pass(5 * minute - 1);
  expect(get('https://a.test')).toBe(pool);
  pass(1);
  expect(get('https://a.test')).not.toBe(pool);
  expect(pool.closed).toBe(true);
});

test('an origin that is used rarely has another pool after five minutes too', () => {
  const { get, pass } = start();
  pass(2 * minute);
  const pool = get('https://a.test');
  pass(2 * minute);
  expect(get('https://a.test')).toBe(pool);
  pass(3 * minute);
  expect(get('https://a.test')).not.toBe(pool);
});

test('an unused origin is closed and dropped, however its last request ended', () => {
  const { get, pass } = start();
  const pool = get('https://a.test');
  pass(2.5 * minute);
  get('https://b.test');
  expect(pool.closed).toBe(false);
  pass(2.5 * minute);
  get('https://b.test');
  expect(pool.closed).toBe(true);
});

test('10,000 origins, one each second, leave no more than five minutes of them open', () => {
  const { get, pass } = start();
  const made = Array.from({ length: 10_000 }, (_, index) => {
    pass(1_000);
    return get(`https://${index}.test`);
  });
  expect(made.filter((pool) => !pool.closed).length).toBeLessThanOrEqual(300);
});

test('destroy ends the pools of both generations', async () => {
  const { get, pass, destroy } = start();
  const old = get('https://a.test');
  pass(2.5 * minute);
  const young = get('https://b.test');
  await destroy();
  expect([old.destroyed, young.destroyed]).toEqual([true, true]);
});
