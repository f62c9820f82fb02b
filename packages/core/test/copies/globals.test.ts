import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

// A thread has globals of its own.
const run = async (changed: 'nothing' | 'Promise' | 'prototypes'): Promise<unknown> => {
  const file = new URL('globals-host.ts', import.meta.url);
  const worker = new Worker(file, { workerData: changed, execArgv: ['--conditions=source'] });
  const [told] = await once(worker, 'message');
  await worker.terminate();
  return told;
};

it.each(['nothing', 'Promise', 'prototypes'] as const)(
  'a platform in a process where others have changed %s works as in any other',
  async (changed) => {
    expect(await run(changed)).toEqual({
      isChanged: changed !== 'nothing',
      login: 200,
      calls: [200, 200, 200],
      requests: [201, 200, 200],
      written: 'string',
      unknown: [{ pointer: '/nmae', detail: 'no such field.' }],
      strict: undefined,
      sent: 1,
      unhandled: [],
    });
  },
);
