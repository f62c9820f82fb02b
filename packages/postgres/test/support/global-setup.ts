import type { TestProject } from 'vitest/node';
import { generatePrisma } from '../../../../tools/tests/generate-prisma.ts';
// Vitest resolves this file without the condition `source`.
import {
  createTemplate,
  debianPostgres,
  type SharedService,
  startPostgres,
} from '../../../workshop/src/services/index.ts';
import { prepareDatabase } from './prepare-database.ts';

/** A server, and the name of a migrated database on it that tests copy. */
export interface Server {
  readonly url: string;
  readonly template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: Server;
    /** Absent in `npm test`, and where the machine has none. */
    readonly postgres15: Server | undefined;
    /** The file of a client of Prisma. */
    readonly prisma: string;
  }
}

/** Several files run at once, each with some pools of 20 connections. */
const settings = { max_connections: '400' };

/** The server that `npm run test:pg` keeps, or one for this run. */
const keptPostgres = async (): Promise<SharedService> => {
  const url = process.env['KEPT_POSTGRES'];
  return url === undefined ? startPostgres({ settings }) : { url, stop: async () => {} };
};

const open = async (server: SharedService): Promise<{ server: SharedService; provided: Server }> => {
  const { name } = await createTemplate(server, prepareDatabase);
  return { server, provided: { url: server.url, template: name } };
};

export default async ({ provide, config }: TestProject): Promise<() => Promise<void>> => {
  const old = config.mode === 'long' ? debianPostgres(15) : undefined;
  console.error(`Starting PostgreSQL${old === undefined ? '' : ' (the newest, and 15)'} for ${config.name}.`);
  const [current, older, prisma] = await Promise.all([
    keptPostgres().then(open),
    old === undefined ? undefined : startPostgres({ binaries: old, settings }).then(open),
    generatePrisma('postgresql', 'postgres'),
  ]);
  provide('postgres', current.provided);
  provide('postgres15', older?.provided);
  provide('prisma', prisma);
  return async () => {
    await Promise.all([current.server.stop(), older?.server.stop()]);
  };
};
