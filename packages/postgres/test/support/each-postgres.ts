import { describe, inject } from 'vitest';
import type { Server } from './global-setup.ts';

/**
 * The same tests on every server there is: the newest, and in `npm run test:long` PostgreSQL 15 where Debian installed
 * it.
 */
export const onEachPostgres = (suite: (server: Server, version: 15 | 18) => void): void => {
  describe('PostgreSQL 18', () => suite(inject('postgres'), 18));
  const older = inject('postgres15');
  if (older) describe('PostgreSQL 15', () => suite(older, 15));
};
