import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);

const onPath = async (...names: readonly string[]): Promise<string | undefined> => {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of names) {
      const file = join(folder, name);
      const found = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (found) return file;
    }
  }
  return undefined;
};

/**
 * The Debian package `redis-server` would start a system service; `redis-tools` has the same binary under another name.
 */
const installWithApt = async () => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runProgram('apt-get', ['update'], { env });
  await runProgram('apt-get', ['install', '--yes', '--no-install-recommends', 'redis-tools'], { env });
  return '/usr/bin/redis-check-rdb';
};

/** @internal */
export const findRedis = async (install: boolean): Promise<string> => {
  const found = await onPath('redis-server', 'valkey-server');
  if (found) return found;
  if (install && process.getuid?.() === 0 && (await onPath('apt-get'))) return installWithApt();
  throw new Error(
    'There is no Redis to start. Put redis-server or valkey-server on the PATH, or be root on Debian and say `install: true`; ' +
      'tests that may share a server also take the one that REDIS_URL names.',
  );
};
