import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { fromPrisma } from '../../../src/drivers/prisma.ts';
import { fromPg } from '../../../src/index.ts';
import { type OwnClient, openPrisma } from '../../drivers/hosts/prisma.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { driverSuites } from './driver-suites.ts';

const database = useDatabase(inject('postgres'));

let prisma: OwnClient;
beforeAll(async () => {
  prisma = await openPrisma({ adapter: new PrismaPg(database.pool()) });
});
afterAll(() => prisma.$disconnect());

driverSuites(database, () => fromPrisma(prisma, { listen: fromPg(database.pool()) }));
