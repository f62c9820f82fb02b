import { drizzleHost } from './drizzle.ts';
import type { OpenHost } from './host.ts';
import { knexHost } from './knex.ts';
import { kyselyHost } from './kysely.ts';
import { mysql2Host } from './mysql2.ts';
import { prismaHost } from './prisma.ts';
import { typeOrmHost } from './typeorm.ts';

/** An application on each library that there is a driver for. */
export const hosts: readonly { readonly name: string; readonly open: OpenHost<object> }[] = [
  { name: 'mysql2', open: mysql2Host as OpenHost<object> },
  { name: 'Kysely', open: kyselyHost as OpenHost<object> },
  { name: 'Drizzle', open: drizzleHost as OpenHost<object> },
  { name: 'Knex', open: knexHost as OpenHost<object> },
  { name: 'TypeORM', open: typeOrmHost as OpenHost<object> },
  { name: 'Prisma', open: prismaHost as OpenHost<object> },
];
