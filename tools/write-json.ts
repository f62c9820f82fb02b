import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { root } from './packages.ts';

/** Writes a file of JSON as lint wants it. */
export const writeJson = (file: string, value: unknown): void => {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  const { status, stderr, error } = spawnSync(`${root}node_modules/.bin/biome`, ['format', '--write', file], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${file} is not formatted: ${error?.message ?? stderr}`);
};
