import type { Client, ClientSecret, ClientStore } from '@partnerkit/core/adapter';
import { auditedBy } from '../audit/append-audit.ts';
import type { Database } from '../database/database.ts';
import { duration, moment, ms } from '../database/fragments.ts';
import { type IdRange, pageStatements, readPage } from '../database/pages.ts';
import { type Column, join, row, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import type { SqlValue } from '../drivers/driver.ts';
import { usageStore } from './usage-store.ts';

/** A column: the field that it stores, its name and its type. */
type Stored<T> = readonly [field: keyof T & string, column: string, type: 'text' | 'boolean' | 'bigint' | 'time'];

/** How a client is stored, beside its account, id, version, lists, public keys, secrets and last refusal. */
const clientColumns: readonly Stored<Client>[] = [
  ['name', 'name', 'text'],
  ['disabled', 'disabled', 'boolean'],
  ['tokensNotBefore', 'tokens_not_before', 'bigint'],
  ['createdAt', 'created_at', 'time'],
  ['expiresAt', 'expires_at', 'time'],
];
/** The lists of a client: each is a text with a separator that no item has. Ids of accounts have no line feed. */
const clientLists = [
  ['rights', ' '],
  ['children', '\n'],
  ['networks', ' '],
] as const;
/** How a secret is stored, beside its position. */
const secretColumns: readonly Stored<ClientSecret>[] = [
  ['id', 'id', 'text'],
  ['label', 'label', 'text'],
  ['digest', 'digest', 'text'],
  ['origin', 'origin', 'text'],
  ['createdAt', 'created_at', 'time'],
  ['expiresAt', 'expires_at', 'time'],
  ['revoked', 'revoked', 'boolean'],
  ['lastUsedAt', 'last_used_at', 'time'],
];

/** The fields of a row as arguments of `json_build_object`. */
const shown = <T>(columns: readonly Stored<T>[], row: string) =>
  join(
    columns.map(
      ([field, column, type]) => sql`'${field}', ${type === 'time' ? ms(`${row}.${column}`) : `${row}.${column}`}`,
    ),
    ', ',
  );

const shownLists = join(
  clientLists.map(
    ([field, separator]) => sql`'${field}', string_to_array(c.${field}, chr(${String(separator.charCodeAt(0))}))`,
  ),
  ', ',
);

const clientJson = sql`json_strip_nulls(json_build_object(
  'id', c.id, 'accountId', c.account_id, ${shownLists}, 'jwks', c.jwks, ${shown(clientColumns, 'c')},
  'secrets', (
    select coalesce(json_agg(json_build_object(${shown(secretColumns, 's')}) order by s.position), '[]')
    from ${t.client_secrets} s where s.account_id = c.account_id and s.client_id = c.id),
  'lastRefusal', case when c.last_refusal is not null then json_build_object('at', ${ms('c.last_refused_at')}, 'reason', c.last_refusal) end,
  'version', c.version))::text as client`;

const [accountId, id, version] = [value('accountId', 'text'), value('id', 'text'), value('version', 'int')];

const bound = ([field, column, type]: Stored<Client>): readonly [string, Column<Client>] => {
  const of = (client: Client) => (client[field] ?? null) as SqlValue;
  return [column, type === 'time' ? ['float8', of, moment] : [type, of]];
};
const fields = row('client', {
  ...Object.fromEntries(
    clientLists.map(([field, separator]): readonly [string, Column<Client>] => [
      field,
      ['text', (client) => client[field]?.join(separator) ?? null],
    ]),
  ),
  jwks: ['text', ({ jwks }: Client) => (jwks ? JSON.stringify(jwks) : null), (bound) => sql`${bound}::json`],
  ...Object.fromEntries(clientColumns.map(bound)),
});

/** The secrets of a client, as JSON. */
const secrets = sql`(${value('secrets', 'text')})::json`;

const secretNames = secretColumns.map(([, column]) => column).join(', ');
const secretFields = secretColumns.map(([field]) => `"${field}"`).join(', ');
const secretRecord = secretColumns
  .map(([field, , type]) => `"${field}" ${type === 'time' ? 'float8' : type}`)
  .join(', ');
const secretValues = join(
  secretColumns.map(([field, , type]) => (type === 'time' ? moment(`s."${field}"`) : sql`${`s."${field}"`}`)),
  ', ',
);
/** What replaces a stored secret; a login that was recorded meanwhile stays. */
const secretReplaced = secretColumns
  .filter(([field]) => field !== 'id' && field !== 'lastUsedAt')
  .map(([, column]) => `${column} = excluded.${column}`)
  .join(', ');

/** Stores the secrets; stores nothing when `stored` has no row. */
const putSecrets = sql`
  insert into ${t.client_secrets} (account_id, client_id, position, ${secretNames})
  select g.account_id, g.id, s.position, ${secretValues}
  from stored g cross join rows from (json_to_recordset(${secrets}) as (${secretRecord}))
    with ordinality as s(${secretFields}, position)`;

const insert = statement`
  with stored as (
    insert into ${t.clients} (account_id, id, version, ${fields.names})
    values (${accountId}, ${id}, ${version}, ${fields.stored})
    returning account_id, id
  ) ${putSecrets}`;

/** The given values win, except for logins recorded meanwhile. */
const replace = statement`
  with stored as (
    update ${t.clients} set version = version + 1, ${fields.assigned}
    where account_id = ${accountId} and id = ${id} and version = ${version}
    returning account_id, id
  ), gone as (
    delete from ${t.client_secrets} s using stored
    where s.account_id = ${accountId} and s.client_id = ${id}
      and s.id not in (select id from json_to_recordset(${secrets}) as given(id text))
  ), put as (${putSecrets}
    on conflict (account_id, client_id, id) do update set position = excluded.position, ${secretReplaced},
      last_used_at = greatest(client_secrets.last_used_at, excluded.last_used_at)
  )
  select 1 as won from stored`;

/** The secrets go with it. */
const remove = statement`delete from ${t.clients}
  where account_id = ${accountId} and id = ${id} and version = ${version} returning 1 as won`;

const find = statement`select ${clientJson} from ${t.clients} c where c.id = ${id}`;

const lists = pageStatements(
  'c.id',
  (rest) => statement`select ${clientJson} from ${t.clients} c where c.account_id = ${accountId} and ${rest}`,
  'text',
);

const listsOfAll = pageStatements(
  'c.id',
  (rest) => statement`select ${clientJson} from ${t.clients} c where ${rest}`,
  'text',
);

/** Ids are visible ASCII; imported ones have any form. */
const clientIds: IdRange = {
  first: '',
  last: '\u007f',
  isId: (text) => /^[\x20-\x7e]{1,128}$/.test(text),
  prefix: 'client:',
};

const touch = statement`update ${t.client_secrets} s set last_used_at = greatest(s.last_used_at, ${moment(value('at', 'float8'))})
  from ${t.clients} c
  where c.id = ${id} and s.account_id = c.account_id and s.client_id = c.id and s.id = ${value('secretId', 'text')}`;

const [at, every] = [value('at', 'float8'), value('every', 'float8')];
const refused = statement`update ${t.clients} set last_refused_at = ${moment(at)}, last_refusal = ${value('reason', 'text')}
  where id = ${id} and (last_refused_at is null or last_refused_at + ${duration(every)} <= ${moment(at)})`;

const jti = value('jti', 'text');

/** The caller's clock may differ: rows stay one more day. */
const revoke = statement`with forgotten as (
    delete from ${t.revoked_tokens} where jti = any(array(
      select jti from ${t.revoked_tokens}
      where expires_at < now() - interval '1 day' and jti <> ${jti} limit 100 for update skip locked))
  )
  insert into ${t.revoked_tokens} (jti, expires_at) values (${jti}, to_timestamp(${value('until', 'float8')}))
  on conflict (jti) do update set expires_at = greatest(revoked_tokens.expires_at, excluded.expires_at)`;

const isRevoked = statement`select 1 from ${t.revoked_tokens} where jti = ${jti}`;

/** Clients and their secrets. */
export const clientStore = <Tx extends object>(database: Database<Tx>): ClientStore => {
  const { run } = database;
  const audited = auditedBy(database as Database<object>);
  const usage = usageStore({ run });
  const valuesOf = (client: Client) => {
    const { accountId, id, version } = client;
    return { accountId, id, version, client, secrets: JSON.stringify(client.secrets) };
  };
  const read = (rows: readonly Readonly<Record<string, unknown>>[]): readonly Client[] =>
    rows.map(({ client }) => JSON.parse(String(client)));

  return {
    insertClient: async (client, audit) => {
      await audited(audit, async (own) => {
        await own(insert, valuesOf(client));
        return true;
      });
    },
    findClient: async (id) => (clientIds.isId(id) ? read(await run(find, { id }))[0] : undefined),
    listClients: (accountId, page) =>
      readPage(lists, page, async (list, values) => read(await run(list, { accountId, ...values })), clientIds),
    listAllClients: (page) =>
      readPage(listsOfAll, page, async (list, values) => read(await run(list, values)), clientIds),
    replaceClient: (client, audit) => audited(audit, async (own) => (await own(replace, valuesOf(client))).length > 0),
    deleteClient: ({ accountId, id, version }, audit) =>
      audited(audit, async (own) => (await own(remove, { accountId, id, version })).length > 0),
    touchSecret: async (id, secretId, at) => {
      if (clientIds.isId(id)) await run(touch, { id, secretId, at });
    },
    noteRefusal: async (id, { at, reason }, every) => {
      if (clientIds.isId(id)) await run(refused, { id, at, reason, every });
    },
    addUsage: (days, since) =>
      usage.addUsage(
        days.filter(({ clientId }) => clientIds.isId(clientId)),
        since,
      ),
    readUsage: (ids) => usage.readUsage(ids.filter((id) => clientIds.isId(id))),
    revokeToken: async (jti, until, audit) => {
      await audited(audit, async (own) => {
        await own(revoke, { jti, until });
        return true;
      });
    },
    isTokenRevoked: async (jti) => (await run(isRevoked, { jti })).length > 0,
  };
};
