import type { TestProject } from 'vitest/node';
import { generatePrisma } from '../../../../tools/tests/generate-prisma.ts';
// Vitest resolves this file without the condition `source`.
import { sharedMariadb } from '../../../workshop/src/services/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a server that all tests share. Absent where there is none. */
    readonly mysql: string | undefined;
    /** The file of a client of Prisma. Absent in `npm test`. */
    readonly mysqlPrisma: string | undefined;
  }
}

export default async ({ provide, config }: TestProject): Promise<() => Promise<void>> => {
  const server = await sharedMariadb({ settings: { 'max-connections': '400' } });
  console.error(
    server === undefined
      ? 'MariaDB is not installed: its tests are skipped. Install mariadb-server, or set MYSQL_URL to a server.'
      : 'Starting MariaDB, or using the server of MYSQL_URL.',
  );
  provide('mysql', server?.url);
  provide('mysqlPrisma', server && config.mode === 'long' ? await generatePrisma('mysql', 'mysql') : undefined);
  return async () => server?.stop();
};
