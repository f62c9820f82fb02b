import type { DisabledBy, Endpoint } from '../../../webhooks/endpoints/endpoint.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { type EndpointRow, endpoints, health } from '../tables/endpoints.ts';
import { noteHistory } from './history.ts';
import { includesChildren, raiseVersion } from './versions.ts';

/** Replaces an endpoint. The caller has locked the version of its shard, and its row. */
export function* replaceRow(rows: RowTx, row: EndpointRow, changed: Endpoint, by?: DisabledBy): Plan<void> {
  const { endpoint: before, accountId, id } = row;
  const endpoint = { ...changed, version: before.version + 1 };
  const now = yield* rows.now();
  const including = includesChildren(endpoint) - includesChildren(before);
  const version = yield* raiseVersion(rows, shardOf(accountId), including);
  yield* noteHistory(rows, endpoint, { version, now, by });
  const hasToggled = (endpoint.state === 'enabled') !== (before.state === 'enabled');
  yield* rows.put(endpoints, [{ ...row, endpoint, since: hasToggled ? now : row.since }]);
  if (hasToggled) yield* rows.delete(health, [[accountId, id]]);
}
