import type { SqlReports } from '../port/sql-reports.ts';
import { pending } from '../tables/deliveries.ts';
import { endpoints } from '../tables/endpoints.ts';

/** Maximum number of endpoints that are ranked and whose deliveries are counted, in the order of their keys. */
export const maxEndpoints = 500;

/** Counts the rows of `from` up to a limit. No temporary table is needed, as a subquery with the limit would. */
export const countTo = (limit: number, from: string): string =>
  `coalesce((select ${limit} from ${from} limit 1 offset ${limit - 1}), (select count(*) from ${from}))`;

/** The condition that columns of a table `a` have the values of columns of another one. */
export const sameIn = (a: string, b: string, columns: readonly string[]): string =>
  columns.map((column) => `${a}.${column} = ${b}.${column}`).join(' and ');

export const queueColumns = ['shard', 'account_id', 'endpoint_id'] as const;

/** The common table expressions `queues`: endpoints with pending deliveries, and when the first of each is due. */
export const queues = ({ firsts }: SqlReports): string =>
  firsts({
    ...{ name: 'queues', table: pending, index: 'endpoint', limit: maxEndpoints },
    ...{ columns: queueColumns, least: 'due_at' },
  });

/** Those of stored endpoints, with the state of the endpoint. */
export const storedQueues = ({ join, table, member }: SqlReports): string =>
  `select q.shard, q.account_id, q.endpoint_id, q.due_at, ${member('e.endpoint', 'state')} as state
    from queues q ${join} ${table(endpoints, 'e')} on e.account_id = q.account_id and e.id = q.endpoint_id`;
