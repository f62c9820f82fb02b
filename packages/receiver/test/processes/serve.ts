// What runs in the processes of a herd.
import { flushCompileCache } from 'node:module';
import { readTask, say, type Task, untilStopped } from '../../../workshop/src/processes/index.ts';
import type { Receiver } from '../../src/index.ts';

/** What a process with a receiver is given. */
export interface ReceiverTask extends Task {
  readonly role: 'receiver';
  /** Unique among all that were started, counted from 0. */
  readonly nth: number;
  /** Where its store is. */
  readonly url: string;
}

/** A delivery that a process is told. */
export interface Posted {
  readonly id: number;
  readonly signature: string;
  readonly body: string;
}

/** What a process answers: ids of deliveries, each with its status. */
export type Answers = readonly (readonly [id: number, status: number])[];

/** Hands each delivery to the receiver that the task opens, and says its status. Resolves when it is asked to end. */
export const serve = async <T extends ReceiverTask>(
  open: (task: T) => Promise<{ readonly receiver: Receiver; close(): Promise<void> }>,
): Promise<void> => {
  let answers: [number, number][] = [];
  const flush = (): void => {
    say(answers);
    answers = [];
  };
  const task = readTask<T, Posted>(async ({ id, signature, body }) => {
    const { receiver } = await opened;
    const headers = { 'x-webhook-signature': signature };
    const { status } = await receiver.handle({ method: 'POST', target: '/webhooks', headers, body: Buffer.from(body) });
    // Those of one turn are written at once.
    if (answers.length === 0) setImmediate(flush);
    answers.push([id, status]);
  });
  const opened = open(task);
  const { close } = await opened;
  // One that is killed writes nothing when it ends.
  flushCompileCache();
  await untilStopped();
  await close();
};
