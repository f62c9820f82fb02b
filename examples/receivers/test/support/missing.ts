import { spawnSync } from 'node:child_process';
import { test } from 'vitest';

/** The first of these commands that this machine does not have. */
export const missing = (commands: readonly string[]): string | undefined =>
  commands.find((command) => spawnSync('sh', ['-c', 'command -v "$0"', command]).status !== 0);

/** Stands in for tests that cannot run here, and says so where it is seen. */
export const notInstalled = (command: string, what: string): void => {
  const reason = `${command} is not installed here: ${what} was not run`;
  console.warn(reason);
  test(reason, ({ skip }) => skip(reason));
};
