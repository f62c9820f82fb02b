import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);

/** How a program is found, and how Debian installs it. */
interface ProgramSource {
  /** Name of the service, for people. */
  readonly title: string;
  /** Names of the program on the PATH. The first one that is found is taken. */
  readonly names: readonly string[];
  readonly debianPackage: string;
  /** Where that package puts the program. */
  readonly installed: string;
  /** Whether it may be installed. */
  readonly install: boolean;
  /** What a caller can do besides. */
  readonly remedy?: string;
}

const find = async (names: readonly string[]): Promise<string | undefined> => {
  // Debian installs servers where only root looks.
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'])
    for (const name of names) {
      const file = join(folder, name);
      const isExecutable = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isExecutable) return file;
    }
  return undefined;
};

/**
 * Finds a program, or installs it.
 * @throws Error with the remedies, when there is none.
 */
export const findProgram = async ({
  title,
  names,
  debianPackage,
  installed,
  install,
  remedy = '',
}: ProgramSource): Promise<string> => {
  const found = await find(names);
  if (found) return found;
  if (!(install && process.getuid?.() === 0 && (await find(['apt-get']))))
    throw new Error(
      `There is no ${title} to start. Put ${names.join(' or ')} on the PATH, or be root on Debian and say ` +
        `\`install: true\`${remedy}.`,
    );
  // The run level of maintenance: the package starts no service of the system.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  await runProgram('apt-get', ['update'], { env });
  await runProgram('apt-get', ['install', '--yes', '--no-install-recommends', debianPackage], { env });
  return installed;
};
