import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Key } from './vectors.ts';

export const keysIn = (text: string): Key[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** The file that the handlers of a receiver append to. */
export const eventsIn = (data: string) => {
  const file = join(data, 'events.jsonl');
  const aside = `${file}.aside`;
  return {
    file,
    read: (): Key[] => keysIn(readFileSync(file, 'utf8')),
    /** Makes the handlers fail: a directory replaces their file. */
    fail: (): void => {
      renameSync(file, aside);
      mkdirSync(file);
    },
    recover: (): void => {
      rmdirSync(file);
      renameSync(aside, file);
    },
    /** Makes writers wait until {@link letGo}. */
    hold: (): void => {
      execFileSync('sh', ['-c', 'mkfifo "$0"', file]);
    },
    /** Lets later writers write. */
    letGo: (): void => {
      rmSync(file);
      writeFileSync(file, '');
    },
  };
};
