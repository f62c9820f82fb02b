import type { Client, ClientStore } from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { moment, ms } from '../database/fragments.ts';
import { pageStatements, readPage } from '../database/pages.ts';
import { isUuid } from '../database/uuid.ts';

const clientJson = `json_strip_nulls(json_build_object(
  'id', c.id, 'accountId', c.account_id, 'name', c.name, 'createdAt', ${ms('c.created_at')}, 'disabled', c.disabled,
  'secrets', (
    select coalesce(json_agg(json_build_object(
      'id', s.id, 'label', s.label, 'digest', s.digest, 'createdAt', ${ms('s.created_at')}, 'expiresAt', ${ms('s.expires_at')},
      'revoked', s.revoked, 'lastUsedAt', ${ms('s.last_used_at')}) order by s.position), '[]')
    from partnerkit.client_secrets s where s.account_id = c.account_id and s.client_id = c.id),
  'tokensNotBefore', c.tokens_not_before, 'version', c.version))::text as client`;

/** Stores the secrets that `$4` holds as JSON; stores nothing when `given` has no row. */
const putSecrets = (given: string): string => `
  insert into partnerkit.client_secrets
    (account_id, client_id, id, position, label, digest, created_at, expires_at, revoked, last_used_at)
  select g.account_id, g.id, s.id, s.position, s.label, s.digest, ${moment('s."createdAt"')}, ${moment('s."expiresAt"')}, s.revoked,
    ${moment('s."lastUsedAt"')}
  from ${given} g cross join rows from (json_to_recordset(($4::text)::json) as (
    id text, label text, digest text, "createdAt" float8, "expiresAt" float8, revoked boolean, "lastUsedAt" float8
  )) with ordinality as s(id, label, digest, "createdAt", "expiresAt", revoked, "lastUsedAt", position)`;

/** Clients and their secrets. @internal */
export const clientStore = <Tx extends object>({ sql, run }: Database<Tx>): ClientStore => {
  const insert = sql(`
    with stored as (
      insert into partnerkit.clients (account_id, id, version, name, disabled, tokens_not_before, created_at)
      values ($1, $2::uuid, $3::int, $5, $6::boolean, $7::bigint, ${moment('$8')})
      returning account_id, id
    ) ${putSecrets('stored')}`);
  // The given values win, except for logins recorded meanwhile.
  const replace = sql(`
    with stored as (
      update partnerkit.clients set version = version + 1, name = $5, disabled = $6::boolean, tokens_not_before = $7::bigint,
        created_at = ${moment('$8')}
      where account_id = $1 and id = $2::uuid and version = $3::int
      returning account_id, id
    ), gone as (
      delete from partnerkit.client_secrets s using stored
      where s.account_id = $1 and s.client_id = $2::uuid
        and s.id not in (select id from json_to_recordset(($4::text)::json) as given(id text))
    ), put as (${putSecrets('stored')}
      on conflict (account_id, client_id, id) do update set
        position = excluded.position, label = excluded.label, digest = excluded.digest, created_at = excluded.created_at,
        expires_at = excluded.expires_at, revoked = excluded.revoked,
        last_used_at = greatest(client_secrets.last_used_at, excluded.last_used_at)
    )
    select 1 as won from stored`);
  // The secrets go with it.
  const remove = sql(`delete from partnerkit.clients where account_id = $1 and id = $2::uuid and version = $3::int
    returning 1 as won`);
  const find = sql(`select ${clientJson} from partnerkit.clients c where c.id = $1::uuid`);
  const lists = pageStatements('c.id', '$2', (rest) =>
    sql(`select ${clientJson} from partnerkit.clients c where c.account_id = $1 and ${rest} limit $3::int`),
  );
  const touch = sql(`update partnerkit.client_secrets s set last_used_at = greatest(s.last_used_at, ${moment('$3')})
    from partnerkit.clients c where c.id = $1::uuid and s.account_id = c.account_id and s.client_id = c.id and s.id = $2`);
  // The caller's clock may differ: rows stay one more day.
  const revoke = sql(`with forgotten as (
      delete from partnerkit.revoked_tokens where jti = any(array(
        select jti from partnerkit.revoked_tokens where expires_at < now() - interval '1 day' and jti <> $1 limit 100 for update skip locked))
    )
    insert into partnerkit.revoked_tokens (jti, expires_at) values ($1, to_timestamp($2::float8))
    on conflict (jti) do update set expires_at = greatest(revoked_tokens.expires_at, excluded.expires_at)`);
  const isRevoked = sql('select 1 from partnerkit.revoked_tokens where jti = $1');

  const values = (client: Client) => [
    client.accountId,
    client.id,
    client.version,
    JSON.stringify(client.secrets),
    client.name,
    client.disabled,
    client.tokensNotBefore,
    client.createdAt,
  ];
  const read = (rows: readonly Readonly<Record<string, unknown>>[]): readonly Client[] =>
    rows.map(({ client }) => JSON.parse(String(client)));

  return {
    insertClient: async (client) => {
      await run(insert, values(client));
    },
    findClient: async (clientId) => (isUuid(clientId) ? read(await run(find, [clientId]))[0] : undefined),
    listClients: (accountId, page) =>
      readPage(lists, page, async (list, after, limit) => read(await run(list, [accountId, after, limit]))),
    replaceClient: async (client) => (await run(replace, values(client))).length > 0,
    deleteClient: async ({ accountId, id, version }) => (await run(remove, [accountId, id, version])).length > 0,
    touchSecret: async (clientId, secretId, at) => {
      if (isUuid(clientId)) await run(touch, [clientId, secretId, at]);
    },
    revokeToken: async (jti, until) => {
      await run(revoke, [jti, until]);
    },
    isTokenRevoked: async (jti) => (await run(isRevoked, [jti])).length > 0,
  };
};
