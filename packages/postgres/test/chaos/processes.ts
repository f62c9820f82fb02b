import { fileURLToPath } from 'node:url';
import { type Child, openChildren } from '../../../workshop/src/processes/index.ts';
import type { Report, WorkerTask } from './reports.ts';

const command = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

/** A process with a worker. */
export interface WorkerProcess {
  readonly child: Child<WorkerTask>;
  state: 'starting' | 'running' | 'stopped' | 'cut_off';
  /** Under which ids its worker joined, the last one last. */
  readonly workerIds: string[];
}

/** What became of the worker that joined under an id. */
export interface WorkerEnd {
  /** Its process was killed. */
  isKilled: boolean;
  /** Its process was stopped while it had this id. */
  isStopped: boolean;
  /** It left. */
  hasLeft: boolean;
  /** It could not leave: the storage failed. */
  couldNotLeave: boolean;
  /** It was fenced, and had not renewed its lease for so long by its own clock. */
  unrenewedFor: number | undefined;
}

/** The processes of a platform. */
export interface Processes {
  start(): void;
  /** Those with a worker that has joined and runs. */
  running(): readonly WorkerProcess[];
  /** How many run or start. */
  count(): number;
  /** Ends a process like `kill -9`. */
  kill(process: WorkerProcess): void;
  /** Stops a process where it is. */
  stop(process: WorkerProcess): void;
  /** Lets nothing of a process reach the database any more. */
  cutOff(process: WorkerProcess): void;
  /** Ends whichever of these two it was. */
  goOn(process: WorkerProcess): void;
  /** Asks a process to end; resolves when it has. */
  terminate(process: WorkerProcess): Promise<void>;
  /** Asks all to end. */
  terminateAll(): Promise<void>;
  killAll(): Promise<void>;
  readonly ends: ReadonlyMap<string, WorkerEnd>;
  /** What nobody asked for: processes that ended by themselves, and what else went wrong. */
  readonly unexpected: readonly string[];
  /** How often each error was reported. */
  readonly errors: ReadonlyMap<string, number>;
}

export const openProcesses = (place: Omit<WorkerTask, 'role'>): Processes => {
  const started = new Map<WorkerTask, WorkerProcess>();
  const ends = new Map<string, WorkerEnd>();
  const unexpected: string[] = [];
  const errors = new Map<string, number>();
  const dying: Promise<void>[] = [];

  const hear = (process: WorkerProcess, said: Report): void => {
    if (said.kind === 'error') {
      errors.set(said.message, (errors.get(said.message) ?? 0) + 1);
      return;
    }
    const { workerId } = said;
    if (said.kind === 'joining') {
      process.workerIds.push(workerId);
      const isStopped = process.state === 'stopped';
      const end = { isKilled: false, isStopped, hasLeft: false, couldNotLeave: false, unrenewedFor: undefined };
      ends.set(workerId, end);
      if (process.state === 'starting') process.state = 'running';
      return;
    }
    const end = ends.get(workerId);
    if (!end) unexpected.push(`${workerId} ${said.kind}, and never joined`);
    else if (said.kind === 'left') end.hasLeft = true;
    else if (said.kind === 'not_left') end.couldNotLeave = true;
    else if (said.kind === 'fenced') end.unrenewedFor ??= said.unrenewedFor;
  };

  /** What became of the worker as it is now. */
  const note = ({ workerIds }: WorkerProcess, what: 'isKilled' | 'isStopped'): void => {
    const end = ends.get(workerIds.at(-1) ?? '');
    if (end) end[what] = true;
  };

  const children = openChildren<WorkerTask, Report>({
    command,
    hear: (said, task) => hear(started.get(task) as WorkerProcess, said),
  });
  const living = (): readonly WorkerProcess[] => children.living.map(({ task }) => started.get(task) as WorkerProcess);

  const terminate = (process: WorkerProcess): Promise<void> => process.child.stop();

  return {
    start: () => {
      const child = children.start({ role: 'worker', ...place });
      started.set(child.task, { child, state: 'starting', workerIds: [] });
    },
    running: () => living().filter(({ state }) => state === 'running'),
    count: () => living().filter(({ state }) => state === 'running' || state === 'starting').length,
    kill: (process) => {
      note(process, 'isKilled');
      // It may have joined anew before it died.
      dying.push(process.child.kill().then(() => note(process, 'isKilled')));
    },
    stop: (process) => {
      process.state = 'stopped';
      note(process, 'isStopped');
      process.child.signal('SIGSTOP');
    },
    cutOff: (process) => {
      process.state = 'cut_off';
      process.child.signal('SIGUSR2');
    },
    goOn: (process) => {
      process.child.signal(process.state === 'stopped' ? 'SIGCONT' : 'SIGUSR2');
      process.state = 'running';
    },
    terminate,
    terminateAll: async () => {
      await Promise.all([...dying, ...living().map(terminate)]);
    },
    killAll: children.killAll,
    ends,
    get unexpected() {
      return [...unexpected, ...children.unexpected];
    },
    errors,
  };
};
