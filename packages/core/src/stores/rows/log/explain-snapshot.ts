import type { ExplainSnapshot } from '../../../webhooks/log/explain-snapshot.ts';
import { pausedUntil } from '../endpoints/health.ts';
import { historyOf, reasonOf, snapshotAt } from '../endpoints/history.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { parentPropagation } from '../tables/deliveries.ts';
import { type HistoryRow, health } from '../tables/endpoints.ts';
import { dispatches, events } from '../tables/events.ts';
import { factOf, readDeliveriesTo, readSurroundings } from './facts.ts';

const columns = ['objectName', 'type', 'onlyTo', 'origin'] as const;

/** What happened to the event, if it is stored. */
function* readEvent(
  rows: RowTx,
  accountId: string,
  eventId: string,
  history: readonly HistoryRow[],
): Plan<ExplainSnapshot['event']> {
  const range = { prefix: [accountId, eventId] as const };
  const [row] = yield* rows.scan(events, 'list', [range], { columns });
  const [dispatched] = yield* rows.scan(dispatches, 'list', [range], { columns: ['endpointVersion'] });
  if (!row) return undefined;
  const { objectName, type, onlyTo, origin } = row;
  return {
    objectName,
    type,
    ...(onlyTo === undefined ? {} : { onlyTo }),
    ...(origin === undefined ? {} : { origin }),
    ...(dispatched ? { endpointSnapshot: snapshotAt(history, dispatched.endpointVersion) } : {}),
  };
}

/** Reads the facts that explain an event for an endpoint. */
export function* readExplainSnapshot(
  rows: RowTx,
  accountId: string,
  eventId: string,
  endpointId: string,
): Plan<ExplainSnapshot> {
  const now = yield* rows.now();
  const history = yield* historyOf(rows, accountId, endpointId);
  const event = yield* readEvent(rows, accountId, eventId, history);
  const [child] = event ? [] : yield* rows.scan(parentPropagation, 'event', [{ prefix: [eventId], limit: 1 }]);
  const [fails] = yield* rows.get(health, [[accountId, endpointId]]);
  const { deliveries } = yield* readDeliveriesTo(rows, accountId, eventId, endpointId);
  const surroundings = yield* readSurroundings(rows, accountId, [endpointId]);
  const disabledBy = reasonOf(history.at(-1));
  const until = fails ? pausedUntil(fails) : 0;
  return {
    now,
    ...(event ? { event } : {}),
    ...(child ? { propagating: child.accountId } : {}),
    ...(history.length > 0
      ? { endpoint: { ...(disabledBy ? { disabledBy } : {}), ...(until > now ? { pausedUntil: until } : {}) } }
      : {}),
    deliveries: deliveries.map((each) => factOf(each, surroundings)),
  };
}
