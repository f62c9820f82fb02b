import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { sized } from '../../../tools/tests/effort.ts';
import { killHost } from '../../workshop/src/processes/index.ts';
import { migratedFile } from './support/files.ts';
import type { HostTask } from './support/host.ts';

const command = fileURLToPath(new URL('support/host.ts', import.meta.url));

/** Whether a library has a binary for this machine. Not loaded here: other tests of this process use node:sqlite. */
const isInstalled = (library: string): boolean =>
  spawnSync(process.execPath, ['-e', `new (require('${library}'))(':memory:')`], { cwd: import.meta.dirname })
    .status === 0;

const libraries: readonly HostTask['library'][] = ['node:sqlite', 'better-sqlite3', 'libsql'];

test.concurrent.for(libraries)(
  'a host with %s that is killed delivers all after its restart',
  async (library, context) => {
    if (library !== 'node:sqlite' && !isInstalled(library)) context.skip(`${library} does not run on this machine.`);
    const { file, remove } = migratedFile();
    const { acknowledged, ...broken } = await killHost<HostTask>({
      ...{ command, task: { at: file, library }, kills: sized(1, 10) },
    });
    remove();
    context.expect(acknowledged.length).toBeGreaterThan(0);
    context.expect(broken).toEqual({ lost: [], undelivered: [], unpaid: [], unexpected: [] });
  },
);
