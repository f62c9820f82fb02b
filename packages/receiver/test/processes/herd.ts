import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { Posted } from './serve.ts';

/** So many are with one process at once, at most. */
const inFlight = 32;

/** What becomes of what is sent. */
export interface Outcomes {
  onAnswer(id: number, status: number): void;
  /** Its process died of SIGKILL, and nobody knows how far it came. */
  onLost(id: number): void;
}

interface Living {
  readonly child: ChildProcess;
  readonly sent: Set<number>;
}

/** Processes with a receiver each, which end with the test. */
export interface Herd {
  /** The names of those that were killed. */
  readonly killed: ReadonlySet<string>;
  /** Whether there was one with room for it. */
  send(post: Posted): boolean;
  /** Kills the one that has lived longest, like `kill -9`, and starts another. */
  replaceOldest(): void;
  /** Lets them end. Resolves to their exit codes. */
  stop(): Promise<readonly unknown[]>;
}

/** Starts so many. Each is given `args`, and its own name. */
export const startHerd = (
  count: number,
  script: string,
  args: readonly string[],
  { onAnswer, onLost }: Outcomes,
): Herd => {
  const living = new Map<string, Living>();
  const killed = new Set<string>();
  onTestFinished(() => {
    for (const { child } of living.values()) child.kill('SIGKILL');
  });

  const start = (): void => {
    const name = String(living.size + killed.size);
    const child = spawn(process.execPath, ['--conditions=source', script, ...args, name], {
      stdio: ['pipe', 'pipe', 'inherit'],
      // Where Node.js has it by default: most of a start is compiling.
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    });
    const sent = new Set<number>();
    // What was written to one that is dead is lost like everything else it had.
    child.stdin.on('error', () => {});
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [id, status] = line.split(' ').map(Number) as [number, number];
      // The last line of one that was killed may be half a line.
      if (status >= 100 && sent.delete(id)) onAnswer(id, status);
    });
    child.on('close', () => {
      for (const id of sent) onLost(id);
    });
    living.set(name, { child, sent });
  };
  for (let started = 0; started < count; started++) start();

  let turn = 0;
  return {
    killed,
    send: (post) => {
      const all = [...living.values()];
      for (let tried = 0; tried < all.length; tried++) {
        const { child, sent } = all[turn++ % all.length] as Living;
        if (sent.size >= inFlight) continue;
        sent.add(post.id);
        // What is sent in one turn is written at once.
        child.stdin?.cork();
        setImmediate(() => child.stdin?.uncork());
        child.stdin?.write(`${JSON.stringify(post)}\n`);
        return true;
      }
      return false;
    },
    replaceOldest: () => {
      const [oldest] = living;
      if (!oldest) return;
      const [name, { child }] = oldest;
      child.kill('SIGKILL');
      living.delete(name);
      killed.add(name);
      start();
    },
    stop: () =>
      Promise.all(
        [...living.values()].map(async ({ child }) => {
          const closed = once(child, 'close');
          child.stdin?.end();
          const [code] = await closed;
          return code;
        }),
      ),
  };
};
