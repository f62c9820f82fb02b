import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Key } from './vectors.ts';

export const keysIn = (text: string): Key[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Where a receiver writes what its handlers work on. */
export const eventsIn = (data: string) => {
  const file = join(data, 'events.jsonl');
  const aside = `${file}.aside`;
  return {
    file,
    read: (): Key[] => keysIn(readFileSync(file, 'utf8')),
    /** The handlers find a directory where they would write. */
    fail: (): void => {
      renameSync(file, aside);
      mkdirSync(file);
    },
    recover: (): void => {
      rmdirSync(file);
      renameSync(aside, file);
    },
    /** Whoever writes waits until somebody reads. */
    hold: (): void => {
      execFileSync('sh', ['-c', 'mkfifo "$0"', file]);
    },
    /** Whoever comes from now on writes. */
    letGo: (): void => {
      rmSync(file);
      writeFileSync(file, '');
    },
  };
};
