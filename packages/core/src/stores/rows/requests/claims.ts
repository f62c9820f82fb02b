import { day, type EpochMs } from '../../../base/runtime/time.ts';
import type { IdempotencyStore, StoredResponse } from '../../../requests/stores/idempotency-store.ts';
import type { ReferenceStore } from '../../../requests/stores/references.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { idempotentResponses, requestReferences } from '../tables/requests.ts';

/** References in use over rows. */
export const rowReferences = <Tx extends object>(store: Pick<RowStore<Tx>, 'join'>): ReferenceStore<Tx> => ({
  claim: (tx, { account, object, reference }, objectId) =>
    store.join(tx, function* (rows) {
      const row = { accountId: account.id, environment: account.environment, object, reference, objectId };
      // Another transaction may release it between the two operations.
      for (;;) {
        const [isNew] = yield* rows.insert(requestReferences, [row], 'ignore');
        if (isNew) return true;
        const key = [account.id, account.environment, object, reference] as const;
        const [known] = yield* rows.get(requestReferences, [key], 'update');
        if (known) return known.objectId === objectId;
      }
    }),
  release: (tx, { account, object, reference }, objectId) =>
    store.join(tx, function* (rows) {
      const key = [account.id, account.environment, object, reference] as const;
      const [known] = yield* rows.get(requestReferences, [key], 'update');
      if (known?.objectId === objectId) yield* rows.delete(requestReferences, [key]);
    }),
});

const keptFor = day;
/** Maximum number of expired responses that one claim deletes. */
const maxForgotten = 10;

/** Deletes expired responses; leaves out those that another transaction has locked. */
function* forget(rows: RowTx, now: EpochMs): Plan<void> {
  const range = { prefix: [], to: [now] } as const;
  const old = yield* rows.scan(idempotentResponses, 'expiry', [range], {
    limit: maxForgotten,
    columns: ['accountId', 'clientId', 'key'],
  });
  const keys = old.map(({ accountId, clientId, key }) => [accountId, clientId, key] as const);
  const locked = yield* rows.get(idempotentResponses, keys, 'free');
  yield* rows.delete(
    idempotentResponses,
    keys.filter((_, index) => (locked[index]?.expiresAt ?? now + 1) <= now),
  );
}

/** Responses by idempotency key over rows. */
export const rowResponses = <Tx extends object>(store: Pick<RowStore<Tx>, 'join'>): IdempotencyStore<Tx> => ({
  claim: (tx, { accountId, clientId, key }) =>
    store.join(tx, function* (rows): Plan<StoredResponse | undefined> {
      const now = yield* rows.now();
      const claimed = { accountId, clientId, key, response: undefined, expiresAt: now + keptFor };
      yield* forget(rows, now);
      for (;;) {
        const [isNew] = yield* rows.insert(idempotentResponses, [claimed], 'ignore');
        if (isNew) return undefined;
        const [known] = yield* rows.get(idempotentResponses, [[accountId, clientId, key]], 'update');
        if (!known) continue;
        if (known.expiresAt > now) return known.response;
        yield* rows.put(idempotentResponses, [claimed]);
        return undefined;
      }
    }),
  complete: (tx, { accountId, clientId, key }, response) =>
    store.join(tx, function* (rows) {
      const expiresAt = (yield* rows.now()) + keptFor;
      yield* rows.put(idempotentResponses, [{ accountId, clientId, key, response, expiresAt }]);
    }),
});
