import type { ClaimedCommand, DueCommandKey, DueStore } from '../../requests/due-store.ts';
import { compareBytes } from '../../runtime/byte-order.ts';
import type { Plan, RowStore } from '../port/row-store.ts';
import { requestDue } from '../tables/requests.ts';

const compare = (a: DueCommandKey, b: DueCommandKey): number =>
  compareBytes(a.kind, b.kind) || compareBytes(a.id, b.id) || compareBytes(a.name, b.name);
const keyOf = ({ kind, id, name }: DueCommandKey) => [kind, id, name] as const;

/** The commands that objects wait for, over rows. @internal */
export const rowDue = <Tx extends object>(store: Pick<RowStore<Tx>, 'run' | 'join'>): DueStore<Tx> => ({
  plan: (tx, changes) =>
    store.join(tx, function* (rows) {
      const planned = changes.flatMap(({ dueAt, ...of }) =>
        dueAt === undefined ? [] : [{ ...of, dueAt, claimableAt: dueAt, attempts: 0 }],
      );
      const removed = changes.filter(({ dueAt }) => dueAt === undefined);
      yield* rows.get(requestDue, changes.toSorted(compare).map(keyOf), 'update');
      yield* rows.put(requestDue, planned);
      yield* rows.delete(requestDue, removed.map(keyOf));
    }),
  claim: (limit, lease) =>
    store.run('write', function* (rows): Plan<Awaited<ReturnType<DueStore<Tx>['claim']>>> {
      const now = yield* rows.now();
      const range = { prefix: [], to: [now] } as const;
      const found = yield* rows.scan(requestDue, 'claimable', [range], { limit, columns: ['kind', 'id', 'name'] });
      const locked = yield* rows.get(requestDue, found.map(keyOf), 'free');
      const claimed = locked.flatMap((row): readonly ClaimedCommand[] =>
        row && row.claimableAt <= now ? [{ ...row, attempts: row.attempts + 1, claimableAt: now + lease }] : [],
      );
      yield* rows.put(requestDue, claimed);
      return { now, claimed };
    }),
  release: (claimed, next) =>
    store.run('write', function* (rows) {
      const [row] = yield* rows.get(requestDue, [keyOf(claimed)], 'update');
      if (row?.attempts !== claimed.attempts || row.claimableAt !== claimed.claimableAt) return;
      if (!next) yield* rows.delete(requestDue, [keyOf(claimed)]);
      else {
        const claimableAt = (yield* rows.now()) + next.pause;
        yield* rows.put(requestDue, [{ ...row, dueAt: next.dueAt, claimableAt }]);
      }
    }),
});
