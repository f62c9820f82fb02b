import { onTestFinished } from 'vitest';
import { type Child, openChildren } from '../../../workshop/src/processes/index.ts';
import type { Answers, Posted, ReceiverTask } from './serve.ts';

/** How many deliveries are with one process at once, at most. */
const inFlight = 32;

/** What becomes of what is sent. */
export interface Outcomes {
  onAnswer(id: number, status: number): void;
  /** Its process was killed, and nobody knows how far it came. */
  onLost(id: number): void;
}

/** Processes with a receiver each, which end with the test. */
export interface Herd {
  /** How many were killed. */
  killed(): number;
  /** Whether there was one with room for it. */
  send(post: Posted): boolean;
  /** Kills the one that has lived longest, like `kill -9`, and starts another. */
  replaceOldest(): void;
  /** Asks them to end. Resolves to what else ended. */
  stop(): Promise<readonly string[]>;
}

/** Starts this many. Each is given the task, and its number. */
export const startHerd = <T extends ReceiverTask>(
  count: number,
  { command, task }: { readonly command: string; readonly task: Omit<T, 'role' | 'nth'> },
  { onAnswer, onLost }: Outcomes,
): Herd => {
  const sentTo = new Map<T, Set<number>>();
  const children = openChildren<T, Answers>({
    command,
    hear: (answers, to) => {
      for (const [id, status] of answers) if (sentTo.get(to)?.delete(id)) onAnswer(id, status);
    },
  });
  onTestFinished(children.killAll);

  const start = (): void => {
    const child = children.start({ ...task, role: 'receiver', nth: sentTo.size } as unknown as T);
    const sent = new Set<number>();
    sentTo.set(child.task, sent);
    void child.ended.then(() => sent.forEach(onLost));
  };
  for (let started = 0; started < count; started++) start();

  let turn = 0;
  return {
    killed: () => children.killed('receiver'),
    send: (post) => {
      const { living } = children;
      for (let tried = 0; tried < living.length; tried++) {
        const child = living[turn++ % living.length] as Child<T>;
        const sent = sentTo.get(child.task);
        if (!sent || sent.size >= inFlight) continue;
        sent.add(post.id);
        child.tell(post);
        return true;
      }
      return false;
    },
    replaceOldest: () => {
      void children.kill('receiver');
      start();
    },
    stop: async () => {
      await Promise.all(children.living.map((child) => child.stop()));
      return children.unexpected;
    },
  };
};
