import type { SecretIdStore } from '../../storage/secret-id-store.ts';
import type { RowStore } from '../port/row-store.ts';
import { secretIds } from '../tables/secrets.ts';

/** Ids of the platform's secrets over rows. */
export const rowSecretIds = (store: Pick<RowStore<object>, 'run'>): SecretIdStore => ({
  readSecretIds: () =>
    store.run('one', function* (rows) {
      const [row] = yield* rows.get(secretIds, [[0]]);
      return row?.ids ?? [];
    }),
  replaceSecretIds: (previous, next) =>
    store.run('write', function* (rows) {
      const [row] = yield* rows.get(secretIds, [[0]], 'update');
      if (JSON.stringify(row?.ids) !== JSON.stringify(previous)) return false;
      yield* rows.put(secretIds, [{ id: 0, ids: next }]);
      return true;
    }),
});
