import type { Endpoint } from '@partnerkit/core';
import type { Database } from './database.ts';
import { endpointJson } from './fragments.ts';

/** An endpoint as it stood when something of it was leased. */
interface EndpointVersion {
  readonly accountId: string;
  readonly id: string;
  readonly version: number;
}

/** So many are remembered. */
const most = 5_000;

/**
 * Endpoints by their versions: each is read once, and again when it has changed. One that is gone is left out.
 * @internal
 */
export const knownEndpoints = <Tx extends object>({ sql, run }: Database<Tx>) => {
  const read = sql(`select ${endpointJson}::text as endpoint
    from unnest($1::text[], ($2::text[])::uuid[]) as g(account_id, id)
    cross join lateral (select * from partnerkit.endpoints where account_id = g.account_id and id = g.id limit 1) e`);
  const known = new Map<string, Endpoint>();

  return async (wanted: readonly EndpointVersion[]): Promise<ReadonlyMap<string, Endpoint>> => {
    const found = new Map<string, Endpoint>();
    const missing = new Map<string, string>();
    for (const { accountId, id, version } of wanted) {
      const endpoint = known.get(id);
      if (endpoint && endpoint.version >= version) found.set(id, endpoint);
      else missing.set(id, accountId);
    }
    if (missing.size === 0) return found;
    if (known.size + missing.size > most) known.clear();
    for (const row of await run(read, [[...missing.values()], [...missing.keys()]])) {
      const endpoint: Endpoint = JSON.parse(String(row['endpoint']));
      known.set(endpoint.id, endpoint);
      found.set(endpoint.id, endpoint);
    }
    return found;
  };
};
