import { DataSource, type EntityManager } from 'typeorm';
import { fromTypeOrm } from '../../../src/drivers/typeorm.ts';
import type { HostTransaction, OpenHost } from './host.ts';

export const typeOrmHost: OpenHost<EntityManager> = async (url, maxConnections = 10) => {
  const dataSource = await new DataSource({ type: 'postgres', url, poolSize: maxConnections }).initialize();
  const own = (tx: EntityManager): HostTransaction<EntityManager> => ({
    tx,
    run: (statement) => tx.query(statement),
    savepoint: (work) => tx.transaction((inner) => work(own(inner))),
  });
  return {
    driver: fromTypeOrm(dataSource),
    run: (tx, statement) => own(tx).run(statement),
    transaction: (work) => dataSource.transaction((tx) => work(own(tx))),
    end: () => dataSource.destroy(),
  };
};
