import { describeBroken, unorderedObjects } from '../../../conformance/src/prove/processes/books.ts';
import { childAccounts, deadline, lease, parentAccount, retries } from './platform.ts';
import type { WorkerEnd } from './processes.ts';
import { keyOf, type PublishedEvent } from './publishing.ts';
import type { ReceivedPost } from './receiver.ts';
import type { LogRow, Records, StoredEvent } from './records.ts';
import type { Takeover } from './takeovers.ts';

/** An endpoint of a partner. */
export interface MadeEndpoint {
  readonly accountId: string;
  readonly id: string;
  readonly path: string;
  /** From before the first event to after the last one its partner wants all of them. */
  readonly isAlwaysThere: boolean;
}

/** What there is to compare when nothing is unfinished. */
export interface Evidence extends Records {
  readonly published: readonly PublishedEvent[];
  readonly endpoints: readonly MadeEndpoint[];
  readonly posts: readonly ReceivedPost[];
  readonly crowds: readonly string[];
  readonly takeovers: readonly Takeover[];
  readonly ends: ReadonlyMap<string, WorkerEnd>;
}

type Key = Pick<LogRow, 'accountId' | 'eventId' | 'endpointId'>;
const pairOf = ({ accountId, eventId, endpointId }: Key): string => `${accountId} ${eventId} ${endpointId}`;
const deliveryOf = (key: Key & Pick<LogRow, 'replay'>): string => `${pairOf(key)} ${key.replay}`;

const dataOf = ({ body }: Pick<StoredEvent, 'body'>): { readonly id: string; readonly nth: number } =>
  JSON.parse(body).data;
const nameOf = (event: Pick<StoredEvent, 'body'>): string => {
  const { id, nth } = dataOf(event);
  return keyOf({ objectId: id, nth });
};

const repeated = (names: readonly string[]): readonly string[] => {
  const seen = new Set<string>();
  return names.filter((name) => seen.has(name) || !seen.add(name));
};

/** Made from the evidence once, for many laws. */
const indexOf = (evidence: Evidence) => {
  const { events, log, posts, endpoints, takeovers } = evidence;
  const pathOf = new Map(endpoints.map(({ id, path }) => [id, path]));
  const postsOf = Map.groupBy(posts, ({ path, eventId }) => `${path} ${eventId}`);
  const takenOver = Map.groupBy(takeovers, ({ shard }) => shard);
  const eventOf = new Map(events.map((event) => [`${event.accountId} ${event.id}`, event]));
  return {
    logOf: Map.groupBy(log, deliveryOf),
    eventOf: ({ accountId, eventId }: Pick<Key, 'accountId' | 'eventId'>) => eventOf.get(`${accountId} ${eventId}`),
    receivedOf: ({ endpointId, eventId }: Key) => postsOf.get(`${pathOf.get(endpointId)} ${eventId}`) ?? [],
    takeoversOf: (event: StoredEvent | undefined) => takenOver.get(event?.shard ?? -1)?.length ?? 0,
    pairs: events.flatMap((event) =>
      event.endpointIds.map((endpointId) => ({ accountId: event.accountId, eventId: event.id, endpointId, event })),
    ),
  };
};
type Index = ReturnType<typeof indexOf>;

type Law = (evidence: Evidence, index: Index) => readonly string[];

const laws: Readonly<Record<string, Law>> = {
  'nothing that was committed is lost, and nothing is stored twice': ({ published, events }) => {
    const names = events.filter(({ accountId }) => accountId !== parentAccount).map(nameOf);
    const stored = new Set(names);
    const committed = published.filter(({ outcome }) => outcome === 'committed');
    return [...committed.map(keyOf).filter((name) => !stored.has(name)), ...repeated(names)];
  },
  'nothing is stored or sent that was rolled back, or never published': ({ published, events, posts }) => {
    const sound = new Set(published.filter(({ outcome }) => outcome !== 'rolled_back').map(keyOf));
    return [...events, ...posts].map(nameOf).filter((name) => !sound.has(name));
  },
  'the parent has one copy of each event of its children': ({ events }) => {
    const copies = events.filter(({ accountId }) => accountId === parentAccount).map(nameOf);
    const originals = events.filter(({ accountId }) => childAccounts.includes(accountId)).map(nameOf);
    const [copied, made] = [new Set(copies), new Set(originals)];
    return [
      ...originals.filter((name) => !copied.has(name)),
      ...copies.filter((name) => !made.has(name)),
      ...repeated(copies),
    ];
  },
  'an event is dispatched to every endpoint of its account, once': ({ events, endpoints }) =>
    events.flatMap(({ accountId, id, endpointIds }) => [
      ...endpoints
        .filter((endpoint) => endpoint.accountId === accountId && endpoint.isAlwaysThere)
        .filter((endpoint) => !endpointIds.includes(endpoint.id))
        .map(({ path }) => `${id} to ${path}`),
      ...repeated(endpointIds),
    ]),
  'a delivery ends once, or is held': ({ log, pending }, { pairs, logOf }) => {
    const waiting = new Map(pending.map((row) => [deliveryOf(row), row]));
    const known = new Set([
      ...pairs.map((pair) => deliveryOf({ ...pair, replay: 0 })),
      ...log.map(deliveryOf),
      ...waiting.keys(),
    ]);
    return [...known].filter((delivery) => {
      const ends = (logOf.get(delivery) ?? []).filter(({ state }) => state !== null).length;
      const row = waiting.get(delivery);
      return row ? ends > 0 || !row.isHeld : ends !== 1;
    });
  },
  'a log is numbered from 1, ends with what became of its delivery, and counts five attempts at most': (_, { logOf }) =>
    [...logOf].flatMap(([delivery, rows]) => {
      const isNumbered = rows.every(
        ({ number, state }, index) => number === index + 1 && (state === null || index === rows.length - 1),
      );
      const counted = rows.filter(({ reason, status }) => status !== 410 && !uncounted.has(reason ?? '')).length;
      const isExhausted = rows.at(-1)?.state === 'exhausted';
      const isCounted = isExhausted ? counted === retries.length + 1 : counted <= retries.length + 1;
      return isNumbered && isCounted ? [] : [`${delivery}: ${rows.map(({ status, reason }) => status ?? reason)}`];
    }),
  'what is delivered was confirmed by the receiver': ({ log }, { receivedOf }) =>
    log
      .filter(({ state, status }) => state === 'delivered' && status !== 204)
      .map(deliveryOf)
      .concat(log.filter((row) => row.state === 'delivered' && receivedOf(row).length === 0).map(deliveryOf)),
  'all attempts of a delivery send the bytes that were stored': ({ endpoints, posts }, { eventOf }) => {
    const accountOf = new Map(endpoints.map(({ path, accountId }) => [path, accountId]));
    return posts
      .filter(({ path, eventId, body }) => eventOf({ accountId: accountOf.get(path) ?? '', eventId })?.body !== body)
      .map(({ path, eventId }) => `${eventId} to ${path}`);
  },
  'no two events of an account share an object and a timestamp': ({ events }) =>
    repeated(events.map(({ accountId, objectId, timestamp }) => `${accountId} ${objectId} ${timestamp}`)),
  'the timestamps of an object increase in the order in which its events were committed': ({ events, published }) => {
    const inTurn = new Set(published.filter((event) => event.isInTurn).map(keyOf));
    return unorderedObjects(
      events
        .filter((event) => event.accountId !== parentAccount && inTurn.has(nameOf(event)))
        .map((event) => ({
          object: `${event.accountId} ${event.objectId}`,
          n: dataOf(event).nth,
          timestamp: event.timestamp,
        })),
    );
  },
  'no more are in flight to an endpoint than may be': ({ crowds }) => crowds,
  'an attempt begins only if the lease outlives it': ({ posts, ends }) =>
    posts
      .filter(({ workerId }) => !ends.get(workerId)?.isStopped)
      // A machine that is busy may interrupt a process between the decision and the beginning.
      .filter(({ startedAt, leaseUntil }) => leaseUntil - startedAt < 0.75 * deadline)
      .map(({ workerId, startedAt, leaseUntil }) => `${workerId} with ${leaseUntil - startedAt} ms left`),
  'a shard is taken only from a worker that was killed, or let its lease expire': ({ takeovers, ends }) =>
    takeovers.flatMap(({ shard, from }) => {
      const end = ends.get(from);
      const isGone = end && (end.isKilled || end.isStopped || end.couldNotLeave || end.unrenewedFor !== undefined);
      return isGone ? [] : [`shard ${shard} from ${from}`];
    }),
  'a worker is fenced only after its lease, by its own clock': ({ ends }) =>
    [...ends].flatMap(([workerId, { unrenewedFor }]) =>
      // The clocks of the server and of the machine may run apart a little.
      unrenewedFor === undefined || unrenewedFor > 0.98 * lease ? [] : [`${workerId} after ${unrenewedFor} ms`],
    ),
  'an attempt is abandoned only by a worker whose shard was taken': (_, { logOf, eventOf, takeoversOf }) =>
    [...logOf].flatMap(([delivery, rows]) => {
      const abandoned = rows.filter(({ reason }) => reason === 'abandoned').length;
      return abandoned > takeoversOf(eventOf(rows[0] as LogRow)) ? [`${delivery}: ${abandoned}`] : [];
    }),
  'an attempt is made again only if it failed, or its shard was taken': ({ log, pending }, index) => {
    const { pairs, receivedOf, takeoversOf } = index;
    const attempts = Map.groupBy(
      log.filter(({ reason }) => !uncounted.has(reason ?? '')),
      pairOf,
    );
    const replays = Map.groupBy(
      [...log.filter(({ number }) => number === 1), ...pending.filter(({ replay }) => replay > 0)],
      pairOf,
    );
    return pairs.flatMap((pair) => {
      const logged = attempts.get(pairOf(pair)) ?? [];
      const answered = logged.filter(({ status }) => status !== null).length;
      const received = receivedOf(pair).length;
      const unlogged = takeoversOf(pair.event) * Math.max(replays.get(pairOf(pair))?.length ?? 0, 1);
      const isSound = answered <= received && received <= logged.length + unlogged;
      return isSound
        ? []
        : [`${pairOf(pair)}: ${received} received, ${logged.length} logged, ${unlogged} may be missing`];
    });
  },
};

/** The names of all laws. */
export const chaosLaws: readonly string[] = Object.keys(laws);

/** Reasons of rows of a log that are no attempts, or do not count. */
const uncounted = new Set(['abandoned', 'endpoint_deleted', 'held_too_long']);

/** The laws that are broken, with a few examples of each. */
export const brokenLaws = (evidence: Evidence): readonly string[] => {
  const index = indexOf(evidence);
  return describeBroken(Object.fromEntries(Object.entries(laws).map(([law, check]) => [law, check(evidence, index)])));
};
