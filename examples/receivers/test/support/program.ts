import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const folder = fileURLToPath(new URL('../../', import.meta.url));

export interface Program {
  readonly url: string;
  /** Its output so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Output of the programs, `php -S` and `socat` once they listen. */
const isReady = (output: string): boolean => /listening on|Development Server .* started/.test(output);

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
};

export type Environment = Readonly<Record<string, string | undefined>>;

const groups = new Set<number>();
const end = (group: number): void => {
  if (groups.delete(group)) process.kill(-group, 'SIGKILL');
};
process.once('exit', () => groups.forEach(end));

/** Runs shell commands in the folder of the receivers. */
export const run = (commands: string, env: Environment = {}) => {
  // A separate process group, to end their children as well: `go run` and a forking socat have some.
  const options = { cwd: folder, detached: true, env: { ...process.env, ...env } };
  const child = spawn('sh', ['-c', commands], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const group = child.pid ?? expect.unreachable('there is a shell');
  groups.add(group);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.once('exit', () => groups.delete(group));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, output: () => output, kill: () => end(group) };
};

/** Starts a receiver on a free port, and resolves once it listens. Retries on another port if this one is taken. */
export const startProgram = async (command: string, env: Environment, tries = 5): Promise<Program> => {
  const port = await freePort();
  const { child, ended, output, kill } = run(command, { ...env, PORT: String(port) });
  const ready = await new Promise<boolean>((resolve) => {
    const look = (): void => {
      if (isReady(output())) resolve(true);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    ended.then(
      () => resolve(false),
      () => resolve(false),
    );
  });
  if (!ready) {
    if (tries > 1 && /in use/i.test(output())) return startProgram(command, env, tries - 1);
    throw new Error(`"${command}" ended before it listened:\n${output()}`);
  }
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    output,
    stop: async () => {
      kill();
      await ended;
    },
  };
};
