import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const enoughBytes = 2 ** 31;

/** The in-memory folder of temporary files if it has 2 GiB free, otherwise the temporary folder of the system. */
export const memoryFolder = async (): Promise<string> => {
  try {
    await access('/dev/shm', constants.W_OK);
    const { bavail, bsize } = await statfs('/dev/shm');
    return bavail * bsize >= enoughBytes ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
};
