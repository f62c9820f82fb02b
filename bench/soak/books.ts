import type { ExportLine } from '@partnerkit/core';
import { parseEnvelope } from '@partnerkit/core/wire';
import { describeBroken, unorderedObjects } from '../../packages/conformance/src/prove/processes/books.ts';
import { type Ledger, nameOf } from './load.ts';
import type { OwnedEndpoint } from './office.ts';
import type { Arrival } from './partners.ts';
import type { Payment } from './stores.ts';

/** What a platform has at the end, and what its partners saw. */
export interface Evidence {
  readonly ledger: Pick<Ledger, 'confirmed' | 'rolledBack'>;
  readonly payments: readonly Payment[];
  readonly lines: readonly ExportLine[];
  readonly endpoints: readonly OwnedEndpoint[];
  readonly arrivals: ReadonlyMap<string, Arrival>;
  readonly parent: string;
  readonly children: readonly string[];
}

/** The books of a platform. */
export interface Books {
  readonly payments: number;
  /** Answered with success. */
  readonly confirmed: number;
  readonly events: number;
  readonly copies: number;
  readonly deliveries: number;
  readonly delivered: number;
  readonly exhausted: number;
  readonly expired: number;
  readonly attempts: number;
  /** Confirmations of receivers, beyond the first one of a delivery. */
  readonly duplicates: number;
}

interface StoredEvent extends Payment {
  readonly accountId: string;
  readonly id: string;
  readonly timestamp: number;
}
type StoredDelivery = Extract<ExportLine, { kind: 'delivery' }>['delivery'];

const readEvents = (lines: readonly ExportLine[]): readonly StoredEvent[] =>
  lines.flatMap((line) => {
    if (line.kind !== 'event' || !('body' in line.event)) return [];
    const { accountId, id, objectId, body, timestamp } = line.event;
    return [{ accountId, id, objectId, timestamp, nth: Number(parseEnvelope(body)?.data['nth']) }];
  });

/** What is in one list and not in the other one, as often. */
const missing = (from: readonly string[], others: readonly string[]): readonly string[] => {
  const left = new Map<string, number>();
  for (const name of others) left.set(name, (left.get(name) ?? 0) + 1);
  return from.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
};

/** A repaired endpoint is there from the first event to the last one, too. */
const isAlwaysThere = ({ path, manner }: OwnedEndpoint): boolean =>
  manner !== 'insecure' && !path.endsWith('/switched');

/** Balances the books. What does not balance is named, with a few examples. */
export const balance = (evidence: Evidence): { readonly books: Books; readonly broken: readonly string[] } => {
  const { ledger, payments, lines, endpoints, arrivals, parent, children } = evidence;
  const all = readEvents(lines);
  const own = all.filter(({ accountId }) => accountId !== parent);
  const copies = all.filter(({ accountId }) => accountId === parent);
  const stored = payments.map(nameOf);
  const paths = new Map(endpoints.map(({ id, path }) => [id, path]));
  const deliveries = lines.flatMap((line) => (line.kind === 'delivery' ? [line.delivery] : []));
  const confirmed = new Set(ledger.confirmed);
  const inState = (state: StoredDelivery['state']) => deliveries.filter((delivery) => delivery.state === state);
  const arrivalOf = ({ endpointId, eventId }: StoredDelivery) =>
    arrivals.get(`${paths.get(endpointId)} ${eventId}_${endpointId}`);
  const pairs = deliveries.map(({ endpointId, eventId }) => `${endpointId} ${eventId}`);
  const undelivered = endpoints
    .filter(isAlwaysThere)
    .map(({ accountId, id }) =>
      all.filter((event) => event.accountId === accountId).map((event) => `${id} ${event.id}`),
    );
  const laws: Readonly<Record<string, readonly string[]>> = {
    'each payment has its event': missing(stored, own.map(nameOf)),
    'each event has its payment': missing(own.map(nameOf), stored),
    'what was answered with success is stored': missing(ledger.confirmed, stored),
    'what was rolled back is not stored': stored.filter((name) => ledger.rolledBack.has(name)),
    'the parent has one copy of each event of its children': [
      ...missing(own.filter(({ accountId }) => children.includes(accountId)).map(nameOf), copies.map(nameOf)),
      ...missing(copies.map(nameOf), own.map(nameOf)),
    ],
    'each event has one delivery to each endpoint that was always there': undelivered.flatMap((wanted) =>
      missing(wanted, pairs),
    ),
    'no delivery is made twice': missing(pairs, [...new Set(pairs)]),
    'each delivery is delivered, exhausted or expired': deliveries
      .filter(({ state }) => state === 'waiting' || state === 'held')
      .map(({ id, state }) => `${id} is ${state}`),
    'what is delivered was confirmed by its receiver': inState('delivered')
      .filter((delivery) => !arrivalOf(delivery)?.confirmed)
      .map(({ id }) => id),
    'the timestamps of an object increase with its events': unorderedObjects(
      own
        .filter((event) => confirmed.has(nameOf(event)))
        .map(({ objectId, nth, timestamp }) => ({ object: objectId, n: nth, timestamp })),
    ),
  };
  const ofThese = deliveries.flatMap((delivery) => arrivalOf(delivery) ?? []);
  return {
    books: {
      ...{ payments: stored.length, confirmed: ledger.confirmed.length, events: own.length, copies: copies.length },
      ...{ deliveries: deliveries.length, delivered: inState('delivered').length },
      ...{ exhausted: inState('exhausted').length, expired: inState('expired').length },
      attempts: ofThese.reduce((sum, { posts }) => sum + posts, 0),
      duplicates: ofThese.reduce((sum, { confirmed }) => sum + Math.max(confirmed - 1, 0), 0),
    },
    broken: describeBroken(laws),
  };
};
