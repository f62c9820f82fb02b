import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { SystemUser } from './system-user.ts';

/**
 * A temporary folder and the one server that runs in it. Both are removed soon after this process ends, even if it was
 * killed.
 */
export interface ServiceHome {
  readonly folder: string;
  /** Runs a program to its end and returns its output. Rejects with the output when it fails. */
  run(program: string, args: readonly string[]): Promise<string>;
  /** Starts the server; resolves once `ready` returns true, rejects with its log when it ends before. */
  start(program: string, args: readonly string[], options: StartOptions): Promise<void>;
  /** Sends the signal and waits until the server has ended; does nothing without a server. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Ends the server and removes the folder. */
  close(): Promise<void>;
}

interface StartOptions {
  readonly ready: (pid: number) => Promise<boolean>;
  /** Name of the program in its own arguments. */
  readonly argv0?: string;
  /** Text for the standard input of the server. */
  readonly input?: string;
}

export interface HomeOptions {
  /** Prefix of the name of the folder. */
  readonly name: string;
  /** Parent folder. */
  readonly parent: string;
  /** The user that runs the server. */
  readonly user?: SystemUser | undefined;
  /** The signal that ends the server at once; its data may be lost. */
  readonly quit: NodeJS.Signals;
}

// Its input ends when this process ends, even by SIGKILL, or when the home is closed. Each line is the process id of
// the server.
const guardScript = `
while read -r pid; do server=$pid; done
if [ -n "$server" ]; then
  kill -s "$2" "$server"
  tries=0
  while kill -0 "$server" && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
fi
rm -rf -- "$1"`;

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

export const openServiceHome = async ({ name, parent, user, quit }: HomeOptions): Promise<ServiceHome> => {
  const folder = await mkdtemp(join(parent, `${name}-`));
  const guard = spawn('sh', ['-c', guardScript, 'guard', folder, quit.slice('SIG'.length)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(guard, 'spawn');
  guard.unref();
  if (user) await chown(folder, user.uid, user.gid);

  const logFile = join(folder, 'log');
  const readLog = () => readFile(logFile, 'utf8');
  const launch = async (program: string, args: readonly string[], { argv0 = program, input = '' } = {}) => {
    const log = await open(logFile, 'w');
    try {
      const child = spawn(program, args, {
        ...user,
        argv0,
        cwd: folder,
        // No environment variable of the tests (PGDATA, LC_ALL, TZ) may change the server.
        env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
        detached: true,
        stdio: ['pipe', log.fd, log.fd],
      });
      guard.stdin.write(`${child.pid ?? ''}\n`);
      await once(child, 'spawn');
      // A program that ends before it has read its input writes the reason to its log.
      child.stdin?.on('error', () => {}).end(input);
      return child;
    } finally {
      await log.close();
    }
  };
  const ended = async (child: ChildProcess) => {
    child.ref();
    if (!hasEnded(child)) await once(child, 'exit');
    guard.stdin.write('\n');
  };

  let server: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (!server) return;
    server.kill(signal);
    await ended(server);
    server = undefined;
  };
  return {
    folder,
    run: async (program, args) => {
      const child = await launch(program, args);
      await ended(child);
      const log = await readLog();
      if (child.exitCode !== 0) throw new Error(`${program} failed:\n${log}`);
      return log;
    },
    start: async (program, args, { ready, ...how }) => {
      if (guard.stdin.writableEnded) throw new Error('The server was stopped for good.');
      const child = await launch(program, args, how);
      server = child;
      child.unref();
      while (!hasEnded(child)) {
        if (await ready(child.pid ?? 0)) return;
        await after(5);
      }
      throw new Error(`${program} ended before it was ready:\n${await readLog()}`);
    },
    end,
    close: async () => {
      await end(quit);
      guard.ref();
      guard.stdin.end();
      if (!hasEnded(guard)) await once(guard, 'exit');
    },
  };
};
