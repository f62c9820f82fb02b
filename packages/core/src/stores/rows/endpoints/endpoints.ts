import type { NewAuditEntry } from '../../../base/audit/audit-entry.ts';
import { sealingKeyId } from '../../../base/crypto/seal.ts';
import type { Endpoint } from '../../../webhooks/endpoints/endpoint.ts';
import { isPulled } from '../../../webhooks/endpoints/endpoint-kind.ts';
import type { EndpointStore, ProfileCount, StoredSealingKeyCount } from '../../../webhooks/endpoints/endpoint-store.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { appendAudit } from '../audit/append.ts';
import { beginFeed, endFeed } from '../feeds/ends.ts';
import { readPositions } from '../port/pages.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { type EndpointRow, endpoints, health } from '../tables/endpoints.ts';
import { readHealth } from './health.ts';
import { endHistory, noteHistory } from './history.ts';
import { replaceRow } from './replace.ts';
import { includesChildren, lockVersions, raiseVersion } from './versions.ts';

function* countBySealingKey(rows: RowTx): Plan<readonly StoredSealingKeyCount[]> {
  const counts = new Map<string, StoredSealingKeyCount>();
  for (const { endpoint } of yield* rows.scan(endpoints, 'all', [{ prefix: [] }])) {
    const { secret, nextSecret, deliveryHeader } = endpoint;
    const sealed = [secret, nextSecret, deliveryHeader?.value].filter((value) => value !== undefined);
    for (const keyId of new Set(sealed.map(sealingKeyId)))
      counts.set(keyId, { keyId, endpoints: (counts.get(keyId)?.endpoints ?? 0) + 1, sample: endpoint });
  }
  return [...counts.values()];
}

function* countByProfile(rows: RowTx): Plan<readonly ProfileCount[]> {
  const counts = new Map<string, number>();
  for (const { endpoint } of yield* rows.scan(endpoints, 'all', [{ prefix: [] }]))
    if (endpoint.profile !== undefined) counts.set(endpoint.profile, (counts.get(endpoint.profile) ?? 0) + 1);
  return [...counts].map(([profile, count]) => ({ profile, endpoints: count }));
}

/** The row of an endpoint of this version. Locks the version of its shard, and the row. */
function* lockEndpoint(
  rows: RowTx,
  accountId: string,
  endpointId: string,
  version?: number,
): Plan<EndpointRow | undefined> {
  yield* lockVersions(rows, [shardOf(accountId)], 'update');
  const [row] = yield* rows.get(endpoints, [[accountId, endpointId]], 'update');
  return version === undefined || row?.endpoint.version === version ? row : undefined;
}

function* insert(rows: RowTx, endpoint: Endpoint, max: number): Plan<boolean> {
  const { accountId, id } = endpoint;
  const shard = shardOf(accountId);
  yield* lockVersions(rows, [shard], 'update');
  const [count = 0] = yield* rows.count(endpoints, 'account', [{ prefix: [accountId], limit: max }]);
  if (count >= max) return false;
  const now = yield* rows.now();
  yield* rows.insert(endpoints, [{ accountId, id, endpoint, since: now }], 'fail');
  if (isPulled(endpoint)) yield* beginFeed(rows, accountId, id);
  const version = yield* raiseVersion(rows, shard, includesChildren(endpoint));
  yield* noteHistory(rows, endpoint, { version, now });
  return true;
}

function* replace(rows: RowTx, endpoint: Endpoint): Plan<boolean> {
  const row = yield* lockEndpoint(rows, endpoint.accountId, endpoint.id, endpoint.version);
  if (row) yield* replaceRow(rows, row, endpoint);
  return row !== undefined;
}

function* resume(rows: RowTx, accountId: string, endpointId: string, version: number): Plan<boolean> {
  const row = yield* lockEndpoint(rows, accountId, endpointId, version);
  if (!row) return false;
  const [fails] = yield* rows.get(health, [[accountId, endpointId]], 'update');
  yield* replaceRow(rows, row, row.endpoint);
  const now = yield* rows.now();
  if (!fails) return true;
  const [openUntil, retryAfterUntil] = [Math.min(fails.openUntil, now), Math.min(fails.retryAfterUntil, now)];
  yield* rows.put(health, [{ ...fails, openUntil, retryAfterUntil }]);
  return true;
}

function* remove(rows: RowTx, accountId: string, endpointId: string): Plan<boolean> {
  const row = yield* lockEndpoint(rows, accountId, endpointId);
  if (!row) return false;
  const now = yield* rows.now();
  yield* rows.delete(endpoints, [[accountId, endpointId]]);
  yield* rows.delete(health, [[accountId, endpointId]]);
  if (isPulled(row.endpoint)) yield* endFeed(rows, accountId, endpointId);
  const version = yield* raiseVersion(rows, shardOf(accountId), -includesChildren(row.endpoint));
  yield* endHistory(rows, { accountId, endpointId }, version, now);
  return true;
}

/** Writes the entry of a change that is made. */
function* audited(rows: RowTx, audit: NewAuditEntry | undefined, change: Plan<boolean>): Plan<boolean> {
  const isMade = yield* change;
  if (isMade) yield* appendAudit(rows, audit);
  return isMade;
}

/** Endpoints over rows. */
export const rowEndpoints = <Tx extends object>(store: Pick<RowStore<Tx>, 'run' | 'join'>): EndpointStore<Tx> => ({
  insertEndpoint: (endpoint, max, tx, audit) => {
    const plan = (rows: RowTx) => audited(rows, audit, insert(rows, endpoint, max));
    return tx ? store.join(tx, plan) : store.run('write', plan);
  },
  findEndpoint: (accountId, endpointId) =>
    store.run('one', function* (rows) {
      const [row] = yield* rows.get(endpoints, [[accountId, endpointId]]);
      return row?.endpoint;
    }),
  readHealth: (accountId, endpointIds) => store.run('read', (rows) => readHealth(rows, accountId, endpointIds)),
  listEndpoints: (accountId, page) =>
    store.run('one', function* (rows) {
      const { items, ...rest } = yield* readPositions(page, ({ range, options }) =>
        rows.scan(endpoints, 'account', [{ prefix: [accountId], ...range }], options),
      );
      return { ...rest, items: items.map(({ endpoint }) => endpoint) };
    }),
  listAllEndpoints: (page) =>
    store.run('one', function* (rows) {
      const { items, ...rest } = yield* readPositions(page, ({ range, options }) =>
        rows.scan(endpoints, 'all', [{ prefix: [], ...range }], options),
      );
      return { ...rest, items: items.map(({ endpoint }) => endpoint) };
    }),
  countBySealingKey: () => store.run('one', countBySealingKey),
  countByProfile: () => store.run('one', countByProfile),
  replaceEndpoint: (endpoint, audit) => store.run('write', (rows) => audited(rows, audit, replace(rows, endpoint))),
  resumeEndpoint: (accountId, endpointId, version, audit) =>
    store.run('write', (rows) => audited(rows, audit, resume(rows, accountId, endpointId, version))),
  deleteEndpoint: (accountId, endpointId, audit) =>
    store.run('write', (rows) => audited(rows, audit, remove(rows, accountId, endpointId))),
});
