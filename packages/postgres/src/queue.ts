import { randomUUID } from 'node:crypto';
import type {
  Abandoned,
  Claim,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQueue,
  Settlement,
  StampedEvent,
  Taken,
} from '@partnerkit/core';
import { claimStatement } from './claim.ts';
import type { Database, Run } from './database.ts';
import { dispatchStatement, releaseStatement, takeOver, undispatched, wakeLater } from './dispatch.ts';
import type { SqlRow } from './driver.ts';
import { eventOf } from './events.ts';
import { logLate, settleStatement } from './settle.ts';
import { isUuid, zero } from './uuid.ts';
import { sleepWatch } from './watch.ts';

/** So many events are dispatched at once: a short transaction. */
const batch = 500;

const nothing: Taken = { claimed: [], abandoned: [] };

/** A lease names its account, so that whoever settles it needs no search. */
const leaseOf = (row: SqlRow): string => `${row['lease']} ${row['account']}`;
const partsOf = ({ deliveryId, lease }: Claim) => ({
  id: deliveryId,
  lease: lease.slice(0, zero.length),
  account: lease.slice(zero.length + 1),
});

/** What settling binds: plain values by the names of their columns. */
const settlementRow = (settlement: Settlement) => {
  const { outcome, next } = settlement;
  const { id, lease, account } = partsOf(settlement);
  return {
    account_id: account,
    id,
    lease,
    took: outcome.took,
    ...(outcome.kind === 'failed'
      ? { reason: outcome.reason }
      : { status: outcome.status, retry_after: outcome.retryAfter, body: outcome.body }),
    ...(typeof next === 'string' ? { state: next } : { retry_in: next.retryIn }),
  };
};

const abandonedOf = (row: SqlRow): Abandoned => ({
  accountId: String(row['account']),
  deliveryId: String(row['delivery']),
  endpointId: String(row['endpoint']),
  attempt: Number(row['attempt']),
  exhausted: row['exhausted'] === true,
});

const claimedOf = (row: SqlRow): ClaimedDelivery => ({
  deliveryId: String(row['delivery']),
  lease: leaseOf(row),
  attempt: Number(row['attempt']),
  event: eventOf(row) as StampedEvent,
  endpoint: JSON.parse(String(row['endpoint'])),
});

/** @internal */
export const deliveryQueue = <Tx extends object>(database: Database<Tx>): DeliveryQueue => {
  const { sql, run, alone } = database;
  const statements = {
    anything: sql(undispatched),
    dispatch: sql(dispatchStatement),
    wakeLater: sql(wakeLater),
    takeOver: sql(takeOver),
    claim: sql(claimStatement),
    settle: sql(settleStatement),
    logLate: sql(logLate),
    release: sql(releaseStatement),
  };
  const watch = sleepWatch(database, randomUUID());
  /** The endpoint that was served last. */
  let turn: readonly [account: string, endpoint: string] = ['', zero];

  const lease = async (own: Run, want: ClaimRequest): Promise<readonly ClaimedDelivery[]> => {
    if (want.limit < 1) return [];
    const rows = await own(statements.claim, [
      want.worker,
      want.limit,
      want.perEndpoint,
      want.perAccount,
      want.lease,
      ...turn,
    ]);
    const [first] = rows;
    if (first) turn = [String(first['lastaccount']), String(first['lastendpoint'])];
    return rows.filter((row) => row['delivery'] !== null).map(claimedOf);
  };

  return {
    dispatch: async (want) => {
      if ((await run(statements.anything)).length === 0) return { ...nothing, events: 0, ahead: [] };
      return alone(async (own) => {
        const [dispatched] = await own(statements.dispatch, [batch]);
        const events = Number(dispatched?.['events']);
        const claimed = events > 0 ? await lease(own, want) : [];
        return { claimed, abandoned: [], events, ahead: JSON.parse(String(dispatched?.['ahead'])) };
      });
    },
    claim: async (want) => {
      const [line] = await run(statements.wakeLater);
      const lapsed = line?.['lapsed'] === true;
      if (!lapsed && (line?.['due'] !== true || want.limit < 1)) return nothing;
      return alone(async (own) => {
        const taken = lapsed ? await own(statements.takeOver, [want.schedule.map(String)]) : [];
        return { claimed: await lease(own, want), abandoned: taken.map(abandonedOf) };
      });
    },
    settle: async (settlements) => {
      // In one order, so that two who settle the same do not wait for each other in a circle.
      const rows = settlements
        .map(settlementRow)
        .filter(({ id, lease: own }) => isUuid(id) && isUuid(own))
        .sort((a, b) => (a.lease < b.lease ? -1 : 1));
      if (rows.length === 0) return;
      const freed = new Set((await run(statements.settle, [JSON.stringify(rows)])).map(({ lease: own }) => own));
      const late = rows.filter(({ lease: own }) => !freed.has(own));
      if (late.length > 0) await run(statements.logLate, [JSON.stringify(late)]);
    },
    release: async (claims) => {
      const parts = claims.map(partsOf).filter(({ id, lease: own }) => isUuid(id) && isUuid(own));
      await run(statements.release, [
        parts.map(({ account }) => account),
        parts.map(({ lease: own }) => own),
        parts.map(({ id }) => id),
      ]);
    },
    watch,
  };
};
