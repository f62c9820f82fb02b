import { readFile } from 'node:fs/promises';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user for a server that refuses to run as root: `postgres`, or else `nobody`. Undefined when this process is not
 * root.
 */
export const unprivilegedUser = async (): Promise<SystemUser | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!found)
    throw new Error('PostgreSQL does not run as root, and this system has neither a user postgres nor nobody.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
};
