import { chown, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accepts, onFreePort } from '../services/free-port.ts';
import { findProgram } from '../services/program.ts';
import { openServiceHome } from '../services/service-home.ts';
import { unprivilegedUser } from '../services/system-user.ts';

/** A started HAProxy. */
export interface HaProxy {
  /** Port on 127.0.0.1. */
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts HAProxy on a free port, in front of servers. `lines`: of its section `listen`, beside `bind`. */
export const startHaProxy = async (lines: readonly string[]): Promise<HaProxy> => {
  const program = await findProgram({
    ...{ title: 'HAProxy', names: ['haproxy'], debianPackage: 'haproxy', installed: '/usr/sbin/haproxy' },
    install: false,
  });
  const user = await unprivilegedUser();
  const home = await openServiceHome({ name: 'haproxy', parent: tmpdir(), user, quit: 'SIGKILL' });
  const file = join(home.folder, 'haproxy.cfg');
  const start = async (port: number): Promise<void> => {
    const text = [
      'defaults',
      '  mode tcp',
      '  timeout connect 4s',
      '  timeout client 30m',
      '  timeout server 30m',
      '  timeout check 2s',
      'listen primary',
      `  bind 127.0.0.1:${port}`,
      ...lines.map((line) => `  ${line}`),
    ];
    await writeFile(file, `${text.join('\n')}\n`);
    if (user) await chown(file, user.uid, user.gid);
    await home.start(program, ['-db', '-f', file], { ready: () => accepts(port) });
  };
  try {
    return { port: await onFreePort(start), stop: home.close };
  } catch (cause) {
    await home.close();
    throw cause;
  }
};
