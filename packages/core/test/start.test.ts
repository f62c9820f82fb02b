import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Loads an entry in a process of its own. Resolves to the number of schemas and checks that zod built meanwhile. */
const schemasOf = async (entry: string): Promise<unknown> => {
  const child = fork(fileURLToPath(new URL('support/count-schemas.mjs', import.meta.url)), [entry], {
    execArgv: ['--conditions=source'],
  });
  const [count] = await once(child, 'message');
  return count;
};

test.each(['index', 'adapter', 'wire', 'memory'])(
  'loading the entry %s, and making a kit of it, builds no schema',
  async (entry) => {
    expect(await schemasOf(entry)).toBe(0);
  },
);

test('a schema is counted', async () => expect(await schemasOf('requests')).toBeGreaterThan(0));
