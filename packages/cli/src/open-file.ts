import { open, rename, rm } from 'node:fs/promises';
import { writeError } from './cli-error.ts';

/** A file that only this user can read, and that appears when it is whole. */
export const openFile = async (path: string) => {
  const part = `${path}.part`;
  try {
    // That of an earlier command that was killed may be readable by others.
    await rm(part, { force: true });
    const file = await open(part, 'wx', 0o600);
    return {
      write: (text: string): Promise<void> => file.appendFile(text),
      keep: async (): Promise<void> => {
        await file.close();
        await rename(part, path);
      },
      drop: async (): Promise<void> => {
        await file.close();
        await rm(part, { force: true });
      },
    };
  } catch (cause) {
    throw writeError(part, cause);
  }
};
