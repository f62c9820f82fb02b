import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const enoughBytes = 2 ** 31;

/**
 * The folder of temporary files that lies in memory, where it has 2 GiB to spare; else the system's temporary folder.
 * @internal
 */
export const memoryFolder = async (): Promise<string> => {
  try {
    await access('/dev/shm', constants.W_OK);
    const { bavail, bsize } = await statfs('/dev/shm');
    return bavail * bsize >= enoughBytes ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
};
