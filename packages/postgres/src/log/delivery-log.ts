import type { DeliveryLog } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { deleteFailedHours, readFailedHours } from '../deliveries/failed-hours.ts';
import { countBacklog } from './count-backlog.ts';
import { readExplainSnapshot } from './explain-snapshot.ts';
import { listAttempts } from './list-attempts.ts';
import { listDeliveries } from './list-deliveries.ts';
import { prune } from './prune.ts';
import { readFailing } from './read-failing.ts';
import { readHealthSnapshot } from './read-health-snapshot.ts';
import { readStatistics } from './read-statistics.ts';
import { replay } from './replay.ts';
import { sendAgain } from './send-again.ts';

/** The log of deliveries. */
export const deliveryLog = <Tx extends object>(database: Database<Tx>): DeliveryLog => ({
  listDeliveries: listDeliveries(database),
  listAttempts: listAttempts(database),
  readExplainSnapshot: readExplainSnapshot(database),
  sendAgain: sendAgain(database),
  replay: replay(database),
  readStatistics: readStatistics(database),
  countBacklog: countBacklog(database),
  readFailing: readFailing(database),
  readFailedHours: readFailedHours(database),
  deleteFailedHours: deleteFailedHours(database),
  readHealthSnapshot: readHealthSnapshot(database),
  prune: prune(database),
});
