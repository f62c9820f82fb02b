import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { startHaProxy } from './haproxy.ts';
import { type Machine, type Machines, type Needs, openMachines } from './machines.ts';

const provider = '/usr/lib/galera/libgalera_smm.so';

/** What {@link startGalera} needs. */
export const galeraNeeds: Needs = {
  mariadbd: 'mariadb-server',
  'mariadb-install-db': 'mariadb-server',
  mariadb: 'mariadb-client',
  [provider]: 'galera-4',
  rsync: 'rsync',
  haproxy: 'haproxy',
};

/** Three MariaDB servers of a Galera cluster, each on a machine of its own, and HAProxy before them. */
export interface Galera {
  /** URL of the first server that is up, through HAProxy. */
  readonly url: string;
  /** The first one takes the writes while it is up. */
  readonly machines: readonly [Machine, ...Machine[]];
  /** Starts the server of a machine that was killed. */
  start(machine: Machine): Promise<void>;
  /** Resolves once every server is in the cluster, and takes statements. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const password = 'partnerkit';

const serverArgs = ({ address, name, folder }: Machine, all: readonly Machine[]): readonly string[] => [
  '--no-defaults',
  ...[`--datadir=${join(folder, 'data')}`, `--socket=${join(folder, 'socket')}`, '--skip-name-resolve'],
  ...[`--bind-address=${address}`, '--max-connections=400', '--innodb-flush-log-at-trx-commit=2'],
  ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', '--wsrep-on=ON', `--wsrep-provider=${provider}`],
  ...[`--wsrep-cluster-address=gcomm://${all.map((each) => each.address).join()}`, '--wsrep-sst-method=rsync'],
  ...[`--wsrep-node-address=${address}`, `--wsrep-node-name=${name}`, '--wsrep-sync-wait=1'],
];

/** The settings of the documentation: one server at a time. */
const proxyLines = (all: readonly Machine[]): readonly string[] => [
  'default-server inter 2s fall 2 rise 2 on-marked-down shutdown-sessions on-marked-up shutdown-backup-sessions',
  ...all.map(({ name, address }, nth) => `server ${name} ${address}:3306 check${nth === 0 ? '' : ' backup'}`),
];

/** A node that is not in the cluster accepts connections, and refuses statements. */
const check = `PATH=/usr/bin:/bin
mariadb --no-defaults -h "$HAPROXY_SERVER_ADDR" -u haproxy -N -e "show status like 'wsrep_ready'" | grep -q ON`;

/** Starts the cluster. Linux, as root, with what {@link galeraNeeds} names. */
export const startGalera = async (): Promise<Galera> => {
  const { machines: all, close }: Machines = await openMachines(3);
  const start = (machine: Machine, ...more: readonly string[]) =>
    machine.start('mariadb', 'mariadbd', [...serverArgs(machine, all), ...more]);
  /** Servers in the cluster, as one that takes statements sees them. */
  const sizeOf = async (machine: Machine): Promise<number> => {
    const login = ['--no-defaults', '-h', machine.address, '-u', 'partnerkit', `-p${password}`];
    const text = "show status like 'wsrep_cluster_size'; select 1 from mysql.user limit 1";
    const found = await machine.run('mariadb', [...login, '-N', '-e', text]).catch(() => '');
    return Number(/\d+/.exec(found)?.[0] ?? 0);
  };
  const untilIn = async (machine: Machine, size: number): Promise<void> => {
    for (let tries = 0; (await sizeOf(machine)) < size; tries++) {
      if (tries === 600) throw new Error('A server of the cluster does not start.');
      await after(200);
    }
  };
  const settled = async (): Promise<void> => {
    for (const machine of all) await untilIn(machine, all.length);
  };
  const [first, ...others] = all as readonly [Machine, ...Machine[]];
  try {
    const users = join(first.folder, 'users.sql');
    await writeFile(
      users,
      `create user if not exists partnerkit@'%' identified by '${password}';
      grant all on *.* to partnerkit@'%' with grant option;
      create user if not exists haproxy@'%';`,
    );
    await first.run('mariadb-install-db', [
      ...['--no-defaults', `--datadir=${join(first.folder, 'data')}`, '--skip-test-db'],
      '--auth-root-authentication-method=normal',
    ]);
    await start(first, '--wsrep-new-cluster', `--init-file=${users}`);
    await untilIn(first, 1);
    for (const machine of others) {
      await machine.run('mkdir', ['data']);
      await start(machine);
    }
    await settled();
    const proxy = await startHaProxy({ lines: proxyLines(all), check });
    return {
      url: `mysql://partnerkit:${password}@127.0.0.1:${proxy.port}`,
      machines: [first, ...others],
      start,
      settled,
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
