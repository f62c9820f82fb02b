import type { DeliveryStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { dispatch } from './dispatch.ts';
import { dispatchAnnounced } from './dispatch-announced.ts';
import { readDue } from './read-due.ts';
import { readEndpoints } from './read-endpoints.ts';
import { readOutbox } from './read-outbox.ts';
import { readQueued } from './read-queued.ts';
import { readQueuedAccounts } from './read-queued-accounts.ts';
import { recover } from './recover.ts';
import { refreshStatistics } from './refresh-statistics.ts';
import { settle } from './settle.ts';

/** The rows of deliveries. */
export const deliveryStore = <Tx extends object>(database: Database<Tx>): DeliveryStore => {
  const refresh = refreshStatistics(database);
  const [outbox, due, queued] = [readOutbox(database), readDue(database), readQueued(database)];
  return {
    readOutbox: async (ranges, limit, ...known) => {
      const read = await outbox(ranges, limit, ...known);
      await refresh(read.events.length, limit);
      return read;
    },
    dispatch: dispatch(database),
    dispatchAnnounced: dispatchAnnounced(database),
    settle: settle(database),
    readDue: async (shards, limit, ...rest) => {
      const read = await due(shards, limit, ...rest);
      await refresh(read.deliveries.length, limit);
      return read;
    },
    readQueued: async (...args) => {
      const read = await queued(...args);
      await refresh(read.deliveries.length, 0);
      return read;
    },
    recover: recover(database),
    readEndpoints: readEndpoints(database),
    readQueuedAccounts: readQueuedAccounts(database),
  };
};
