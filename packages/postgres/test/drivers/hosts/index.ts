import { drizzlePgHost, drizzlePostgresJsHost } from './drizzle.ts';
import type { OpenHost } from './host.ts';
import { knexHost } from './knex.ts';
import { kyselyHost } from './kysely.ts';
import { pgHost } from './pg.ts';
import { postgresJsHost } from './postgres-js.ts';
import { prismaHost } from './prisma.ts';
import { typeOrmHost } from './typeorm.ts';

interface KnownHost {
  readonly name: string;
  readonly open: OpenHost<object>;
  /** postgres.js serves a transaction that has ended, and shows no sign of it. */
  readonly knowsTheEnd: boolean;
  /** postgres.js itself throws, where nobody can catch it, when a connection is lost in the middle of a transaction. */
  readonly survivesLoss: boolean;
}

const whole = { knowsTheEnd: true, survivesLoss: true };
const overPostgresJs = { knowsTheEnd: false, survivesLoss: false };

/** An application on each library that we have a driver for. */
export const hosts: readonly KnownHost[] = [
  { name: 'pg', open: pgHost as OpenHost<object>, ...whole },
  { name: 'postgres.js', open: postgresJsHost as OpenHost<object>, ...overPostgresJs },
  { name: 'Kysely', open: kyselyHost as OpenHost<object>, ...whole },
  { name: 'Drizzle over pg', open: drizzlePgHost as OpenHost<object>, ...whole },
  { name: 'Drizzle over postgres.js', open: drizzlePostgresJsHost as OpenHost<object>, ...overPostgresJs },
  { name: 'Knex', open: knexHost as OpenHost<object>, ...whole },
  { name: 'Prisma', open: prismaHost as OpenHost<object>, ...whole },
  { name: 'TypeORM', open: typeOrmHost as OpenHost<object>, ...whole },
];
