import type { ResultAsync } from '#result';
import type { Client } from '../../access/clients/client.ts';
import type { ClientStore } from '../../access/clients/client-store.ts';
import { lastLoginOf, usageOf } from '../../access/clients/usage.ts';
import type { Right } from '../../base/accounts/rights.ts';
import type { AuditStore } from '../../base/audit/audit-store.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import { present } from '../../base/fields/present.ts';
import { allOf } from '../../base/pagination/all-pages.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { day, type EpochMs } from '../../base/runtime/time.ts';
import type { Actor } from '../../base/signals/actor.ts';
import type { Endpoint } from '../../webhooks/endpoints/endpoint.ts';
import type { EndpointStore } from '../../webhooks/endpoints/endpoint-store.ts';
import type { Deliveries } from '../../webhooks/log/deliveries.ts';

/** What is said of an API key and of an endpoint. */
interface Reviewed {
  readonly kind: 'access';
  readonly accountId: string;
  readonly id: string;
  /** When it was made, in milliseconds since 1970. */
  readonly createdAt: EpochMs;
  /** Whole days since then. */
  readonly ageDays: number;
  /** Who made it, by the audit trail. `not_in_trail`: no genuine entry of it is stored, or none any longer. */
  readonly maker: Actor | 'not_in_trail';
}

/** An API key in an access review. @public */
export interface ApiKeyAccess extends Reviewed {
  readonly type: 'api_key';
  readonly name: string;
  /** What it may do. `all`: everything. */
  readonly rights: readonly Right[] | 'all';
  /** Its logins and tokens are refused. */
  readonly disabled: boolean;
  /** Secrets that are not revoked and not expired. */
  readonly activeSecrets: number;
  /** Absent: it never logged in. */
  readonly lastLoginAt?: EpochMs;
  /** Absent: no call was recorded. */
  readonly lastCallAt?: EpochMs;
  /** Calls of the last 30 days. */
  readonly calls: number;
  /** Whether it neither logged in nor called for 90 days. */
  readonly isUnused: boolean;
}

/** A webhook endpoint in an access review. @public */
export interface EndpointAccess extends Reviewed, Pick<Endpoint, 'url' | 'label' | 'state' | 'includeChildren'> {
  readonly type: 'endpoint';
  /** The events that it receives. */
  readonly events: readonly string[];
  /** The last attempt to deliver to it, or when it was pulled last. Absent: none is stored. */
  readonly lastUsedAt?: EpochMs;
}

/**
 * A line of an access review: who can reach the data of an account. It has no secret, digest or delivery header.
 * @public
 */
export type AccessLine = ApiKeyAccess | EndpointAccess;

/** Maximum number of keys and endpoints that are read at once. */
const batch = 100;

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  let some: T[] = [];
  for await (const item of items)
    if (some.push(item) === batch) {
      yield some;
      some = [];
    }
  if (some.length > 0) yield some;
}

interface Deps {
  readonly clients: Pick<ClientStore, 'listClients' | 'readUsage'>;
  readonly endpoints: Pick<EndpointStore, 'listEndpoints'>;
  readonly deliveries: Pick<Deliveries, 'statistics'>;
  readonly audit: Pick<AuditStore, 'listEntries'>;
  /** Tells entries of this platform from rows that were put in. */
  readonly auditor: Pick<Auditor, 'isGenuine'>;
  readonly clock: Clock;
}
type OrReject = <T>(result: ResultAsync<T, { readonly code: string; readonly message: string }>) => Promise<T>;

/** Who made the keys and endpoints of an account, by their ids: one pass over the entries of the account. */
const readMakers = async ({ audit, auditor }: Deps, accountId: string): Promise<ReadonlyMap<string, Actor>> => {
  const makers = new Map<string, Actor>();
  for await (const entry of allOf((page) => audit.listEntries(accountId, page))) {
    const isMade = entry.type === 'key.added' || entry.type === 'endpoint.added';
    if (isMade && auditor.isGenuine(entry)) makers.set(entry.subjectId, entry.by);
  }
  return makers;
};

/** The API keys and the endpoints of an account, in the order in which they were made. */
export async function* accessLines(deps: Deps, accountId: string, orReject: OrReject): AsyncGenerator<AccessLine> {
  const { clients, endpoints, deliveries, clock } = deps;
  const makers = await readMakers(deps, accountId);
  const reviewed = ({ id, createdAt }: Pick<Client, 'id' | 'createdAt'>): Reviewed => ({
    ...{ kind: 'access', accountId, id, createdAt },
    ageDays: Math.floor((clock.now() - createdAt) / day),
    maker: makers.get(id) ?? 'not_in_trail',
  });
  for await (const some of inBatches(allOf((page) => clients.listClients(accountId, page)))) {
    const days = await clients.readUsage(some.map(({ id }) => id));
    for (const client of some) {
      const own = days.filter(({ clientId }) => clientId === client.id);
      const now = clock.now();
      const { lastCallAt, calls, isUnused } = usageOf(client, own, now);
      const { name, rights = 'all', disabled, secrets } = client;
      const activeSecrets = secrets.filter(({ revoked, expiresAt = Infinity }) => !revoked && expiresAt > now).length;
      const used = present({ lastLoginAt: lastLoginOf(client), lastCallAt });
      yield { ...reviewed(client), type: 'api_key', name, rights, disabled, activeSecrets, ...used, calls, isUnused };
    }
  }
  for await (const some of inBatches(allOf((page) => endpoints.listEndpoints(accountId, page)))) {
    const ids = some.map(({ id }) => id);
    const figures = await orReject(deliveries.statistics(accountId, ids, { period: '24h' }));
    const byId = new Map(figures.map((each) => [each.endpointId, each.last?.at ?? each.pulledAt]));
    for (const endpoint of some) {
      const { url, label, state, includeChildren, events } = endpoint;
      const shown = { type: 'endpoint', state, events, includeChildren } as const;
      yield { ...reviewed(endpoint), ...shown, ...present({ url, label, lastUsedAt: byId.get(endpoint.id) }) };
    }
  }
}
