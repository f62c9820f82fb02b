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

export interface HaProxyOptions {
  /** Of its section `listen`, beside `bind`. */
  readonly lines: readonly string[];
  /** A script that ends with 0 when the server of `HAPROXY_SERVER_ADDR` is up. @defaultValue none */
  readonly check?: string;
}

/** Starts HAProxy on a free port, in front of servers. */
export const startHaProxy = async ({ lines, check }: HaProxyOptions): Promise<HaProxy> => {
  const program = await findProgram({
    ...{ title: 'HAProxy', names: ['haproxy'], debianPackage: 'haproxy', installed: '/usr/sbin/haproxy' },
    install: false,
  });
  const user = await unprivilegedUser();
  const home = await openServiceHome({ name: 'haproxy', parent: tmpdir(), user, quit: 'SIGKILL' });
  const file = join(home.folder, 'haproxy.cfg');
  const script = join(home.folder, 'check');
  const start = async (port: number): Promise<void> => {
    const text = [
      ...(check === undefined ? [] : ['global', '  external-check', '  insecure-fork-wanted']),
      'defaults',
      '  mode tcp',
      '  timeout connect 4s',
      '  timeout client 30m',
      '  timeout server 30m',
      '  timeout check 2s',
      'listen primary',
      `  bind 127.0.0.1:${port}`,
      ...(check === undefined ? [] : ['  option external-check', `  external-check command ${script}`]),
      ...lines.map((line) => `  ${line}`),
    ];
    await writeFile(script, `#!/bin/sh\n${check}\n`, { mode: 0o755 });
    await writeFile(file, `${text.join('\n')}\n`);
    if (user) for (const each of [file, script]) await chown(each, user.uid, user.gid);
    await home.start(program, ['-db', '-f', file], { ready: () => accepts(port) });
  };
  try {
    return { port: await onFreePort(start), stop: home.close };
  } catch (cause) {
    await home.close();
    throw cause;
  }
};
