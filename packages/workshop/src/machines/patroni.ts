import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { debianPostgres } from '../services/postgres-binaries.ts';
import { startHaProxy } from './haproxy.ts';
import { type Machine, type Machines, type Needs, openMachines } from './machines.ts';

/** What {@link startPatroni} needs. */
export const patroniNeeds: Needs = {
  patroni: 'patroni python3-etcd',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
};

export interface PatroniOptions {
  /** Whether a commit waits for a standby, also when there is none (`synchronous_mode_strict`). @defaultValue false */
  readonly strict?: boolean;
  /** Interface of etcd: Patroni's section `etcd3` or `etcd`. @defaultValue 'etcd3' */
  readonly store?: 'etcd3' | 'etcd';
}

/** Three PostgreSQL servers under Patroni, each on a machine with an etcd of its own, and HAProxy before them. */
export interface Patroni {
  /** URL of the primary, through HAProxy. */
  readonly url: string;
  readonly machines: readonly Machine[];
  /** Resolves to the machine of the primary. */
  leader(): Promise<Machine>;
  /** Resolves once there are one primary, and two standbys that follow it. */
  settled(): Promise<void>;
  /** `patronictl switchover` to another machine. */
  switchover(): Promise<void>;
  /** Starts the programs of a machine that was killed. */
  start(machine: Machine): Promise<void>;
  stop(): Promise<void>;
}

const password = 'partnerkit';
/** In milliseconds. */
const longestSettling = 300_000;

const etcdArgs = ({ name, address, folder }: Machine, all: readonly Machine[], state: 'new' | 'existing') => [
  ...['--name', name, '--data-dir', join(folder, 'etcd'), '--initial-cluster-state', state],
  ...['--listen-peer-urls', `http://${address}:2380`, '--initial-advertise-peer-urls', `http://${address}:2380`],
  ...['--listen-client-urls', `http://${address}:2379`, '--advertise-client-urls', `http://${address}:2379`],
  ...['--initial-cluster', all.map((each) => `${each.name}=http://${each.address}:2380`).join()],
  // Longer than its defaults: a machine that is busy elects no other leader.
  ...['--heartbeat-interval', '500', '--election-timeout', '5000', '--enable-v2=true'],
];

/** JSON is YAML. Times are the defaults of Patroni. */
const configOf = (
  { name, address, folder }: Machine,
  all: readonly Machine[],
  { strict = false, store = 'etcd3' }: PatroniOptions,
) => ({
  scope: 'partnerkit',
  name,
  restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
  [store]: { hosts: all.map((each) => `${each.address}:2379`) },
  bootstrap: {
    dcs: {
      ...{ ttl: 30, loop_wait: 10, retry_timeout: 10, synchronous_mode: strict, synchronous_mode_strict: strict },
      postgresql: {
        use_pg_rewind: true,
        parameters: { max_connections: 200, wal_log_hints: 'on', fsync: 'off', dynamic_shared_memory_type: 'mmap' },
      },
    },
    initdb: ['data-checksums', { encoding: 'UTF8' }],
  },
  postgresql: {
    listen: `${address}:5432`,
    connect_address: `${address}:5432`,
    data_dir: join(folder, 'data'),
    bin_dir: debianPostgres(15),
    pgpass: join(folder, 'pgpass'),
    authentication: Object.fromEntries(
      Object.entries({ superuser: 'postgres', replication: 'replicator', rewind: 'rewinder' }).map(
        ([role, username]) => [role, { username, password }],
      ),
    ),
    parameters: { unix_socket_directories: folder },
    pg_hba: ['local all all trust', 'host all all all scram-sha-256', 'host replication all all scram-sha-256'],
  },
});

/** The settings of the documentation. */
const proxyLines = (all: readonly Machine[]): readonly string[] => [
  'option httpchk OPTIONS /primary',
  'http-check expect status 200',
  'default-server inter 1s fall 3 rise 2 on-marked-down shutdown-sessions',
  ...all.map(({ name, address }) => `server ${name} ${address}:5432 check port 8008`),
];

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

const ask = async ({ address }: Machine, path: string): Promise<Response | undefined> =>
  fetch(`http://${address}:8008/${path}`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);

/** The members of the cluster, as a machine that answers sees them. */
const readMembers = async (all: readonly Machine[]): Promise<readonly Member[]> => {
  for (const machine of all) {
    const answer = await ask(machine, 'cluster');
    if (answer?.ok) return ((await answer.json()) as { members: readonly Member[] }).members;
  }
  return [];
};

const isSettled = (members: readonly Member[], strict: boolean): boolean =>
  members.length === 3 &&
  members.some(({ role }) => role === (strict ? 'sync_standby' : 'replica')) &&
  members.filter(({ role, state }) => role === 'leader' && state === 'running').length === 1 &&
  members.every(({ state }) => ['running', 'streaming'].includes(state)) &&
  new Set(members.map(({ timeline }) => timeline)).size === 1;

/** Starts the cluster. Linux, as root, with what {@link patroniNeeds} names. */
export const startPatroni = async (options: PatroniOptions = {}): Promise<Patroni> => {
  const { machines: all, close }: Machines = await openMachines(3);
  const file = (machine: Machine): string => join(machine.folder, 'patroni.yml');
  const start = async (machine: Machine, state: 'new' | 'existing'): Promise<void> => {
    await machine.start('etcd', 'etcd', etcdArgs(machine, all, state));
    await machine.start('patroni', 'patroni', [file(machine)]);
  };
  const { strict = false } = options;
  const settled = async (): Promise<void> => {
    for (const since = performance.now(); !isSettled(await readMembers(all), strict); ) {
      if (performance.now() - since > longestSettling)
        throw new Error(`The cluster does not settle: ${JSON.stringify(await readMembers(all))}`);
      await after(500);
    }
  };
  const leader = async (): Promise<Machine> => {
    for (;;) {
      for (const machine of all) if ((await ask(machine, 'primary'))?.ok) return machine;
      await after(200);
    }
  };
  try {
    for (const machine of all) await writeFile(file(machine), JSON.stringify(configOf(machine, all, options)));
    for (const machine of all) await start(machine, 'new');
    await settled();
    const proxy = await startHaProxy({ lines: proxyLines(all) });
    // At its start HAProxy takes every server for one that is up, until its checks have failed.
    await after(5_000);
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${proxy.port}/postgres`,
      machines: all,
      leader,
      settled,
      switchover: async () => {
        const from = await leader();
        const args = ['-c', file(from), 'switchover', '--master', from.name, '--force'];
        const printed = await from.run('patronictl', args);
        if ((await leader()) === from) throw new Error(printed);
      },
      start: (machine) => start(machine, 'existing'),
      stop: async () => {
        await proxy.stop();
        await close();
      },
    };
  } catch (cause) {
    await close();
    throw cause;
  }
};
