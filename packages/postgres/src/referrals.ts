import type { Referrals } from '@partnerkit/core';
import type { Database } from './database.ts';

/** So many events are referred at once: a short transaction. */
const mostAtOnce = 500;

/** Each step finds the next account by one look into the index, and the last of its events by one more. */
const listing = `
  with recursive accounts as (
    (select account_id, 1 as nth from partnerkit.referrals where account_id > $1 order by account_id limit 1)
    union all
    select n.account_id, a.nth + 1 from accounts a cross join lateral (
      select account_id from partnerkit.referrals where account_id > a.account_id order by account_id limit 1
    ) n where a.nth < $2::int
  )
  select a.account_id as account, (
    select place::text from partnerkit.referrals r where r.account_id = a.account_id order by r.place desc limit 1
  ) as place from accounts a order by a.account_id`;

/** @internal */
export const referralsOn = <Tx extends object>({ sql, run, runCommitted }: Database<Tx>): Referrals => {
  const list = sql(listing);
  const refer = sql('select partnerkit.refer($1::text[], ($2::text[])::bigint[], $3::text[], $4::int)::text as answer');
  return {
    listReferring: async (most, after = '') =>
      (await run(list, [after, most])).map((row) => ({
        accountId: String(row['account']),
        upTo: String(row['place']),
      })),
    refer: async (referrals) => {
      // No account has an empty id.
      const parents = referrals.map(({ parentId }) => parentId ?? '');
      const [row] = await runCommitted(refer, [
        referrals.map(({ accountId }) => accountId),
        referrals.map(({ upTo }) => upTo),
        parents,
        mostAtOnce,
      ]);
      return JSON.parse(String(row?.['answer']));
    },
  };
};
