import type { AlertStore } from '../../../base/alerts/alert-store.ts';
import type { NewAuditEntry } from '../../../base/audit/audit-entry.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { appendAudit } from '../audit/append.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { alertAddresses } from '../tables/alerts.ts';
import { lockVersions } from './versions.ts';

function* setAddress(rows: RowTx, accountId: string, address: string | undefined, audit: NewAuditEntry): Plan<void> {
  // An address that is not there yet has no row to lock.
  yield* lockVersions(rows, [shardOf(accountId)], 'update');
  const [known] = yield* rows.get(alertAddresses, [[accountId]]);
  if (known?.address === address) return;
  if (address === undefined) yield* rows.delete(alertAddresses, [[accountId]]);
  else yield* rows.put(alertAddresses, [{ accountId, address }]);
  yield* appendAudit(rows, audit);
}

function* insertAddress(rows: RowTx, accountId: string, address: string, audit: NewAuditEntry): Plan<boolean> {
  yield* lockVersions(rows, [shardOf(accountId)], 'update');
  const [known] = yield* rows.get(alertAddresses, [[accountId]]);
  if (known) return false;
  yield* rows.put(alertAddresses, [{ accountId, address }]);
  yield* appendAudit(rows, audit);
  return true;
}

/** Addresses for alerts over rows. */
export const rowAlerts = (store: Pick<RowStore<never>, 'run'>): AlertStore => ({
  findAddress: (accountId) =>
    store.run('one', function* (rows) {
      const [found] = yield* rows.get(alertAddresses, [[accountId]]);
      return found?.address;
    }),
  setAddress: (accountId, address, audit) => store.run('write', (rows) => setAddress(rows, accountId, address, audit)),
  insertAddress: (accountId, address, audit) =>
    store.run('write', (rows) => insertAddress(rows, accountId, address, audit)),
});
