import type { NewAuditEntry } from '../../../base/audit/audit-entry.ts';
import type { EpochMs } from '../../../base/runtime/time.ts';
import type { SendingPause, SendingScope, SendingStore } from '../../../webhooks/sending/sending-store.ts';
import { shardCount, shardOf } from '../../../webhooks/shards/shard.ts';
import { appendAudit } from '../audit/append.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { type SendingPauseRow, sendingPauses } from '../tables/sending.ts';
import { lockVersions, raiseVersions } from './versions.ts';

const everyShard = Array.from({ length: shardCount }, (_, shard) => shard);

const keyOf = ({ accountId = '', endpointId = '' }: SendingScope) => [accountId, endpointId] as const;

const shardsOf = ({ accountId }: SendingScope): readonly number[] =>
  accountId === undefined ? everyShard : [shardOf(accountId)];

const viewOf = ({ accountId, endpointId, since, by }: SendingPauseRow): SendingPause => ({
  ...(accountId === '' ? {} : { accountId }),
  ...(endpointId === '' ? {} : { endpointId }),
  since,
  by,
});

/** Since when endpoints of these accounts are paused, whatever the scope. */
export function* readPauses(
  rows: RowTx,
  accountIds: readonly string[],
): Plan<(accountId: string, endpointId: string) => EpochMs | undefined> {
  const ranges = ['', ...new Set(accountIds)].map((accountId) => ({ prefix: [accountId] as const }));
  const found = yield* rows.scan(sendingPauses, 'all', ranges);
  return (accountId, endpointId) => {
    const concerned = found.filter(
      (pause) =>
        (pause.accountId === '' || pause.accountId === accountId) &&
        (pause.endpointId === '' || pause.endpointId === endpointId),
    );
    return concerned.length === 0 ? undefined : Math.min(...concerned.map(({ since }) => since));
  };
}

function* pause(rows: RowTx, scope: SendingScope, audit: NewAuditEntry): Plan<void> {
  const shards = shardsOf(scope);
  yield* lockVersions(rows, shards, 'update');
  const [accountId, endpointId] = keyOf(scope);
  const [known] = yield* rows.get(sendingPauses, [[accountId, endpointId]]);
  if (known) return;
  const since = yield* rows.now();
  yield* rows.insert(sendingPauses, [{ accountId, endpointId, since, by: audit.by }], 'fail');
  yield* appendAudit(rows, audit);
  yield* raiseVersions(rows, shards);
}

function* resume(rows: RowTx, scope: SendingScope, audit: NewAuditEntry): Plan<void> {
  const shards = shardsOf(scope);
  yield* lockVersions(rows, shards, 'update');
  const [removed] = yield* rows.delete(sendingPauses, [keyOf(scope)]);
  if (!removed) return;
  yield* appendAudit(rows, audit);
  yield* raiseVersions(rows, shards);
}

/** Pauses of sending over rows. */
export const rowSending = (store: Pick<RowStore<never>, 'run'>): SendingStore => ({
  pause: (scope, audit) => store.run('write', (rows) => pause(rows, scope, audit)),
  resume: (scope, audit) => store.run('write', (rows) => resume(rows, scope, audit)),
  listPauses: () =>
    store.run('one', function* (rows) {
      return (yield* rows.scan(sendingPauses, 'all', [{ prefix: [] }])).map(viewOf);
    }),
});
