import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Processes with a worker each. */
export interface WorkerHerd {
  /** The names of those that were killed. */
  readonly killed: ReadonlySet<string>;
  start(): void;
  /** Kills the one that has lived longest, like `kill -9`, and starts another. */
  replaceOldest(): void;
  /** Lets the living end what they do. Resolves to their exit codes. */
  stop(): Promise<readonly unknown[]>;
}

export const openHerd = (script: string, args: readonly string[]): WorkerHerd => {
  const living = new Map<string, ChildProcess>();
  const killed = new Set<string>();
  onTestFinished(() => {
    for (const child of living.values()) child.kill('SIGKILL');
  });
  const start = (): void => {
    const name = `worker-${living.size + killed.size}`;
    const given = ['--conditions=source', script, ...args, name];
    living.set(
      name,
      spawn(process.execPath, given, {
        stdio: ['pipe', 'ignore', 'inherit'],
      }),
    );
  };
  return {
    killed,
    start,
    replaceOldest: () => {
      const [oldest] = living;
      if (!oldest) return;
      const [name, child] = oldest;
      child.kill('SIGKILL');
      living.delete(name);
      killed.add(name);
      start();
    },
    stop: () =>
      Promise.all(
        [...living.values()].map(async (child) => {
          const exit = once(child, 'exit');
          child.stdin?.end();
          const [code] = await exit;
          return code;
        }),
      ),
  };
};
