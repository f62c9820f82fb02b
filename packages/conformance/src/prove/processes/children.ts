import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** What a process is started with. */
export interface Task {
  readonly role: string;
}

/** A process that was started. */
export interface Child<T extends Task> {
  readonly task: T;
  /** Resolves when it has ended, and its output was read: to its exit code, or `null` after a signal. */
  readonly ended: Promise<number | null>;
  /** Writes a line of JSON to its input. */
  tell(words: unknown): void;
  /** Ends it like `kill -9`, and resolves when its output was read. */
  kill(): Promise<void>;
  /** Asks it to end; resolves when it has. */
  stop(): Promise<void>;
  /** Sends another signal, after which it goes on. */
  signal(name: NodeJS.Signals): void;
}

/** The processes of a platform. */
export interface Children<T extends Task> {
  start(task: T): Child<T>;
  /** Kills the oldest process of a role. */
  kill(role: T['role']): Promise<void>;
  killAll(): Promise<void>;
  /** Those that were neither killed nor stopped, the oldest first. */
  readonly living: readonly Child<T>[];
  /** How many processes of a role were killed, except by {@link Children.killAll}. */
  killed(role: T['role']): number;
  /** Processes that ended by themselves, or badly. */
  readonly unexpected: readonly string[];
}

export interface ChildrenOptions<T extends Task, Said> {
  /** The file that runs a task: its arguments are `child` and the task as JSON. It ends when its input ends. */
  readonly command: string;
  /** Receives each line of JSON that a process wrote. */
  readonly hear: (said: Said, task: T) => void;
  /** Receives what a process wrote to its standard error. @defaultValue that of this process */
  readonly log?: (text: string) => void;
}

/** The line that asks a process to end. No words in JSON are like it. */
export const toStop = 'stop';

const spawnTask = (command: string, task: Task, isLogged: boolean): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, command, 'child', JSON.stringify(task)], {
    // Its input ends with this process, and so does it.
    stdio: ['pipe', 'pipe', isLogged ? 'pipe' : 'inherit'],
  });

export const openChildren = <T extends Task, Said>({ command, hear, log }: ChildrenOptions<T, Said>): Children<T> => {
  const living: Child<T>[] = [];
  const unexpected: string[] = [];
  const killed = new Map<string, number>();

  const start = (task: T): Child<T> => {
    const started = spawnTask(command, task, log !== undefined);
    // After its exit its output may not be read yet.
    const ended = once(started, 'close').then(([code]): number | null => code);
    let ending: 'killed' | 'stopped' | undefined;
    const end = async (how: 'killed' | 'stopped'): Promise<void> => {
      ending = how;
      if (living.includes(child)) living.splice(living.indexOf(child), 1);
      if (how === 'killed') started.kill('SIGKILL');
      // Not a signal: a process that starts would not handle it yet.
      else started.stdin?.write(`${toStop}\n`);
      await ended;
    };
    const child: Child<T> = {
      ...{ task, ended },
      tell: (words) => void started.stdin?.write(`${JSON.stringify(words)}\n`),
      kill: () => end('killed'),
      stop: () => end('stopped'),
      signal: (name) => void started.kill(name),
    };
    living.push(child);
    // It may end before it has read what it is told.
    started.stdin?.on('error', () => undefined);
    if (started.stdout) createInterface({ input: started.stdout }).on('line', (line) => hear(JSON.parse(line), task));
    if (log) started.stderr?.setEncoding('utf8').on('data', log);
    started.on('close', (code, signal) => {
      if (living.includes(child)) living.splice(living.indexOf(child), 1);
      if (ending === 'killed' || (ending === 'stopped' && code === 0)) return;
      unexpected.push(`a ${task.role} ended with ${signal ?? code}`);
    });
    return child;
  };
  return {
    start,
    kill: async (role) => {
      const child = living.find(({ task }) => task.role === role);
      if (!child) return;
      killed.set(role, (killed.get(role) ?? 0) + 1);
      await child.kill();
    },
    killAll: async () => {
      await Promise.all(living.slice().map((child) => child.kill()));
    },
    living,
    killed: (role) => killed.get(role) ?? 0,
    unexpected,
  };
};
