import { spawnSync } from 'node:child_process';
import { test } from 'vitest';

/** The first of these commands that is missing on this machine. */
export const missing = (commands: readonly string[]): string | undefined =>
  commands.find((command) => spawnSync('sh', ['-c', 'command -v "$0"', command]).status !== 0);

/** Replaces tests that cannot run here, and prints the reason. */
export const notInstalled = (command: string, what: string): void => {
  const reason = `${command} is not installed here: ${what} was not run`;
  console.warn(reason);
  test(reason, ({ skip }) => skip(reason));
};
