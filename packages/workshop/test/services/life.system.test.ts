import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { query } from './query.ts';
import { temporaryFolder } from './temporary-folder.ts';

const holder = fileURLToPath(new URL('./holder.ts', import.meta.url));

/** A process, in a group of its own, that started servers; and what they are known by. */
const startHolder = async (...args: readonly string[]) => {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, ['--conditions=source', holder, folder, ...args], {
    env: { ...process.env, TMPDIR: folder },
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  const [postgres = '', redis = ''] = (await nextLine()).split(' ');
  /** To the whole group, as Ctrl-C in a terminal does. */
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid ?? 0), name);
  const exit = once(child, 'exit');
  return { folder, postgres, redis, nextLine, signal, finish: () => child.stdin.end(), exit };
};

const isOpen = async (address: string) => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

const endings = ['its own end', 'SIGKILL', 'SIGINT', 'SIGTERM'] as const;

it.each(endings.slice(0, sized(2, endings.length)))(
  'no server and no folder outlives the process that started it: %s',
  async (ending) => {
    const { folder, postgres, redis, signal, finish, exit } = await startHolder();
    const areOpen = () => Promise.all([postgres, redis].map(isOpen));
    expect(await areOpen()).toEqual([true, true]);
    expect(await readdir(folder)).toHaveLength(2);

    if (ending === 'its own end') finish();
    else signal(ending);
    expect(await exit).toEqual(ending === 'its own end' ? [0, null] : [null, ending]);

    await vi.waitUntil(async () => (await readdir(folder)).length === 0, { timeout: 240_000 });
    expect(await areOpen()).toEqual([false, false]);
  },
);

it('a signal reaches the process alone: its servers live until it ends', async () => {
  const { folder, postgres, nextLine, signal, finish } = await startHolder('deaf');
  signal('SIGINT');
  expect(await nextLine()).toBe('heard');
  expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
  finish();
  await vi.waitUntil(async () => (await readdir(folder)).length === 0, { timeout: 240_000 });
});
