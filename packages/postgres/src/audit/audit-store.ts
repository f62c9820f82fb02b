import type { AuditEntry, AuditStore, ChainPlace, LinkedEntry } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { ms } from '../database/fragments.ts';
import { pageStatements, readPage } from '../database/pages.ts';
import { type Columns, rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { appendEntries } from './append-audit.ts';

const [accountId, shard, limit] = [value('accountId', 'text'), value('shard', 'int'), value('limit', 'int')];

const entry = sql`json_strip_nulls(json_build_object('id', a.id, 'accountId', a.account_id, 'at', a.at, 'type', a.type,
  'subjectId', a.subject_id, 'requestId', a.request_id, 'mac', a.mac))::text as entry,
  a.actor::text as actor, a.data::text as data`;

const lists = pageStatements(
  'a.id',
  (rest) => statement`select ${entry} from ${t.audit_entries} a where a.account_id = ${accountId} and ${rest}`,
);
const listsOfAll = pageStatements('a.id', (rest) => statement`select ${entry} from ${t.audit_entries} a where ${rest}`);

/** The entries of events of handlers. */
export const findEntries = statement`select ${entry} from ${t.audit_entries} a where a.id = any(${value('ids', 'uuid[]')})`;

const chains = statement`select shard, position, link, pruned_position as pruned, pruned_link as prunedlink
  from ${t.audit_chains} where shard = any(${value('shards', 'int[]')})`;
const unlinkedShards = statement`select distinct shard from ${t.audit_entries}
  where state = 'new' and shard = any(${value('shards', 'int[]')})`;
const unlinked = statement`select ${entry} from ${t.audit_entries} a where a.state = 'new' and a.shard = ${shard} limit ${limit}`;
const linked = statement`select ${entry}, a.position::float8 as position, a.link from ${t.audit_entries} a
  where a.state = 'linked' and a.shard = ${shard} and a.position > ${value('after', 'bigint')}
  order by a.position limit ${limit}`;

const begin = statement`insert into ${t.audit_chains} (shard, position, link, pruned_position, pruned_link)
  values (${shard}, 0, '', 0, '') on conflict do nothing`;

type Place = Parameters<AuditStore['link']>[2][number];
const places = rows('places', {
  id: ['uuid', ({ id }) => id],
  position: ['bigint', ({ position }) => position],
  link: ['text', ({ link }) => link],
} satisfies Columns<Place>);

/** Another worker that links waits at the chain, and finds another last place. */
const link = statement`
  with chain as materialized (
    select 1 from ${t.audit_chains}
    where shard = ${shard} and position = ${value('position', 'bigint')} and link = ${value('link', 'text')} for update
  ), given as materialized (
    select * from ${places.as('g')}
  ), fits as materialized (
    select 1 from chain where (select count(*) from given) = (
      select count(*) from ${t.audit_entries} e join given g on g.id = e.id where e.shard = ${shard} and e.state = 'new')
  ), linked as (
    update ${t.audit_entries} e set state = 'linked', position = g.position, link = g.link
    from given g where e.id = g.id and exists (select 1 from fits)
  ), moved as (
    update ${t.audit_chains} c set position = l.position, link = l.link
    from (select position, link from given order by position desc limit 1) l
    where c.shard = ${shard} and exists (select 1 from fits)
  )
  select 1 as done from fits`;

const oldest = sql`${ms('now()')} - ${value('age', 'float8')}`;
const prune = statement`
  with chain as materialized (
    select 1 from ${t.audit_chains} where shard = ${shard} for update
  ), first as materialized (
    select id, account_id, at, position, link from ${t.audit_entries}
    where state = 'linked' and shard = ${shard} and exists (select 1 from chain) order by position limit ${limit}
  ), old as materialized (
    select * from first f where at <= ${oldest}
      and not exists (select 1 from first k where k.position < f.position and k.at > ${oldest})
  ), undelivered as (
    delete from ${t.handler_deliveries} d using old where d.account_id = old.account_id and d.event_id = old.id
  ), gone as (
    delete from ${t.audit_entries} e using old where e.id = old.id
  ), moved as (
    update ${t.audit_chains} c set pruned_position = l.position, pruned_link = l.link
    from (select position, link from old order by position desc limit 1) l
    where c.shard = ${shard} and c.pruned_position < l.position
  )
  select count(*)::int as pruned from old`;

/** The entry of a selected row. */
export const entryOf = (row: SqlRow): AuditEntry => ({
  ...JSON.parse(String(row['entry'])),
  by: JSON.parse(String(row['actor'])),
  data: JSON.parse(String(row['data'])),
});
const linkedOf = (row: SqlRow): LinkedEntry => ({
  ...entryOf(row),
  position: Number(row['position']),
  link: String(row['link']),
});
const start: ChainPlace = { position: 0, link: '' };

/** The audit trail. */
export const auditStore = <Tx extends object>({ run, runIn }: Pick<Database<Tx>, 'run' | 'runIn'>): AuditStore<Tx> => ({
  tell: (entries, tx) => appendEntries(tx ? runIn(tx) : run, entries),
  listEntries: (accountId, page) =>
    accountId === undefined
      ? readPage(listsOfAll, page, async (list, values) => (await run(list, values)).map(entryOf))
      : readPage(lists, page, async (list, values) => (await run(list, { accountId, ...values })).map(entryOf)),
  readChains: async (shards) => {
    const found = new Map((await run(chains, { shards })).map((row) => [Number(row['shard']), row]));
    return shards.map((shard) => {
      const row = found.get(shard);
      if (!row) return { shard, last: start, pruned: start };
      return {
        shard,
        last: { position: Number(row['position']), link: String(row['link']) },
        pruned: { position: Number(row['pruned']), link: String(row['prunedlink']) },
      };
    });
  },
  readUnlinkedShards: async (shards) => (await run(unlinkedShards, { shards })).map(({ shard }) => Number(shard)),
  readUnlinked: async (shard, limit) => (await run(unlinked, { shard, limit })).map(entryOf),
  link: async (shard, last, entries) => {
    if (last.position === 0) await run(begin, { shard });
    return (await run(link, { shard, ...last, places: entries })).length > 0;
  },
  readLinked: async (shard, after, limit) => (await run(linked, { shard, after, limit })).map(linkedOf),
  pruneEntries: async (shard, age, limit) => {
    const [row] = await run(prune, { shard, age, limit });
    return Number(row?.['pruned']) >= limit;
  },
});
