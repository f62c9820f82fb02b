import type { Client } from '../../../access/clients/client.ts';
import type { ClientStore } from '../../../access/clients/client-store.ts';
import { pageLimit, type StoredPage } from '../../../base/pagination/page.ts';
import { day, toSeconds } from '../../../base/runtime/time.ts';
import { appendAudit } from '../audit/append.ts';
import { isPosition, readPositions } from '../port/pages.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { clients, clientUsage, revokedTokens } from '../tables/clients.ts';
import { addUsage, deleteUsage } from './usage.ts';

const latest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);

/** Copies the last logins of the stored client. */
const keepLogins = ({ lastRefusal: _read, ...next }: Client, stored: Client): Client => ({
  ...next,
  ...(stored.lastRefusal ? { lastRefusal: stored.lastRefusal } : {}),
  secrets: next.secrets.map((secret) => {
    const lastUsedAt = latest(secret.lastUsedAt, stored.secrets.find(({ id }) => id === secret.id)?.lastUsedAt);
    return lastUsedAt === undefined ? secret : { ...secret, lastUsedAt };
  }),
});

const withLogin = (client: Client, secretId: string, at: number): Client => ({
  ...client,
  secrets: client.secrets.map((secret) =>
    secret.id === secretId ? { ...secret, lastUsedAt: Math.max(secret.lastUsedAt ?? at, at) } : secret,
  ),
});

/** Maximum number of expired tokens that one revocation deletes. */
const maxForgotten = 100;

/** Reads a page of the clients of all accounts. The cursor is a place in the index of accounts. */
function* listAll(rows: RowTx, page: Parameters<ClientStore['listAllClients']>[0]): Plan<StoredPage<Client>> {
  const { after } = page;
  const place = after === undefined ? undefined : /^(\d+) (.+)$/s.exec(after);
  const [, position = '0', accountId = ''] = place ?? [];
  if (place === null || !isPosition(position)) return { items: [], invalidCursor: true };
  const bounds = place ? { after: [accountId, Number(position)] as const } : {};
  const limit = pageLimit(page);
  const found = yield* rows.scan(clients, 'account', [{ prefix: [], ...bounds }], { limit: limit + 1 });
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ client }) => client),
    ...(last && found.length > limit ? { next: `${last.position} ${last.accountId}` } : {}),
  };
}

/** Clients and revoked tokens over rows. */
export const rowClients = (store: Pick<RowStore<object>, 'run'>): ClientStore => ({
  insertClient: (client, audit) =>
    store.run('write', function* (rows) {
      yield* rows.insert(clients, [{ id: client.id, accountId: client.accountId, client }], 'fail');
      yield* appendAudit(rows, audit);
    }),
  findClient: (clientId) =>
    store.run('one', function* (rows) {
      const [row] = yield* rows.get(clients, [[clientId]]);
      return row?.client;
    }),
  listClients: (accountId, page) =>
    store.run('one', function* (rows) {
      const { items, ...rest } = yield* readPositions(page, (bounds) =>
        rows.scan(clients, 'account', [{ prefix: [accountId], ...bounds.range }], bounds.options),
      );
      return { ...rest, items: items.map(({ client }) => client) };
    }),
  listAllClients: (page) => store.run('one', (rows) => listAll(rows, page)),
  replaceClient: (client, audit) =>
    store.run('write', function* (rows) {
      const [row] = yield* rows.get(clients, [[client.id]], 'update');
      if (row?.client.version !== client.version) return false;
      yield* rows.put(clients, [
        { ...row, client: keepLogins({ ...client, version: client.version + 1 }, row.client) },
      ]);
      yield* appendAudit(rows, audit);
      return true;
    }),
  deleteClient: (client, audit) =>
    store.run('write', function* (rows) {
      const [row] = yield* rows.get(clients, [[client.id]], 'update');
      if (row?.client.version !== client.version) return false;
      yield* rows.delete(clients, [[client.id]]);
      yield* deleteUsage(rows, [{ prefix: [client.id] }]);
      yield* appendAudit(rows, audit);
      return true;
    }),
  touchSecret: (clientId, secretId, at) =>
    store.run('write', function* (rows) {
      const [row] = yield* rows.get(clients, [[clientId]], 'update');
      if (row) yield* rows.put(clients, [{ ...row, client: withLogin(row.client, secretId, at) }]);
    }),
  noteRefusal: (clientId, refusal, every) =>
    store.run('write', function* (rows) {
      const [row] = yield* rows.get(clients, [[clientId]], 'update');
      if (!row || (row.client.lastRefusal?.at ?? Number.NEGATIVE_INFINITY) + every > refusal.at) return;
      yield* rows.put(clients, [{ ...row, client: { ...row.client, lastRefusal: refusal } }]);
    }),
  addUsage: (days, since) => store.run('write', (rows) => addUsage(rows, days, since)),
  readUsage: (clientIds) =>
    store.run('read', function* (rows) {
      const found = yield* rows.scan(
        clientUsage,
        'client',
        clientIds.map((id) => ({ prefix: [id] as const })),
      );
      return found.map(({ lastRefusal, ...rest }) => ({ ...rest, ...(lastRefusal ? { lastRefusal } : {}) }));
    }),
  revokeToken: (jti, until, audit) =>
    store.run('write', function* (rows) {
      // The host's clock, which decides when the token expires, may be behind this one.
      const past = toSeconds((yield* rows.now()) - day);
      const old = yield* rows.scan(revokedTokens, 'expiry', [{ prefix: [], before: [past] }], { limit: maxForgotten });
      yield* rows.delete(
        revokedTokens,
        old.map((row) => [row.jti] as const).filter(([known]) => known !== jti),
      );
      yield* rows.put(revokedTokens, [{ jti, expiresAt: until }]);
      yield* appendAudit(rows, audit);
    }),
  isTokenRevoked: (jti) =>
    store.run('one', function* (rows) {
      const [row] = yield* rows.get(revokedTokens, [[jti]]);
      return row !== undefined;
    }),
});
