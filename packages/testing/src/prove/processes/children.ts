import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ChildTask, SaidTransaction } from './child.ts';

/** The processes of a platform. @internal */
export interface Children {
  start(task: ChildTask): void;
  /** Ends the oldest process of a role like `kill -9`, and resolves when its output was read. */
  kill(role: ChildTask['role']): Promise<void>;
  killAll(): Promise<void>;
  /** The transactions of all publishers, in order; one that was open when its process was killed stays open. */
  readonly transactions: readonly SaidTransaction[];
  /** How many processes of a role were killed by {@link Children.kill}. */
  killed(role: ChildTask['role']): number;
  /** Processes that ended by themselves. */
  readonly unexpected: readonly string[];
}

interface Child {
  readonly role: ChildTask['role'];
  readonly process: ChildProcess;
  readonly closed: Promise<unknown>;
  isKilled: boolean;
}

/** @param command - The file that runs {@link ChildTask}s, given as JSON. @internal */
export const openChildren = (command: string): Children => {
  const living: Child[] = [];
  const transactions: SaidTransaction[] = [];
  const unexpected: string[] = [];
  const killed = { worker: 0, publisher: 0 };

  const hear = (said: SaidTransaction): void => {
    // A publisher ends what it began last.
    if (said.end === 'open') transactions.push(said);
    else transactions[transactions.length - 1] = said;
  };
  const end = async (child: Child): Promise<void> => {
    child.isKilled = true;
    child.process.kill('SIGKILL');
    await child.closed;
  };
  return {
    start: (task) => {
      const started = spawn(process.execPath, [...process.execArgv, command, 'child', JSON.stringify(task)], {
        // Its input ends with this process, and so does it.
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const child: Child = {
        role: task.role,
        process: started,
        // After its exit its output may not be read yet.
        closed: once(started, 'close'),
        isKilled: false,
      };
      living.push(child);
      createInterface({ input: started.stdout }).on('line', (line) => hear(JSON.parse(line)));
      started.on('close', (code, signal) => {
        living.splice(living.indexOf(child), 1);
        if (!child.isKilled) unexpected.push(`a ${task.role} ended with ${signal ?? code}`);
      });
    },
    kill: async (role) => {
      const child = living.find((each) => each.role === role && !each.isKilled);
      if (!child) return;
      killed[role]++;
      await end(child);
    },
    killAll: async () => {
      await Promise.all(living.map(end));
    },
    transactions,
    killed: (role) => killed[role],
    unexpected,
  };
};
