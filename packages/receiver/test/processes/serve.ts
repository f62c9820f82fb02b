// What runs in the processes of a herd.
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import type { Receiver } from '../../src/index.ts';

/** A delivery, as it is written to the input of a process: in a line of its own. */
export interface Posted {
  readonly id: number;
  readonly signature: string;
  readonly body: string;
}

/** Hands what comes in to a receiver, and writes out `id status` for each. Resolves when the input ends. */
export const serve = async ({ handle }: Receiver): Promise<void> => {
  let answers = '';
  const flush = (): void => {
    process.stdout.write(answers);
    answers = '';
  };
  const answer = (line: string): void => {
    if (answers === '') setImmediate(flush);
    answers += line;
  };
  const lines = createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    const { id, signature, body }: Posted = JSON.parse(line);
    const headers = { 'x-webhook-signature': signature };
    const { status } = await handle({ method: 'POST', target: '/webhooks', headers, body: Buffer.from(body) });
    answer(`${id} ${status}\n`);
  });
  // One that is killed writes nothing when it ends.
  flushCompileCache();
  await once(lines, 'close');
};
