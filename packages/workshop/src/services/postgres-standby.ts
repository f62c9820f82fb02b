import { randomUUID } from 'node:crypto';
import { appendFile, chmod, chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from './databases.ts';
import {
  type PostgresHome,
  type PostgresOptions,
  type PostgresServer,
  servePostgres,
  withPostgresHome,
} from './postgres-server.ts';
import type { SystemUser } from './system-user.ts';

/**
 * Options of a standby.
 * @public
 */
export interface PostgresStandbyOptions extends PostgresOptions {
  /** The server that it follows. Its data must be on this machine. */
  readonly of: Pick<PostgresServer, 'url'>;
  /**
   * Whether each commit of that server waits for this standby (`synchronous_standby_names`). @defaultValue false
   */
  readonly synchronous?: boolean;
}

/**
 * A started standby: a server that can be read, and follows another one.
 * @public
 */
export interface PostgresStandby extends PostgresServer {
  /** Ends the replication, and makes this server a primary. Resolves when it accepts writes. */
  promote(): Promise<void>;
}

/** A running server empties or replaces these, or they belong to the original alone. */
const notCopied = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_notify']);

const isGone = (cause: NodeJS.ErrnoException): void => {
  if (cause.code !== 'ENOENT') throw cause;
};

/** Copies a folder in which a server works: files may vanish meanwhile, and the replayed log repairs the others. */
const copyFolder = async (from: string, to: string, user: SystemUser | undefined): Promise<void> => {
  const own = async (path: string, mode: number): Promise<void> => {
    await chmod(path, mode);
    if (user) await chown(path, user.uid, user.gid);
  };
  await mkdir(to);
  await own(to, 0o700);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (notCopied.has(entry.name)) {
      if (!entry.isDirectory()) continue;
      await mkdir(target);
      await own(target, 0o700);
    } else if (entry.isDirectory()) await copyFolder(source, target, user).catch(isGone);
    else await copyFile(source, target).then(() => own(target, 0o600), isGone);
  }
};

/** A base backup (continuous archiving, "low level API") that streams the rest of the log through a slot. */
const copyServer = async (primary: Client, name: string, url: string, { data: to, user }: PostgresHome) => {
  const { hostname, port, username, password } = new URL(url);
  await primary.query('select pg_create_physical_replication_slot($1, true)', [name]);
  await primary.query('select pg_backup_start($1, true)', [name]);
  const { rows } = await primary.query('show data_directory');
  await copyFolder(rows[0].data_directory, to, user);
  const stopped = await primary.query('select labelfile from pg_backup_stop(false)');
  const files = { backup_label: stopped.rows[0].labelfile, 'standby.signal': '' };
  for (const [file, text] of Object.entries(files)) {
    await writeFile(join(to, file), text);
    if (user) await chown(join(to, file), user.uid, user.gid);
  }
  const connection = `host=${hostname} port=${port} user=${username} password=${password} application_name=${name}`;
  await appendFile(
    join(to, 'postgresql.auto.conf'),
    `primary_conninfo = '${connection}'\nprimary_slot_name = '${name}'\nsynchronous_standby_names = ''\n`,
  );
};

/** Resolves once the primary streams to the standby, and waits for it if it is synchronous. */
const untilFollowed = async (primary: Client, name: string, states: readonly string[]): Promise<void> => {
  const text = 'select from pg_stat_replication where application_name = $1 and sync_state = any ($2)';
  while ((await primary.query(`${text} and state = 'streaming'`, [name, states])).rowCount === 0) await after(10);
};

/**
 * Starts a standby of a server that {@link startPostgres} started, by streaming replication. It stops as that one does.
 * Needs the package `pg` and PostgreSQL 15.
 * @example
 * const primary = await startPostgres();
 * const standby = await startPostgresStandby({ of: primary, synchronous: true });
 * await primary.kill();
 * await standby.promote();
 * await standby.stop();
 * await primary.stop();
 * @public
 */
export const startPostgresStandby = ({
  of: { url },
  synchronous = false,
  ...options
}: PostgresStandbyOptions): Promise<PostgresStandby> =>
  withPostgresHome(options, async (opened) => {
    const name = `standby_${randomUUID().replaceAll('-', '')}`;
    const server = await withClient(url, async (primary) => {
      await copyServer(primary, name, url, opened);
      const standby = await servePostgres(opened, options.settings, new URL(url).password);
      await untilFollowed(primary, name, ['async', 'sync', 'quorum']);
      if (synchronous) {
        await primary.query(`alter system set synchronous_standby_names = '${name}'`);
        await primary.query('select pg_reload_conf()');
        await untilFollowed(primary, name, ['sync']);
      }
      return standby;
    });
    const promote = async (): Promise<void> => {
      await withClient(server.url, (client) => client.query('select pg_promote(true, 600)'));
    };
    return { ...server, promote };
  });
