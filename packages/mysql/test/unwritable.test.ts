import { expect, test } from 'vitest';
import { fromMysql2 } from '../src/index.ts';

/** A pool of one connection, on which this statement fails. */
const poolFailing = (errno: number) => {
  const ended: string[] = [];
  const query = async ({ sql }: { readonly sql: string }) => {
    if (sql === 'insert') throw Object.assign(new Error('refused'), { errno });
    return [[], []] as const;
  };
  const connection = { query, release: () => ended.push('release'), destroy: () => ended.push('destroy') };
  return { pool: { query, getConnection: async () => connection }, ended };
};

test.each([
  { name: 'not in its cluster', errno: 1047, end: 'destroy' },
  { name: 'started read-only', errno: 1290, end: 'destroy' },
  { name: 'set read-only', errno: 1836, end: 'destroy' },
  { name: 'able to write', errno: 1062, end: 'release' },
])('a connection whose server is $name ends with $end', async ({ errno, end }) => {
  const { pool, ended } = poolFailing(errno);
  const { transaction, queryIn } = fromMysql2(pool as never);
  const work = transaction((tx) => queryIn(tx, 'insert'), { isolation: 'read committed' });
  await expect(work).rejects.toMatchObject({ errno });
  expect(ended).toEqual([end]);
});
