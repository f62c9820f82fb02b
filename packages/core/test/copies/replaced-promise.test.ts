import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

// A thread has globals of its own.
const run = async (promise: 'native' | 'replaced'): Promise<unknown> => {
  const file = new URL('replaced-promise-host.ts', import.meta.url);
  const worker = new Worker(file, { workerData: promise, execArgv: ['--conditions=source'] });
  const [told] = await once(worker, 'message');
  await worker.terminate();
  return told;
};

it.each([
  ['native', false],
  ['replaced', true],
] as const)(
  'a platform whose global Promise is %s logs in, answers each call, sends, and survives its listeners',
  async (promise, isReplaced) => {
    expect(await run(promise)).toEqual({ isReplaced, login: 200, calls: [200, 200, 200], sent: 1, unhandled: [] });
  },
);
