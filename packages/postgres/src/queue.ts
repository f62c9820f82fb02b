import { randomUUID } from 'node:crypto';
import {
  type Abandoned,
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
  type DeliveryQueue,
  type Dispatched,
  day,
  type Endpoint,
  type EventType,
  envelopeText,
  type ObjectName,
  type Pruned,
  type Settlement,
  type StampedEvent,
} from '@partnerkit/core';
import type { Database } from './database.ts';
import type { SqlValue } from './driver.ts';
import { knownEndpoints } from './known-endpoints.ts';
import { isUuid, zero } from './uuid.ts';
import { sleepWatch } from './watch.ts';

/** So many events are dispatched at once while they pile up: a short transaction. */
const mostAtOnce = 500;

/**
 * While they do not, about as many as there are slots, so that most are leased without waiting in line. Never few, so that what comes after
 * a crowd is found soon.
 */
const batchFor = (slots: number): number => (slots < 1 ? mostAtOnce : Math.min(Math.max(slots, 20), mostAtOnce));

/** Caps and ages may be any whole numbers, of which PostgreSQL knows fewer. No more is ever leased, and nothing is older. */
const largestInteger = 2 ** 31 - 1;
const longAgo = 36_500 * day;

/** A leased delivery, as the function `lease` answers. */
type LeasedRow = readonly [
  deliveryId: string,
  lease: string,
  attempt: number,
  endpointId: string,
  endpointVersion: number,
  eventId: string,
  accountId: string,
  objectName: ObjectName,
  objectId: string,
  type: EventType,
  second: number,
  rest: string,
  occurredAt: number | null,
  idempotencyKey: string | null,
  traceContext: string | null,
  origin: string | null,
];

/** What the function `dispatch` answers: the endpoints of a few leased deliveries, or none. */
interface DispatchAnswer {
  readonly events: number;
  readonly turn?: string;
  readonly referring?: boolean;
  readonly ahead?: Dispatched['ahead'] | null;
  readonly traced?: Dispatched['traced'] | null;
  readonly claimed?: readonly LeasedRow[] | null;
  readonly endpoints?: readonly Endpoint[] | null;
}

/** What the function `claim` answers. */
interface ClaimAnswer {
  /** By the server's clock, when it looked for lapsed leases. */
  readonly swept?: number | null;
  readonly abandoned?: readonly Abandoned[] | null;
  readonly taken?: {
    /** The endpoint that was looked at last. */
    readonly turn: readonly [account: string, endpoint: string] | null;
    readonly claimed: readonly LeasedRow[] | null;
    readonly endpoints: readonly Endpoint[] | null;
  } | null;
}

/** What the function `prune` answers. */
interface PruneAnswer {
  readonly expired: Pruned['expired'] | null;
  readonly more: boolean;
  readonly after: number | null;
}

/** A lease names its account, so that whoever settles it needs no search. */
const leaseOf = (lease: string, accountId: string): string => `${lease} ${accountId}`;
const partsOf = ({ deliveryId, lease }: Claim) => ({
  id: deliveryId,
  lease: lease.slice(0, zero.length),
  account: lease.slice(zero.length + 1),
});

/** Where a delivery goes. One whose endpoint is gone waits, or is held, as one that is due. */
const moved = (next: Settlement['next']) => {
  if (next === 'gone') return { gone: true, retry_in: 0 };
  if (next === 'out_of_reach') return { expired: true };
  return typeof next === 'string' ? { state: next } : { retry_in: next.retryIn };
};

/** What settling binds: plain values by the names of their columns. */
const settlementRow = (settlement: Settlement) => {
  const { outcome, next, pauseFor } = settlement;
  const { id, lease, account } = partsOf(settlement);
  return {
    account_id: account,
    id,
    lease,
    took: outcome.took,
    ...(outcome.kind === 'failed'
      ? { reason: outcome.reason }
      : { status: outcome.status, retry_after: outcome.retryAfter, body: outcome.body }),
    ...moved(next),
    pause_for: pauseFor,
  };
};

const leasedEvent = (row: LeasedRow): StampedEvent => {
  const [
    ,
    ,
    ,
    ,
    ,
    id,
    accountId,
    objectName,
    objectId,
    type,
    timestamp,
    rest,
    occurredAt,
    idempotencyKey,
    traceContext,
    origin,
  ] = row;
  return {
    id,
    accountId,
    objectName,
    objectId,
    type,
    ...(occurredAt === null ? {} : { occurredAt }),
    ...(idempotencyKey === null ? {} : { idempotencyKey }),
    ...(traceContext === null ? {} : { traceContext }),
    ...(origin === null ? {} : { origin }),
    rest,
    timestamp,
    body: envelopeText(timestamp, rest),
  };
};

/** @internal */
export const deliveryQueue = <Tx extends object>(database: Database<Tx>): DeliveryQueue => {
  const { sql, runCommitted } = database;
  const dispatch = sql(
    'select partnerkit.dispatch($1, $2::int, $3::int, $4::int, $5::float8, $6::int, $7)::text as answer',
  );
  const claim = sql(
    'select partnerkit.claim($1, $2::int, $3::int, $4::int, $5::float8, $6, $7::uuid, ($8::text[])::float8[], $9::float8)::text as answer',
  );
  const settle = sql('select partnerkit.settle(($1::text)::json, $2::int, $3::boolean)::text as turns');
  const prune = sql('select partnerkit.prune($1::float8, $2::float8, $3::float8, $4::int, $5::float8)::text as answer');
  const release = sql('select partnerkit.release($1::text[], ($2::text[])::uuid[], ($3::text[])::uuid[])::text');
  const endpointsOf = knownEndpoints(database);
  const watch = sleepWatch(database, randomUUID());
  /** Whose turn was the last. */
  let turn: readonly [account: string, endpoint: string] = ['', zero];
  /** The account that was the last in turn at a dispatch. */
  let dispatchTurn = '';
  /** The last dispatch took all that it may, and could not lease as much as was asked for. */
  let pilesUp = false;
  /** When lapsed leases were looked for, in seconds by the server's clock. */
  let sweptAt: number | null = null;
  /** When the events were dispatched that were looked at last, in seconds by the server's clock; null once all were. */
  let prunedTo: number | null = null;

  const ask = async <T>(
    statement: string,
    want: ClaimRequest,
    ...more: readonly (SqlValue | readonly string[])[]
  ): Promise<T> => {
    const { worker, limit, perEndpoint, perAccount, lease } = want;
    const caps = [limit, perEndpoint, perAccount].map((cap) => Math.min(cap, largestInteger));
    const [row] = await runCommitted(statement, [worker, ...caps, lease, ...more]);
    return JSON.parse(String(row?.['answer']));
  };

  const giveBack = async (claims: readonly Claim[]): Promise<void> => {
    const parts = claims.map(partsOf).filter(({ id, lease }) => isUuid(id) && isUuid(lease));
    if (parts.length === 0) return;
    await runCommitted(release, [
      parts.map(({ account }) => account),
      parts.map(({ id }) => id),
      parts.map(({ lease }) => lease),
    ]);
  };

  /** Leased deliveries with their endpoints. One that was deleted meanwhile takes its deliveries with it. */
  const claimedOf = async (
    rows: readonly LeasedRow[],
    told: readonly Endpoint[],
  ): Promise<readonly ClaimedDelivery[]> => {
    const wanted = rows.map(([, , , id, version, , accountId]) => ({ accountId, id, version }));
    const endpoints = await endpointsOf(wanted, told);
    const claimed: ClaimedDelivery[] = [];
    const orphans: Claim[] = [];
    for (const row of rows) {
      const [deliveryId, token, attempt, endpointId, , , accountId] = row;
      const endpoint = endpoints.get(endpointId);
      const lease = leaseOf(token, accountId);
      if (endpoint) claimed.push({ deliveryId, lease, attempt, event: leasedEvent(row), endpoint });
      else orphans.push({ deliveryId, lease });
    }
    await giveBack(orphans);
    return claimed;
  };

  return {
    dispatch: async (want) => {
      const batch = pilesUp ? mostAtOnce : batchFor(want.limit);
      const answer = await ask<DispatchAnswer>(dispatch, want, batch, dispatchTurn);
      dispatchTurn = answer.turn ?? dispatchTurn;
      const { events, referring = false, ahead, traced, claimed, endpoints } = answer;
      pilesUp = events >= batch && (claimed?.length ?? 0) < want.limit;
      return {
        claimed: await claimedOf(claimed ?? [], endpoints ?? []),
        abandoned: [],
        events,
        referring,
        ahead: ahead ?? [],
        traced: traced ?? [],
      };
    },
    claim: async (want) => {
      const { abandoned, taken, swept } = await ask<ClaimAnswer>(
        claim,
        want,
        ...turn,
        want.schedule.map(String),
        sweptAt,
      );
      turn = taken?.turn ?? turn;
      sweptAt = swept ?? sweptAt;
      return { claimed: await claimedOf(taken?.claimed ?? [], taken?.endpoints ?? []), abandoned: abandoned ?? [] };
    },
    settle: async (settlements) => {
      const failed = settlements.some(({ next }) => next !== 'delivered');
      // In one order, so that two who settle the same do not wait for each other in a circle; where it matters, what came first is judged first.
      const rows = settlements
        .map((settlement, place) => ({ ...settlementRow(settlement), ...(failed ? { place } : {}) }))
        .filter(({ id, lease }) => isUuid(id) && isUuid(lease))
        .sort((a, b) => (a.lease < b.lease ? -1 : 1));
      if (rows.length === 0) return [];
      const [row] = await runCommitted(settle, [JSON.stringify(rows), rows.length, failed]);
      const turns = row?.['turns'];
      return typeof turns === 'string' ? JSON.parse(turns) : [];
    },
    release: giveBack,
    watch,
    prune: async ({ held, events, attempts, most }) => {
      const ages = [held, events, attempts].map((age) => Math.min(age, longAgo));
      const [row] = await runCommitted(prune, [...ages, most, prunedTo]);
      const { expired, more, after }: PruneAnswer = JSON.parse(String(row?.['answer']));
      prunedTo = after;
      return { expired: expired ?? [], more };
    },
  };
};
