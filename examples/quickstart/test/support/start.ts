import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
const folders = mkdtempSync(join(tmpdir(), 'partnerkit-'));
process.once('exit', () => rmSync(folders, { recursive: true, force: true }));

/** An empty folder. */
export const newFolder = (): string => mkdtempSync(join(folders, 'quickstart-'));

/** Starts the quickstart in a folder, as a person does; its temporary files are there, too. */
export const startIn = (folder: string, ...flags: readonly string[]) => {
  const child = spawn(process.execPath, ['--conditions=source', main, ...flags], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const printed = (pattern: RegExp): string => {
    const [, found] = pattern.exec(output.out) ?? [];
    if (found === undefined) throw new Error(`Nothing printed fits ${pattern}:\n${output.out}\n${output.err}`);
    return found;
  };
  return { child, output, ended, printed };
};

/** {@link startIn}, in a new folder. */
export const start = (...flags: readonly string[]) => startIn(newFolder(), ...flags);
