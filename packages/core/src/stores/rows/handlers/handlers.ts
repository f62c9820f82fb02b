import { pageLimit } from '../../../base/pagination/page.ts';
import { isId } from '../../../base/runtime/id.ts';
import type { EpochMs } from '../../../base/runtime/time.ts';
import { maxCounted } from '../../../base/signals/health-change.ts';
import type {
  HandlerDelivery,
  HandlerSettlement,
  HandlerStatus,
  HandlerStore,
} from '../../../webhooks/deliveries/handler-store.ts';
import { allShards } from '../../../webhooks/shards/shard.ts';
import { lockVersions, raiseVersions } from '../endpoints/versions.ts';
import { inDeliveryOrder, keyOfDelivery } from '../handler-deliveries/deliver.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { reportHandlers } from '../report/handlers.ts';
import { type HandlerDeliveryRow, type HandlerRow, handlerDeliveries, handlers } from '../tables/handlers.ts';
import { claim } from './claim.ts';
import { register } from './register.ts';

const viewOf = ({ accountId, eventId, handler, state, dueAt, attempts, log }: HandlerDeliveryRow): HandlerDelivery => {
  const delivery = { accountId, eventId, handler, attempts, log };
  return state === 'handled' || state === 'exhausted'
    ? { ...delivery, state }
    : { ...delivery, state: 'waiting', dueAt };
};

/** The row after its attempt has ended. */
const endedRow = (
  row: HandlerDeliveryRow,
  { claimed, outcome, durationMs, retryIn }: HandlerSettlement,
  now: EpochMs,
): HandlerDeliveryRow => {
  const at = row.log.at(-1)?.at ?? claimed.dueAt;
  const log = [...row.log.slice(0, -1), { at, outcome, durationMs }];
  const isFinal = outcome === 'handled' || retryIn === undefined;
  const state = outcome === 'handled' ? outcome : isFinal ? 'exhausted' : 'waiting';
  // Rounded up: never early.
  return { ...row, state, dueAt: isFinal ? row.dueAt : Math.ceil(now + retryIn), log };
};

function* settle(rows: RowTx, settlements: readonly HandlerSettlement[]): Plan<readonly boolean[]> {
  const keys = inDeliveryOrder(settlements.map(({ claimed }) => claimed)).map(keyOfDelivery);
  const found = new Map<string, HandlerDeliveryRow>();
  for (const row of yield* rows.get(handlerDeliveries, keys, 'update'))
    if (row) found.set(String(keyOfDelivery(row)), row);
  const now = yield* rows.now();
  const ended = settlements.map((settlement) => {
    const { claimed } = settlement;
    const row = found.get(String(keyOfDelivery(claimed)));
    const isCurrent = row?.state === 'waiting' && row.attempts === claimed.attempts && row.dueAt === claimed.dueAt;
    return isCurrent ? endedRow(row, settlement, now) : undefined;
  });
  yield* rows.put(
    handlerDeliveries,
    ended.filter((row) => row !== undefined),
  );
  return ended.map((row) => row !== undefined);
}

function* statusOf(rows: RowTx, { name, events, registeredAt, seenAt }: HandlerRow, now: EpochMs): Plan<HandlerStatus> {
  const ofHandler = [{ prefix: [name] as const, limit: maxCounted }];
  const [due = 0] = yield* rows.count(handlerDeliveries, 'due', ofHandler);
  const [ready = 0] = yield* rows.count(handlerDeliveries, 'turns', ofHandler);
  const [exhausted = 0] = yield* rows.count(handlerDeliveries, 'exhausted', ofHandler);
  const waiting = Math.min(due + ready, maxCounted);
  const first = yield* rows.scan(handlerDeliveries, 'due', [{ prefix: [name], to: [now] }], { limit: 1 });
  // Of each account, the oldest one comes first.
  const firsts = yield* rows.scan(handlerDeliveries, 'turns', [{ prefix: [name] }], { distinct: 2 });
  const oldest = Math.min(...[...first, ...firsts].map(({ dueAt }) => dueAt));
  const about = { name, events, registeredAt, seenAt, waiting, exhausted };
  return oldest <= now ? { ...about, oldestDue: now - oldest } : about;
}

function* list(rows: RowTx): Plan<readonly HandlerStatus[]> {
  const now = yield* rows.now();
  const all: HandlerStatus[] = [];
  for (const row of yield* rows.scan(handlers, 'all', [{ prefix: [] }])) all.push(yield* statusOf(rows, row, now));
  return all;
}

function* remove(rows: RowTx, name: string, limit: number): Plan<boolean> {
  const [known] = yield* rows.get(handlers, [[name]]);
  if (known) {
    yield* lockVersions(rows, allShards, 'update');
    const [removed] = yield* rows.delete(handlers, [[name]]);
    if (removed) yield* raiseVersions(rows, allShards);
  }
  const prefix = [name] as const;
  const waiting = yield* rows.scan(handlerDeliveries, 'due', [{ prefix }], { limit });
  const ready = yield* rows.scan(handlerDeliveries, 'turns', [{ prefix }], { limit });
  const found = [...waiting, ...ready].slice(0, limit);
  yield* rows.delete(handlerDeliveries, inDeliveryOrder(found).map(keyOfDelivery));
  return found.length === limit;
}

/** Handlers over rows. */
export const rowHandlers = <Tx extends object>(
  store: Pick<RowStore<Tx>, 'run' | 'join' | 'reports'>,
): HandlerStore<Tx> => ({
  register: (given, limit) => store.run('write', (rows) => register(rows, given, limit)),
  claim: (handler, limit, pauses, after) =>
    store.run('write', (rows) => claim(rows, handler, { limit, after }, pauses)),
  settle: (settlements, tx) =>
    tx ? store.join(tx, (rows) => settle(rows, settlements)) : store.run('write', (rows) => settle(rows, settlements)),
  listHandlers: store.reports ? reportHandlers(store.reports) : () => store.run('read', list),
  listDeliveries: (of, page) =>
    store.run('read', function* (rows) {
      if ('eventId' in of) {
        const range = { prefix: [of.accountId, of.eventId] as const };
        return { items: (yield* rows.scan(handlerDeliveries, 'event', [range])).map(viewOf) };
      }
      const { after, newestFirst = false } = page;
      if (after !== undefined && !isId(after)) return { items: [], invalidCursor: true };
      const bounds =
        after === undefined ? {} : newestFirst ? { before: [after] as const } : { after: [after] as const };
      const limit = pageLimit(page);
      const range = { prefix: [of.handler] as const, ...bounds };
      const found = yield* rows.scan(handlerDeliveries, 'exhausted', [range], { limit: limit + 1, newestFirst });
      const items = found.slice(0, limit);
      const last = items.at(-1);
      return { items: items.map(viewOf), ...(last && found.length > limit ? { next: last.eventId } : {}) };
    }),
  sendAgain: (key) =>
    store.run('write', function* (rows) {
      const [row] = yield* rows.get(handlerDeliveries, [keyOfDelivery(key)], 'update');
      if (row?.state !== 'exhausted') return row && viewOf(row).state;
      yield* rows.put(handlerDeliveries, [{ ...row, state: 'waiting', dueAt: yield* rows.now(), attempts: 0 }]);
      return 'exhausted';
    }),
  removeHandler: (handler, limit) => store.run('write', (rows) => remove(rows, handler, limit)),
});
