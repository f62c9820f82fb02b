import type { AuditChain, AuditStore, LinkedEntry } from '../../../base/audit/audit-store.ts';
import { pageLimit } from '../../../base/pagination/page.ts';
import { isId } from '../../../base/runtime/id.ts';
import type { DurationMs } from '../../../base/runtime/time.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { type AuditRow, auditChains, auditEntries } from '../tables/audit.ts';
import { handlerDeliveries } from '../tables/handlers.ts';
import { appendAudit } from './append.ts';
import { entryOf } from './entry.ts';

const linkedOf = (row: AuditRow): LinkedEntry => ({ ...entryOf(row), position: row.position, link: row.link });

function* chainOf(rows: RowTx, shard: number, lock?: 'update'): Plan<AuditChain> {
  const [row] = yield* rows.get(auditChains, [[shard]], lock);
  const { position = 0, link = '', prunedPosition = 0, prunedLink = '' } = row ?? {};
  return { shard, last: { position, link }, pruned: { position: prunedPosition, link: prunedLink } };
}

function* store(rows: RowTx, { shard, last, pruned }: AuditChain): Plan<void> {
  const row = { shard, ...last, prunedPosition: pruned.position, prunedLink: pruned.link };
  yield* rows.put(auditChains, [row]);
}

function* link(rows: RowTx, ...[shard, last, places]: Parameters<AuditStore['link']>): Plan<boolean> {
  // Two workers that begin a chain: the second one waits here.
  const empty = { shard, position: 0, link: '', prunedPosition: 0, prunedLink: '' };
  yield* rows.insert(auditChains, [empty], 'ignore');
  const chain = yield* chainOf(rows, shard, 'update');
  if (chain.last.position !== last.position || chain.last.link !== last.link) return false;
  const ids = places.map(({ id }) => [id] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const found = new Map((yield* rows.get(auditEntries, ids, 'update')).map((row) => [row?.id, row]));
  const linked = places.flatMap(({ id, ...place }): AuditRow[] => {
    const row = found.get(id);
    return row?.state === 'new' ? [{ ...row, ...place, state: 'linked' }] : [];
  });
  const end = linked.at(-1);
  if (!end || linked.length < places.length) return false;
  yield* rows.put(auditEntries, linked);
  yield* store(rows, { ...chain, last: { position: end.position, link: end.link } });
  return true;
}

function* prune(rows: RowTx, shard: number, age: DurationMs, limit: number): Plan<boolean> {
  const before = (yield* rows.now()) - age;
  const first = yield* rows.scan(auditEntries, 'linked', [{ prefix: [shard] }], { limit });
  const kept = first.findIndex(({ at }) => at > before);
  const old = kept < 0 ? first : first.slice(0, kept);
  const end = old.at(-1);
  if (!end) return false;
  const chain = yield* chainOf(rows, shard, 'update');
  // Another worker pruned.
  if (chain.pruned.position >= end.position) return true;
  const ofEntries = old.map(({ accountId, id }) => ({ prefix: [accountId, id] as const }));
  const deliveries = yield* rows.scan(handlerDeliveries, 'event', ofEntries);
  yield* rows.delete(
    handlerDeliveries,
    deliveries.map(({ accountId, eventId, handler }) => [accountId, eventId, handler] as const),
  );
  yield* rows.delete(
    auditEntries,
    old.map(({ id }) => [id] as const),
  );
  yield* store(rows, { ...chain, pruned: { position: end.position, link: end.link } });
  return old.length === limit;
}

/** The audit trail over rows. */
export const rowAudit = <Tx extends object>(rowStore: Pick<RowStore<Tx>, 'run' | 'join'>): AuditStore<Tx> => ({
  tell: (entries, tx) => {
    const plan = function* (rows: RowTx): Plan<void> {
      for (const entry of entries) yield* appendAudit(rows, entry);
    };
    return tx ? rowStore.join(tx, plan) : rowStore.run('write', plan);
  },
  listEntries: (accountId, page) =>
    rowStore.run('one', function* (rows) {
      const { after, newestFirst = false } = page;
      if (after !== undefined && !isId(after)) return { items: [], invalidCursor: true };
      const bounds =
        after === undefined ? {} : newestFirst ? { before: [after] as const } : { after: [after] as const };
      const limit = pageLimit(page);
      const options = { limit: limit + 1, newestFirst };
      const found =
        accountId === undefined
          ? yield* rows.scan(auditEntries, 'all', [{ prefix: [], ...bounds }], options)
          : yield* rows.scan(auditEntries, 'account', [{ prefix: [accountId], ...bounds }], options);
      const items = found.slice(0, limit);
      const last = items.at(-1);
      return { items: items.map(entryOf), ...(last && found.length > limit ? { next: last.id } : {}) };
    }),
  readChains: (shards) =>
    rowStore.run('read', function* (rows) {
      const chains: AuditChain[] = [];
      for (const shard of shards) chains.push(yield* chainOf(rows, shard));
      return chains;
    }),
  readUnlinkedShards: (shards) =>
    rowStore.run('read', function* (rows) {
      const ranges = shards.map((shard) => ({ prefix: [shard] as const, limit: 1 }));
      return (yield* rows.scan(auditEntries, 'new', ranges, { columns: ['shard'] })).map(({ shard }) => shard);
    }),
  readUnlinked: (shard, limit) =>
    rowStore.run('one', function* (rows) {
      return (yield* rows.scan(auditEntries, 'new', [{ prefix: [shard] }], { limit })).map(entryOf);
    }),
  link: (shard, last, entries) => rowStore.run('write', (rows) => link(rows, shard, last, entries)),
  readLinked: (shard, after, limit) =>
    rowStore.run('one', function* (rows) {
      const range = { prefix: [shard] as const, after: [after] as const };
      return (yield* rows.scan(auditEntries, 'linked', [range], { limit })).map(linkedOf);
    }),
  pruneEntries: (shard, age, limit) => rowStore.run('write', (rows) => prune(rows, shard, age, limit)),
});
