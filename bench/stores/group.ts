import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@partnerkit/core/adapter';
import { memorySender } from '@partnerkit/core/memory';
import { migrate as migrateMysql, mysqlStorage } from '@partnerkit/mysql';
import { migrate as migratePostgres, postgresStorage } from '@partnerkit/postgres';
import { sqliteStorage } from '@partnerkit/sqlite';
import { createDatabase, sharedMariadb, startPostgres } from '@partnerkit/workshop/services';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import { compared, inTurns, type Line, type Side } from '../measure.ts';
import { memoryHost } from '../memory-host.ts';
import { expectCount, metered, rateOf } from '../meter.ts';
import { eventAt } from '../postgres/load.ts';
import { settings } from '../postgres/servers.ts';
import type { Sized } from '../sizes.ts';

/** An empty storage on a disk, where each commit waits for it. */
interface Opened {
  readonly storage: Storage<object>;
  close(): Promise<void>;
}

const publishers = 16;
const accounts = 8;

const openPostgres = async (server: { readonly url: string }): Promise<Opened> => {
  const { url, drop } = await createDatabase(server);
  const pool = new pg.Pool({ connectionString: url, max: publishers + 4 });
  await migratePostgres(pool);
  return {
    storage: postgresStorage(pool) as Storage<object>,
    close: async () => {
      await pool.end();
      await drop();
    },
  };
};

const openMariadb = async (server: { readonly url: string }): Promise<Opened> => {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  const admin = createPool({ uri: server.url, connectionLimit: 1 });
  await admin.query(`create database ${name}`);
  const address = new URL(server.url);
  address.pathname = name;
  const pool = createPool({ uri: address.href, connectionLimit: publishers + 4 });
  await migrateMysql(pool);
  return {
    storage: mysqlStorage(pool) as Storage<object>,
    close: async () => {
      await pool.end();
      await admin.query(`drop database ${name}`);
      await admin.end();
    },
  };
};

const openSqlite = async (): Promise<Opened> => {
  const folder = await mkdtemp(join(tmpdir(), 'partnerkit-bench-'));
  const storage = sqliteStorage(join(folder, 'bench.db'));
  return {
    storage: storage as Storage<object>,
    close: async () => {
      storage.close();
      await rm(folder, { recursive: true });
    },
  };
};

const hostOn = async ({ storage }: Opened) => {
  const sender = memorySender();
  const host = memoryHost(sender, { storage: storage as never });
  for (let account = 0; account < accounts; account++)
    await host.createEndpoint(`acc_${account}`, `https://partner.example/${account}`);
  let published = 0;
  const publishOne = async (): Promise<void> => {
    const nth = published++;
    const event = { ...eventAt(nth), accountId: `acc_${nth % accounts}`, type: 'payed' } as const;
    await host.kit.events.publish(event, { tx: 'new' });
  };
  const publish = async (count: number): Promise<void> => {
    const end = published + count;
    const all = Array.from({ length: publishers }, async () => {
      while (published < end) await publishOne();
    });
    await Promise.all(all);
  };
  return { ...host, publish, sent: () => sender.posts.length };
};

/** Publishes, each event in a transaction of its own. */
const publishing =
  (count: number, open: () => Promise<Opened>): Side =>
  async () => {
    const opened = await open();
    try {
      const { publish, waiting } = await hostOn(opened);
      await publish(publishers);
      const sample = await metered(() => rateOf(count, () => publish(count)));
      expectCount('Published events', await waiting(), publishers + count);
      return sample;
    } finally {
      await opened.close();
    }
  };

/** Delivers what was published, to a sender that answers at once. */
const delivering =
  (count: number, open: () => Promise<Opened>): Side =>
  async () => {
    const opened = await open();
    try {
      const { publish, deliver, sent } = await hostOn(opened);
      await publish(count);
      const sample = await metered(() => rateOf(count, deliver));
      expectCount('Deliveries', sent(), count);
      return sample;
    } finally {
      await opened.close();
    }
  };

/** Publish and delivery on each storage, compared with PostgreSQL. Commits wait for the disk. */
export async function* stores(sized: Sized): AsyncGenerator<Line> {
  const postgres = await startPostgres({ folder: tmpdir(), settings });
  const mariadb = await sharedMariadb({
    folder: tmpdir(),
    settings: { 'innodb-flush-log-at-trx-commit': '1', 'innodb-buffer-pool-size': '256M' },
  });
  if (!mariadb)
    console.error('MariaDB is not installed: it is not measured. Install mariadb-server, or set MYSQL_URL.');
  const [count, rounds] = [sized(2_000, 32), sized(5, 1)];
  try {
    for (const [name, sideOf] of [
      ['publish', publishing],
      ['deliver', delivering],
    ] as const) {
      const sides = {
        postgres: sideOf(count, () => openPostgres(postgres)),
        sqlite: sideOf(count, openSqlite),
        ...(mariadb ? { mariadb: sideOf(count, () => openMariadb(mariadb)) } : {}),
      };
      const samples = await inTurns<string>(sides, rounds);
      const others = samples['postgres'] ?? [];
      yield compared(`${name} on SQLite`, samples['sqlite'] ?? [], 'PostgreSQL', others);
      if (samples['mariadb']) yield compared(`${name} on MariaDB`, samples['mariadb'], 'PostgreSQL', others);
    }
  } finally {
    await Promise.all([postgres.stop(), mariadb?.stop()]);
  }
}
