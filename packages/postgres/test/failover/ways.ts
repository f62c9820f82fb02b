import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Storage } from '@partnerkit/core/adapter';
import { startPgBouncer } from '@partnerkit/workshop/services';
import postgres from 'postgres';
import { onTestFinished } from 'vitest';
import { fromPostgresJs } from '../../src/drivers/postgres-js.ts';
import { fromPg, postgresStorage } from '../../src/index.ts';
import { openPool } from '../support/host-transactions.ts';
import type { Pair } from './pair.ts';
import { poolOverHosts } from './two-hosts.ts';

/** As the documentation says. */
const timeouts = { statement_timeout: 15_000, query_timeout: 30_000, connectionTimeoutMillis: 5_000, keepAlive: true };
const max = 6;

/** How a process of a host finds the primary. */
export interface Way {
  readonly name: string;
  /** Opens the storage of a process. */
  readonly open: (pair: Pair) => Promise<Storage<object>>;
  /** What to install, where it cannot be tried. */
  readonly lacks?: string | undefined;
}

const hasPgBouncer = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].some((folder) =>
  existsSync(join(folder, 'pgbouncer')),
);

export const ways: readonly Way[] = [
  {
    name: 'pg, one address that follows the primary',
    open: async ({ url }) => postgresStorage(openPool({ connectionString: url, max, ...timeouts })),
  },
  {
    name: 'pg, PgBouncer in transaction mode before that address',
    lacks: hasPgBouncer ? undefined : 'PgBouncer is not installed: apt-get install pgbouncer',
    open: async ({ url }) => {
      const bouncer = await startPgBouncer({ server: url });
      onTestFinished(bouncer.stop);
      const pool = openPool({ connectionString: bouncer.urlOf('postgres'), max, query_timeout: 30_000 });
      return postgresStorage(fromPg(pool, { prepare: false, listen: false }));
    },
  },
  {
    name: 'pg, two hosts in turn',
    open: async ({ primary, standby }) => {
      const pool = poolOverHosts([primary.url, standby.url], { max, ...timeouts });
      pool.on('error', () => undefined);
      onTestFinished(() => pool.end());
      return postgresStorage(pool);
    },
  },
  {
    name: 'postgres.js, two hosts with target_session_attrs=read-write',
    open: async ({ primary, standby }) => {
      const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
      const sql = postgres(primary.url.replace(`127.0.0.1:${primary.port}`, hosts), {
        target_session_attrs: 'read-write',
        max,
        connect_timeout: 5,
        onnotice: () => undefined,
      });
      onTestFinished(() => sql.end({ timeout: 5 }));
      return postgresStorage(fromPostgresJs(sql)) as Storage<object>;
    },
  },
];
