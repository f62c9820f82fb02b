import type { Account } from '@partnerkit/core';
import type { Client, Endpoint, NewEvent } from '@partnerkit/core/ports';
import fc from 'fast-check';
import { accountArbitrary } from './accounts.ts';
import { clientArbitrary } from './clients.ts';
import { endpointArbitrary } from './endpoints.ts';
import { eventOf, eventPartsArbitrary } from './events.ts';
import { identifierArbitrary } from './identifiers.ts';
import { recordOf } from './record-of.ts';

/**
 * An account without a parent, a child of it, and the records of the account.
 * @public
 */
export interface Tenant {
  /** The account, without a parent. */
  readonly account: Account;
  /** A child of the account, in the same environment. */
  readonly child: Account;
  /** Clients of the account, at most three. */
  readonly clients: readonly Client[];
  /** Endpoints of the account, at most three. */
  readonly endpoints: readonly Endpoint[];
  /** Events of the account, at most three. */
  readonly events: readonly NewEvent[];
}

const idsOf = ({ account, child, clients, endpoints, events }: Tenant): readonly string[] => [
  account.id,
  child.id,
  ...clients.flatMap(({ id, secrets }) => [id, ...secrets.map((secret) => secret.id)]),
  ...endpoints.map(({ id }) => id),
  ...events.flatMap(({ id, idempotencyKey }) => [id, ...(idempotencyKey === undefined ? [] : [idempotencyKey])]),
  // Events of one tenant may share an object.
  ...new Set(events.map(({ objectId }) => objectId)),
];

const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> => fc.array(item, { maxLength: 3 });

/** Some share an object. */
const events = (): fc.Arbitrary<readonly NewEvent[]> =>
  fc
    .tuple(identifierArbitrary(), few(fc.tuple(eventPartsArbitrary(), fc.boolean())))
    .map(([objectId, parts]) =>
      parts.map(([[fields, more], meet]) => eventOf(meet ? { ...fields, objectId } : fields, more)),
    );

const tenant = (): fc.Arbitrary<Tenant> =>
  recordOf<Tenant>(
    {
      account: accountArbitrary(),
      child: accountArbitrary(),
      clients: few(clientArbitrary()),
      endpoints: few(endpointArbitrary()),
      events: events(),
    },
    {},
  ).map(({ account: { parentId: _none, ...account }, child, ...owned }) => {
    const own = <T extends { readonly accountId: string }>(rows: readonly T[]): readonly T[] =>
      rows.map((row) => ({ ...row, accountId: account.id }));
    return {
      account,
      child: { ...child, environment: account.environment, parentId: account.id },
      clients: own(owned.clients),
      endpoints: own(owned.endpoints),
      events: own(owned.events),
    };
  });

/**
 * Two unrelated tenants: no id, object id or idempotency key of one occurs in the other. No call for one may show a
 * record of the other.
 * @example
 * const property = fc.asyncProperty(tenantsArbitrary(), async ([ours, theirs]) => {
 *   const { clients } = memoryStorage();
 *   for (const client of [...ours.clients, ...theirs.clients]) await clients.insertClient(client);
 *   deepStrictEqual((await clients.listClients(ours.account.id, {})).items, ours.clients);
 * });
 * await fc.assert(property);
 * @public
 */
export const tenantsArbitrary = (): fc.Arbitrary<readonly [Tenant, Tenant]> =>
  fc.tuple(tenant(), tenant()).filter((pair) => {
    const ids = pair.flatMap(idsOf);
    return new Set(ids).size === ids.length;
  });
