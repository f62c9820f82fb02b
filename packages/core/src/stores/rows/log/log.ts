import type { DeliveryLog } from '../../../webhooks/log/delivery-log.ts';
import { deleteFailedHours, readFailedHours } from '../deliveries/failed-hours.ts';
import type { RowStore } from '../port/row-store.ts';
import { reportBacklog } from '../report/backlog.ts';
import { reportHealthSnapshot } from '../report/snapshot.ts';
import { countBacklog } from './backlog.ts';
import { readExplainSnapshot } from './explain-snapshot.ts';
import { readLog } from './facts.ts';
import { readFailing } from './failing.ts';
import { readHealthSnapshot } from './health-snapshot.ts';
import { listDeliveries } from './list-deliveries.ts';
import { prune } from './prune.ts';
import { replay, sendAgain } from './repeat.ts';
import { readStatistics } from './statistics.ts';

/** The log of deliveries over rows. */
export const rowLog = (store: Pick<RowStore<object>, 'run' | 'reports'>): DeliveryLog => {
  const backlogOfAll = store.reports && reportBacklog(store, store.reports);
  return {
    listDeliveries: (accountId, filter, page) =>
      store.run('read', (rows) => listDeliveries(rows, accountId, filter, page)),
    listAttempts: (key) =>
      store.run('one', function* (rows) {
        const log = yield* readLog(rows, key);
        return log.flatMap(({ outcome, at }) => (outcome.kind === 'expired' ? [] : [{ ...outcome, at }]));
      }),
    readExplainSnapshot: (accountId, eventId, endpointId) =>
      store.run('read', (rows) => readExplainSnapshot(rows, accountId, eventId, endpointId)),
    sendAgain: (key) => store.run('write', (rows) => sendAgain(rows, key)),
    replay: (accountId, endpointId, range) => store.run('write', (rows) => replay(rows, accountId, endpointId, range)),
    readStatistics: (accountId, endpointIds, period) =>
      store.run('read', (rows) => readStatistics(rows, accountId, endpointIds, period)),
    countBacklog: (accountId) =>
      accountId === undefined && backlogOfAll
        ? backlogOfAll()
        : store.run('read', (rows) => countBacklog(rows, accountId)),
    readFailing: (failingFor, page) => store.run('read', (rows) => readFailing(rows, failingFor, page)),
    readFailedHours: (age, page) => store.run('read', (rows) => readFailedHours(rows, age, page)),
    deleteFailedHours: (hours) => store.run('write', (rows) => deleteFailedHours(rows, hours)),
    readHealthSnapshot: store.reports
      ? reportHealthSnapshot(store.reports)
      : () => store.run('read', readHealthSnapshot),
    prune: (shards, limits) => store.run('write', (rows) => prune(rows, shards, limits)),
  };
};
