import { type PostgresServer, startPostgres, startPostgresStandby } from '@partnerkit/workshop/services';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { query } from './query.ts';

let primary: PostgresServer;
beforeAll(async () => {
  primary = await startPostgres();
  await query(primary.url, 'create table payments (id int)');
});
afterAll(() => primary.stop());

const startStandby = async (of: PostgresServer, synchronous: boolean) => {
  const standby = await startPostgresStandby({ of, synchronous });
  onTestFinished(standby.stop);
  return standby;
};
const count = async (url: string) => {
  const [row] = await query(url, 'select count(*)::int as n from payments');
  return (row as { n: number }).n;
};

describe('a standby', () => {
  it('has what the server had before it and gets afterwards, and accepts no writes', async () => {
    await query(primary.url, 'insert into payments values (1)');
    const standby = await startStandby(primary, false);
    const before = await count(primary.url);
    expect(await count(standby.url)).toBe(before);
    await query(primary.url, 'insert into payments values (2)');
    await vi.waitUntil(async () => (await count(standby.url)) === before + 1, { timeout: 240_000 });
    await expect(query(standby.url, 'insert into payments values (3)')).rejects.toMatchObject({ code: '25006' });
    expect(await query(primary.url, 'show synchronous_standby_names')).toEqual([{ synchronous_standby_names: '' }]);
  });

  it('that is synchronous has every commit when its server dies, takes its place, and may be followed', async () => {
    const server = await startPostgres();
    onTestFinished(server.stop);
    await query(server.url, 'create table payments (id int)');
    const standby = await startStandby(server, true);
    await query(server.url, 'insert into payments values (1)');
    await server.kill();
    await standby.promote();
    expect(await count(standby.url)).toBe(1);
    await query(standby.url, 'insert into payments values (2)');
    const next = await startStandby(standby, true);
    await query(standby.url, 'insert into payments values (3)');
    await standby.kill();
    await next.promote();
    expect(await count(next.url)).toBe(3);
  });
});
