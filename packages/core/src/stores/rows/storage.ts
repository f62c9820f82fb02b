import type { Storage } from '../storage/storage.ts';
import { rowAudit } from './audit/audit.ts';
import { rowClients } from './clients/clients.ts';
import { rowDeliveries } from './deliveries/deliveries.ts';
import { rowParents } from './deliveries/parents.ts';
import { rowAlerts } from './endpoints/alerts.ts';
import { rowEndpoints } from './endpoints/endpoints.ts';
import { rowSending } from './endpoints/sending.ts';
import { rowEvents } from './events/events.ts';
import { rowFeeds } from './feeds/feeds.ts';
import { rowHandlers } from './handlers/handlers.ts';
import { rowLog } from './log/log.ts';
import type { RowStore } from './port/row-store.ts';
import { rowRequests } from './requests/requests.ts';
import { rowSecretIds } from './secrets/secret-ids.ts';
import { rowShards } from './shards/shards.ts';

/**
 * Calls that a store makes in a better way, such as one statement. The contract suites hold them to the same rules.
 * @public
 */
export type StorageOverrides<Tx extends object> = {
  readonly [P in Exclude<keyof Storage<Tx>, 'transaction' | 'maxTransactions' | 'check'>]?: Partial<Storage<Tx>[P]>;
};

/**
 * A storage over rows: every call is written once, and a store implements the operations on rows.
 * @example
 * const storageOver = (store: RowStore<object>) => rowStorage(store);
 * @public
 */
export const rowStorage = <Tx extends object>(
  store: RowStore<Tx>,
  overrides: StorageOverrides<Tx> = {},
): Storage<Tx> => ({
  clients: { ...rowClients(store), ...overrides.clients },
  endpoints: { ...rowEndpoints(store), ...overrides.endpoints },
  events: { ...rowEvents(store), ...overrides.events },
  shards: { ...rowShards(store), ...overrides.shards },
  deliveries: { ...rowDeliveries(store), ...overrides.deliveries },
  parents: { ...rowParents(store), ...overrides.parents },
  feeds: { ...rowFeeds(store), ...overrides.feeds },
  handlers: { ...rowHandlers(store), ...overrides.handlers },
  audit: { ...rowAudit(store), ...overrides.audit },
  alerts: { ...rowAlerts(store), ...overrides.alerts },
  sending: { ...rowSending(store), ...overrides.sending },
  log: { ...rowLog(store), ...overrides.log },
  requests: { ...rowRequests(store), ...overrides.requests },
  secretIds: { ...rowSecretIds(store), ...overrides.secretIds },
  transaction: store.transaction,
  ...(store.maxTransactions === undefined ? {} : { maxTransactions: store.maxTransactions }),
  ...(store.check ? { check: store.check } : {}),
});
