import type { Endpoint } from '@partnerkit/core';
import type { Database } from './database.ts';

/** An endpoint as it stood when something of it was leased. */
interface EndpointVersion {
  readonly accountId: string;
  readonly id: string;
  readonly version: number;
}

/** So many are remembered. */
const most = 5_000;

/**
 * Endpoints by their versions: each is read once, and again when it has changed, unless it was `told`. One that is gone is left out.
 * @internal
 */
export const knownEndpoints = <Tx extends object>({ sql, run }: Database<Tx>) => {
  const read = sql(`select partnerkit.endpoint_json(e)::text as endpoint
    from unnest($1::text[], ($2::text[])::uuid[]) as g(account_id, id)
    cross join lateral (select * from partnerkit.endpoints where account_id = g.account_id and id = g.id limit 1) e`);
  const known = new Map<string, Endpoint>();

  const learn = (endpoint: Endpoint): void => {
    if (known.size >= most) known.clear();
    known.set(endpoint.id, endpoint);
  };

  return async (
    wanted: readonly EndpointVersion[],
    told: readonly Endpoint[],
  ): Promise<ReadonlyMap<string, Endpoint>> => {
    for (const endpoint of told) learn(endpoint);
    const found = new Map<string, Endpoint>();
    const missing = new Map<string, string>();
    for (const { accountId, id, version } of wanted) {
      const endpoint = known.get(id);
      if (endpoint && endpoint.version >= version) found.set(id, endpoint);
      else missing.set(id, accountId);
    }
    if (missing.size === 0) return found;
    for (const row of await run(read, [[...missing.values()], [...missing.keys()]])) {
      const endpoint: Endpoint = JSON.parse(String(row['endpoint']));
      learn(endpoint);
      found.set(endpoint.id, endpoint);
    }
    return found;
  };
};
