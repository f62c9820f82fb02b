import { compareBytes } from '../../../base/runtime/byte-order.ts';
import type { EpochMs } from '../../../base/runtime/time.ts';
import type { ClaimedCommand, DueAccount, DueCommandKey, DueStore } from '../../../requests/stores/due-store.ts';
import type { Plan, RowStore, RowTx, Step } from '../port/row-store.ts';
import type { RowOf } from '../port/table.ts';
import { requestDue } from '../tables/requests.ts';

type DueRow = RowOf<typeof requestDue>;
const keyColumns = ['kind', 'id', 'name'] as const;
const accountColumns = ['accountId', 'environment'] as const;

/** Maximum number of commands that one claim makes ready: then all that is due soon takes turns. */
const maxReady = 500;

const compare = (a: DueCommandKey, b: DueCommandKey): number =>
  compareBytes(a.kind, b.kind) || compareBytes(a.id, b.id) || compareBytes(a.name, b.name);
const keyOf = ({ kind, id, name }: DueCommandKey) => [kind, id, name] as const;
const areSame = (a: DueAccount, b: DueAccount): boolean =>
  a.accountId === b.accountId && a.environment === b.environment;

const commandOf = ({ rank, state: _state, ...row }: DueRow): ClaimedCommand => ({ ...row, isReminder: rank === 1 });

/** Locks what others have not locked, in the order given. What was claimed since it was found is left out. */
function* lockDue(rows: RowTx, found: readonly DueCommandKey[], now: EpochMs): Plan<readonly DueRow[]> {
  const locked = yield* rows.get(requestDue, found.map(keyOf), 'free');
  return locked.flatMap((row) => (row && row.claimableAt <= now ? [row] : []));
}

/** More is due than is claimed: it takes turns from now on. */
function* makeReady(rows: RowTx, now: EpochMs): Plan<void> {
  const range = { prefix: [], to: [now] } as const;
  const found = yield* rows.scan(requestDue, 'claimable', [range], { limit: maxReady, columns: keyColumns });
  const due = yield* lockDue(rows, found, now);
  yield* rows.put(
    requestDue,
    due.map((row) => ({ ...row, state: 'ready' }) as const),
  );
}

/** The accounts whose turn comes next. */
function nextAccounts(rows: RowTx, limit: number, after: DueAccount | undefined): Step<readonly DueAccount[]> {
  const last = [after?.accountId ?? '', after?.environment ?? ''] as const;
  const ranges = [
    { prefix: [], after: last },
    { prefix: [], to: last },
  ] as const;
  return rows.scan(requestDue, 'turns', ranges, { distinct: accountColumns.length, limit, columns: accountColumns });
}

/** Ready commands: the first of each account, then the second of each. */
function* findReady(rows: RowTx, limit: number, after: DueAccount | undefined): Plan<readonly DueCommandKey[]> {
  const accounts = yield* nextAccounts(rows, limit, after);
  if (accounts.length === 0) return [];
  // One account may have all that the others lack.
  const ranges = accounts.map(({ accountId, environment }) => ({ prefix: [accountId, environment] as const, limit }));
  const found = yield* rows.scan(requestDue, 'turns', ranges, { columns: [...keyColumns, ...accountColumns] });
  const queues = accounts.map((account) => found.filter((each) => areSame(each, account)));
  const rounds = Array.from({ length: limit }, (_, round) => queues.flatMap((queue) => queue.slice(round, round + 1)));
  return rounds.flat().slice(0, limit);
}

/** The commands that objects wait for, over rows. */
export const rowDue = <Tx extends object>(store: Pick<RowStore<Tx>, 'run' | 'join'>): DueStore<Tx> => ({
  plan: (tx, changes) =>
    store.join(tx, function* (rows) {
      const now = yield* rows.now();
      const planned = changes.flatMap(({ dueAt, isReminder, ...of }): readonly DueRow[] => {
        if (dueAt === undefined) return [];
        const at = Math.max(dueAt, now);
        return [{ ...of, dueAt: at, claimableAt: at, attempts: 0, rank: isReminder ? 1 : 0, state: 'waiting' }];
      });
      const removed = changes.filter(({ dueAt }) => dueAt === undefined);
      yield* rows.get(requestDue, changes.toSorted(compare).map(keyOf), 'update');
      yield* rows.put(requestDue, planned);
      yield* rows.delete(requestDue, removed.map(keyOf));
    }),
  claim: (limit, lease, after) =>
    store.run('write', function* (rows): Plan<Awaited<ReturnType<DueStore<Tx>['claim']>>> {
      const now = yield* rows.now();
      if (limit <= 0) return { now, claimed: [] };
      const range = { prefix: [], to: [now] } as const;
      const waiting = yield* rows.scan(requestDue, 'claimable', [range], { limit: limit + 1, columns: keyColumns });
      const ready = yield* rows.scan(requestDue, 'turns', [{ prefix: [] }], { limit: 1, columns: keyColumns });
      const isEnough = waiting.length <= limit && ready.length === 0;
      if (!isEnough && waiting.length > 0) yield* makeReady(rows, now);
      const due = yield* lockDue(rows, isEnough ? waiting : yield* findReady(rows, limit, after), now);
      const claimed = due.map((row) => ({
        ...row,
        attempts: row.attempts + 1,
        claimableAt: now + lease,
        state: 'waiting' as const,
      }));
      yield* rows.put(requestDue, claimed);
      return { now, claimed: claimed.map(commandOf) };
    }),
  release: (claimed, next) =>
    store.run('write', function* (rows) {
      const [row] = yield* rows.get(requestDue, [keyOf(claimed)], 'update');
      if (row?.attempts !== claimed.attempts || row.claimableAt !== claimed.claimableAt) return;
      if (!next) yield* rows.delete(requestDue, [keyOf(claimed)]);
      else {
        const claimableAt = (yield* rows.now()) + next.pause;
        yield* rows.put(requestDue, [{ ...row, dueAt: next.dueAt, claimableAt, state: 'waiting' }]);
      }
    }),
});
