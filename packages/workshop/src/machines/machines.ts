import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, open } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { promisify } from 'node:util';
import { memoryFolder } from '../services/memory-folder.ts';
import { unprivilegedUser } from '../services/system-user.ts';

const command = promisify(execFile);
/** Runs a program in a network namespace, as a user. */
const enter = 'nsenter';

/** A machine of a cluster: a network namespace with an address of its own, and the processes in it. */
export interface Machine {
  readonly name: string;
  readonly address: string;
  /** Its disk. */
  readonly folder: string;
  /** Runs a program to its end. Resolves to its standard output, rejects when it fails. */
  run(program: string, args: readonly string[]): Promise<string>;
  /** Starts a program, whose output goes to `<title>.log` in the folder. It runs until the machine is killed. */
  start(title: string, program: string, args: readonly string[]): Promise<void>;
  /** Ends every process like `kill -9`. */
  kill(): Promise<void>;
  /** Stops every process; connections stay open. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Cuts the machine off from all others. Its processes go on. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
}

/** Machines that are connected by a network. */
export interface Machines {
  readonly machines: readonly Machine[];
  /** Ends all processes, and removes folders and network. */
  close(): Promise<void>;
}

/** What a cluster needs, by its path, and the Debian package that brings it. */
export type Needs = Readonly<Record<string, string>>;

const canBeFound = (program: string): boolean =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) =>
    existsSync(join(folder, program)),
  );

/** Why machines with these programs cannot be started here; `undefined` where they can. */
export const machinesLack = (needs: Needs): string | undefined => {
  const missing = Object.entries({ ip: 'iproute2', [enter]: 'util-linux', ...needs })
    .filter(([program]) => !(program.startsWith('/') ? existsSync(program) : canBeFound(program)))
    .map(([, debianPackage]) => debianPackage);
  if (missing.length > 0) return `apt-get install ${[...new Set(missing)].join(' ')}`;
  return process.getuid?.() === 0 ? undefined : 'Network namespaces need root.';
};

// Its input ends when this process ends, even by SIGKILL, or when the machines are closed.
const guardScript = `
cat > /dev/null
for n in $2; do
  while pids=$(ip netns pids $1-$n) && [ -n "$pids" ]; do kill -9 $pids; sleep 0.05; done
  ip netns delete $1-$n
done
ip link delete $1
rm -rf -- "$3"`;

/** Starts machines, without programs. Linux, as root. */
export const openMachines = async (count: number): Promise<Machines> => {
  const network = `pk${randomBytes(4).toString('hex')}`;
  const subnet = `10.${randomInt(128, 255)}.${randomInt(1, 255)}`;
  const folder = await mkdtemp(join(await memoryFolder(), 'machines-'));
  const user = await unprivilegedUser();
  const numbers = Array.from({ length: count }, (_, nth) => nth + 1);
  const guard = spawn('sh', ['-c', guardScript, 'guard', network, numbers.join(' '), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  const own = (path: string) => user && chown(path, user.uid, user.gid);
  const ip = (text: string) => command('ip', text.split(' '));
  const close = async (): Promise<void> => {
    guard.ref();
    guard.stdin.end();
    if (guard.exitCode === null) await once(guard, 'exit');
  };

  const openMachine = async (number: number): Promise<Machine> => {
    const [name, address] = [`${network}-${number}`, `${subnet}.${number}`];
    const home = join(folder, String(number));
    await mkdir(home);
    await own(home);
    await ip(`netns add ${name}`);
    await ip(`link add ${name} type veth peer name eth0 netns ${name}`);
    await ip(`link set ${name} master ${network} up`);
    await ip(`-n ${name} address add ${address}/24 dev eth0`);
    for (const device of ['lo', 'eth0']) await ip(`-n ${name} link set ${device} up`);

    const identity = user ? ['-S', String(user.uid), '-G', String(user.gid)] : [];
    const inside = [`--net=/run/netns/${name}`, ...identity];
    const env = { PATH: `${process.env['PATH']}:/usr/sbin:/sbin`, LC_ALL: 'C', TZ: 'UTC', HOME: home, TMPDIR: home };
    const pids = async (): Promise<readonly number[]> =>
      (await ip(`netns pids ${name}`)).stdout.split('\n').filter(Boolean).map(Number);
    const signal = async (which: NodeJS.Signals): Promise<number> => {
      const found = await pids();
      for (const pid of found)
        try {
          process.kill(pid, which);
        } catch {
          // It ended meanwhile.
        }
      return found.length;
    };
    return {
      name: `machine${number}`,
      address,
      folder: home,
      run: async (program, args) => (await command(enter, [...inside, program, ...args], { cwd: home, env })).stdout,
      start: async (title, program, args) => {
        const log = await open(join(home, `${title}.log`), 'a');
        const child = spawn(enter, [...inside, program, ...args], {
          ...{ cwd: home, env, detached: true },
          stdio: ['ignore', log.fd, log.fd],
        });
        await once(child, 'spawn');
        await log.close();
        child.unref();
      },
      kill: async () => {
        while ((await signal('SIGKILL')) > 0) await after(20);
      },
      freeze: async () => {
        // Once more: a process may have started another one.
        for (const _ of [1, 2]) await signal('SIGSTOP');
      },
      thaw: async () => void (await signal('SIGCONT')),
      unplug: async () => void (await ip(`link set ${name} down`)),
      plug: async () => void (await ip(`link set ${name} up`)),
    };
  };

  try {
    await own(folder);
    await ip(`link add ${network} type bridge`);
    await ip(`address add ${subnet}.254/24 dev ${network}`);
    await ip(`link set ${network} up`);
    const machines: Machine[] = [];
    for (const number of numbers) machines.push(await openMachine(number));
    return { machines, close };
  } catch (cause) {
    await close();
    throw cause;
  }
};
