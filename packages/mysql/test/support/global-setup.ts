import type { TestProject } from 'vitest/node';
// Vitest resolves this file without the condition `source`.
import { sharedMariadb } from '../../../testing/src/services/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a server that all tests share. Absent where there is none. */
    readonly mysql: string | undefined;
  }
}

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const server = await sharedMariadb({ settings: { 'max-connections': '400' } });
  console.error(
    server === undefined
      ? 'MariaDB is not installed: its tests are skipped. Install mariadb-server, or set MYSQL_URL to a server.'
      : 'Starting MariaDB, or using the server of MYSQL_URL.',
  );
  provide('mysql', server?.url);
  return async () => server?.stop();
};
