import { DataSource } from 'typeorm';
import { afterAll, beforeAll, inject } from 'vitest';
import { fromTypeOrm } from '../../../src/drivers/typeorm.ts';
import { fromPg } from '../../../src/index.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { types } from '../../support/other-parsers.ts';
import { driverSuites } from './driver-suites.ts';

const database = useDatabase(inject('postgres'));

/** With parsers of the host's own. */
let dataSource: DataSource;
beforeAll(async () => {
  dataSource = await new DataSource({ type: 'postgres', url: database.url(), extra: { types } }).initialize();
});
afterAll(() => dataSource.destroy());

driverSuites(database, () => fromTypeOrm(dataSource, { listen: fromPg(database.pool()) }));
