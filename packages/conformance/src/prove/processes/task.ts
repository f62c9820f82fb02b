import { createInterface } from 'node:readline';
import { type Task, toStop } from './children.ts';

let stop = (): void => {};
const stopped = new Promise<void>((resolve) => {
  stop = resolve;
});

/**
 * The task of this process, which another one started. It ends when its parent does.
 * @param hear - Receives what the parent tells it. Default: ignores it.
 */
export const readTask = <T extends Task, Told = unknown>(hear: (told: Told) => void = () => {}): T => {
  createInterface({ input: process.stdin })
    .on('line', (line) => (line === toStop ? stop() : hear(JSON.parse(line))))
    .on('close', () => process.exit(1));
  return JSON.parse(process.argv[3] ?? '');
};

/** Writes what the parent hears, before it goes on: what a process said is read even if it is killed then. */
export const say = (said: unknown): void => void process.stdout.write(`${JSON.stringify(said)}\n`);

/** Resolves when the parent asks this process to end. It then ends by itself, once nothing is open. */
export const untilStopped = async (): Promise<void> => {
  await stopped;
  process.stdin.unref();
};
