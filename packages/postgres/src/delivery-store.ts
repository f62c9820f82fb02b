import type { DeliveryStore } from '@partnerkit/core/ports';
import type { Database } from './database.ts';
import { readDue } from './read-due.ts';
import { readEndpoints } from './read-endpoints.ts';
import { readOutbox } from './read-outbox.ts';
import { readQueued } from './read-queued.ts';
import { readQueuedAccounts } from './read-queued-accounts.ts';
import { recover } from './recover.ts';
import { settle } from './settle.ts';
import { stamp } from './stamp.ts';

/** The rows of deliveries. @internal */
export const deliveryStore = <Tx extends object>(database: Database<Tx>): DeliveryStore => ({
  readOutbox: readOutbox(database),
  stamp: stamp(database),
  settle: settle(database),
  readDue: readDue(database),
  readQueued: readQueued(database),
  recover: recover(database),
  readEndpoints: readEndpoints(database),
  readQueuedAccounts: readQueuedAccounts(database),
});
