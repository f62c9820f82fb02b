import { describe, inject, test } from 'vitest';
import type { Server } from './global-setup.ts';

/** The same tests on the newest server and, where the machine has one, on PostgreSQL 15. */
export const onEachPostgres = (suite: (server: Server) => void): void => {
  const servers = { 'PostgreSQL 18': inject('postgres'), 'PostgreSQL 15': inject('postgres15') };
  for (const [name, server] of Object.entries(servers)) {
    if (server) describe(name, () => suite(server));
    else test.skip(`this machine has no ${name}`, () => {});
  }
};
