import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const holder = fileURLToPath(new URL('./holder.ts', import.meta.url));

const isOpen = async (port: number) => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

it.each(['its own end', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'no server and no folder outlives the process that started it: %s',
  async (ending) => {
    const folder = await temporaryFolder();
    const child = spawn(process.execPath, ['--conditions=source', holder, folder], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    const ports: readonly number[] = JSON.parse(value ?? 'null');
    expect(await Promise.all(ports.map(isOpen))).toEqual([true, true]);
    expect(await readdir(folder)).toHaveLength(2);

    const exit = once(child, 'exit');
    if (ending === 'its own end') child.stdin.end();
    else child.kill(ending);
    expect(await exit).toEqual(ending === 'its own end' ? [0, null] : [null, ending]);

    await vi.waitUntil(async () => (await readdir(folder)).length === 0, { timeout: 30_000 });
    expect(await Promise.all(ports.map(isOpen))).toEqual([false, false]);
  },
);
