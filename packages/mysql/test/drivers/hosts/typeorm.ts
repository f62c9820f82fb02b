import { DataSource, type EntityManager } from 'typeorm';
import { fromTypeOrm } from '../../../src/drivers/typeorm.ts';
import type { OpenHost } from './host.ts';

export const typeOrmHost: OpenHost<EntityManager> = async (url, poolSize = 10) => {
  const dataSource = await new DataSource({ type: 'mysql', url, poolSize }).initialize();
  return {
    driver: fromTypeOrm(dataSource),
    transaction: (work) => dataSource.transaction((tx) => work({ tx, run: (statement) => tx.query(statement) })),
    end: () => dataSource.destroy(),
  };
};
