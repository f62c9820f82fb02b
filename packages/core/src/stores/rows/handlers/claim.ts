import type { DurationMs, EpochMs } from '../../../base/runtime/time.ts';
import type { ClaimedDelivery, HandlerDeliveryKey } from '../../../webhooks/deliveries/handler-store.ts';
import { operationalEvent } from '../../../webhooks/deliveries/operational-event.ts';
import type { DispatchedEvent } from '../../../webhooks/events/event.ts';
import { entryOf } from '../audit/entry.ts';
import { dispatchedEvents } from '../events/event-rows.ts';
import { keyOfDelivery } from '../handler-deliveries/deliver.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { auditEntries } from '../tables/audit.ts';
import { type HandlerDeliveryRow, handlerDeliveries } from '../tables/handlers.ts';

const keyColumns = ['accountId', 'eventId', 'handler'] as const;

/** Maximum number of deliveries that one claim makes ready: then all that is due soon takes turns. */
const maxReady = 500;

/** Locks the unlocked rows among these, in the order given. Leaves out rows that were claimed since they were found. */
function* lockDue(
  rows: RowTx,
  found: readonly HandlerDeliveryKey[],
  now: EpochMs,
): Plan<readonly HandlerDeliveryRow[]> {
  const locked = yield* rows.get(handlerDeliveries, found.map(keyOfDelivery), 'free');
  const isDue = ({ state, dueAt }: HandlerDeliveryRow): boolean =>
    state === 'ready' || (state === 'waiting' && dueAt <= now);
  return locked.flatMap((row) => (row && isDue(row) ? [row] : []));
}

/** More is due than is claimed: it takes turns from now on. */
function* makeReady(rows: RowTx, handler: string, now: EpochMs): Plan<void> {
  const range = { prefix: [handler], to: [now] } as const;
  const found = yield* rows.scan(handlerDeliveries, 'due', [range], { limit: maxReady, columns: keyColumns });
  const due = yield* lockDue(rows, found, now);
  yield* rows.put(
    handlerDeliveries,
    due.map((row) => ({ ...row, state: 'ready' }) as const),
  );
}

/** Ready deliveries: the first of each account, then the second of each. */
function* findReady(rows: RowTx, handler: string, limit: number, after: string): Plan<readonly HandlerDeliveryKey[]> {
  const around = [
    { prefix: [handler], after: [after] },
    { prefix: [handler], to: [after] },
  ] as const;
  const options = { distinct: 2, limit, columns: ['accountId'] as const };
  const accounts = yield* rows.scan(handlerDeliveries, 'turns', around, options);
  if (accounts.length === 0) return [];
  const ranges = accounts.map(({ accountId }) => ({ prefix: [handler, accountId] as const, limit }));
  const found = yield* rows.scan(handlerDeliveries, 'turns', ranges, { columns: keyColumns });
  const queues = accounts.map(({ accountId }) => found.filter((each) => each.accountId === accountId));
  const rounds = Array.from({ length: limit }, (_, round) => queues.flatMap((queue) => queue.slice(round, round + 1)));
  return rounds.flat().slice(0, limit);
}

/** The events of deliveries of entries of the audit trail. */
function* operationalEvents(
  rows: RowTx,
  of: readonly HandlerDeliveryKey[],
): Plan<ReadonlyMap<string, DispatchedEvent>> {
  if (of.length === 0) return new Map();
  const found = yield* rows.get(
    auditEntries,
    of.map(({ eventId }) => [eventId] as const),
  );
  return new Map(found.flatMap((row) => (row ? [[row.id, operationalEvent(entryOf(row))]] : [])));
}

/** Claims due deliveries of a handler. */
export function* claim(
  rows: RowTx,
  handler: string,
  { limit, after = '' }: { readonly limit: number; readonly after?: string | undefined },
  pauses: readonly DurationMs[],
): Plan<readonly ClaimedDelivery[]> {
  if (limit <= 0) return [];
  const now = yield* rows.now();
  const range = { prefix: [handler], to: [now] } as const;
  const waiting = yield* rows.scan(handlerDeliveries, 'due', [range], { limit: limit + 1, columns: keyColumns });
  const ready = yield* rows.scan(handlerDeliveries, 'turns', [{ prefix: [handler] }], {
    limit: 1,
    columns: keyColumns,
  });
  if (waiting.length === 0 && ready.length === 0) return [];
  const isEnough = waiting.length <= limit && ready.length === 0;
  if (!isEnough && waiting.length > 0) yield* makeReady(rows, handler, now);
  const due = yield* lockDue(rows, isEnough ? waiting : yield* findReady(rows, handler, limit, after), now);
  const taken = due.map((row): HandlerDeliveryRow => {
    const pause = pauses[row.attempts];
    // The worker of its last attempt died.
    if (pause === undefined) return { ...row, state: 'exhausted' };
    const log = [...row.log, { at: now }];
    return { ...row, state: 'waiting', attempts: row.attempts + 1, dueAt: now + pause, log };
  });
  yield* rows.put(handlerDeliveries, taken);
  const claimed = taken.filter(({ state }) => state === 'waiting');
  const events = yield* dispatchedEvents(
    rows,
    claimed.map(({ accountId, eventId }) => [accountId, eventId]),
  );
  const operational = yield* operationalEvents(
    rows,
    claimed.filter((_, index) => !events[index]),
  );
  return claimed.flatMap(({ accountId, eventId, attempts, dueAt }, index) => {
    const event = events[index] ?? operational.get(eventId);
    return event ? [{ accountId, eventId, handler, attempts, dueAt, event }] : [];
  });
}
