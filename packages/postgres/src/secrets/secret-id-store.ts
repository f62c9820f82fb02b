import type { SecretIdStore } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';

const read = statement`select ids from ${t.secret_ids}`;
const replace = statement`update ${t.secret_ids} set ids = ${value('next', 'text')}
  where ids = ${value('previous', 'text')} returning 1 as won`;

/** Ids of the platform's secrets. */
export const secretIdStore = <Tx extends object>({ run }: Database<Tx>): SecretIdStore => ({
  readSecretIds: async () => JSON.parse(String((await run(read, {}))[0]?.['ids'] ?? '[]')),
  replaceSecretIds: async (previous, next) => {
    const won = await run(replace, { previous: JSON.stringify(previous), next: JSON.stringify(next) });
    return won.length > 0;
  },
});
