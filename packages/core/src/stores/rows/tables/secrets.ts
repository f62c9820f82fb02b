import { integer, json, table } from '../port/table.ts';

/** Ids of the platform's secrets, in one row. */
export const secretIds = table({
  name: 'secret_ids',
  columns: { id: integer(), ids: json<readonly string[]>() },
  key: ['id'],
  indexes: {},
  seed: [{ id: 0, ids: [] }],
});
