import { deepStrictEqual, strictEqual } from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import { createPartnerkit, type ExportLine, hour, type SealingKey } from '@partnerkit/core';
import type { Storage } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import type { Cases } from '../support/contract.ts';
import { allowed, login, payment } from '../support/kit.ts';
import { ours, theirs } from '../support/records.ts';
import type { StorageFixture } from './storage-fixture.ts';

const texts = { text: 'a text of an old system', sha256: 'another of these texts', legacy: 'guessable?' };
const clock = { now: () => Date.UTC(2027, 0, 15), sleep: () => new Promise<never>(() => undefined) };

const inMemory = (): Storage<object> => memoryStorage({ clock }) as Storage<object>;

/** The kit of a platform that took over clients, over a storage. */
const kitOver = (
  storage: Storage<object>,
  tokens: ReturnType<typeof memoryAccessTokens>,
  sealingKeys: readonly [SealingKey, ...SealingKey[]],
) =>
  createPartnerkit<object, readonly [typeof payment]>({
    accounts: memoryAccounts([ours, theirs].map((id) => ({ id, name: id, status: 'active', environment: 'prod' }))),
    ...{ storage, tokens, advanced: { sealingKeys, clock }, sender: memorySender(), objects: [payment] },
    api: { trustRemoteAddress: true },
    imported: {
      clients: true,
      legacySecrets: { verify: async (id, secret) => id === 'legacy' && secret === texts.legacy },
    },
  });
type Kit = ReturnType<typeof kitOver>;

/** The lines of clients, endpoints and addresses, as a file keeps them. */
const linesOf = async (kit: Kit, secrets: 'sealed' | 'clear') => {
  const lines: ExportLine[] = [];
  for await (const line of kit.export({ accounts: [ours, theirs], secrets })) lines.push(line);
  const kept: readonly ExportLine[] = JSON.parse(JSON.stringify(lines));
  return {
    clients: kept.filter((line) => line.kind === 'client'),
    endpoints: kept.filter((line) => line.kind === 'endpoint'),
    addresses: kept.filter((line) => line.kind === 'alert_address'),
  };
};
type Lines = Awaited<ReturnType<typeof linesOf>>;

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => (one.id < other.id ? -1 : 1);

/** Everything that an import takes over: versions and what was noted for display begin anew. */
const moved = ({ clients, endpoints, addresses }: Lines) => ({
  clients: clients
    .map(({ client: { version: _, lastRefusal: _refusal, secrets, ...client } }) => ({
      ...client,
      secrets: secrets.filter(({ revoked }) => !revoked).map(({ lastUsedAt: _used, ...secret }) => secret),
    }))
    .toSorted(byId),
  endpoints: endpoints.map(({ endpoint: { version: _, ...endpoint } }) => endpoint).toSorted(byId),
  addresses,
});

const importAll = async (kit: Kit, { clients, endpoints, addresses }: Lines) => {
  const counts = [];
  for (const dryRun of [true, false])
    for (const report of [
      kit.import.clients(clients, { dryRun }),
      kit.import.endpoints(endpoints, { dryRun }),
      kit.import.alertAddresses(addresses, { dryRun }),
    ])
      counts.push((await allowed(report)).counts);
  return counts;
};
const only = (outcome: 'created' | 'unchanged', count: number) => ({
  ...{ created: 0, unchanged: 0, differs: 0, refused: 0 },
  [outcome]: count,
});

/** Clients of every origin, endpoints with every field, an address. Resolves to the credentials that log in. */
const fill = async (kit: Kit): Promise<readonly (readonly [id: string, secret: string])[]> => {
  const own = await allowed(kit.clients.create(ours, { name: 'Booking system' }));
  const second = await allowed(kit.clients.addSecret(ours, own.client.id, { label: 'new' }));
  const gone = await allowed(kit.clients.addSecret(ours, own.client.id));
  await allowed(kit.clients.revokeSecret(ours, own.client.id, gone.secretId));
  await allowed(kit.clients.expireSecret(ours, own.client.id, own.secretId, { at: clock.now() + hour }));
  const limits = { rights: ['requests:read'], children: ['acc 1'], networks: ['203.0.113.0/24', '::/0'] } as const;
  await allowed(kit.clients.create(ours, { name: 'Reports', ...limits, expiresAt: clock.now() + hour }));
  const disabled = await allowed(kit.clients.create(theirs, { name: 'Disabled' }));
  await allowed(kit.clients.disable(theirs, disabled.client.id));
  await allowed(kit.clients.revokeTokens(theirs, disabled.client.id));
  const sha256 = createHash('sha256').update(texts.sha256).digest('hex');
  const rows = { text: { text: texts.text }, sha256: { sha256 }, legacy: { legacy: true as const } };
  const report = await allowed(
    kit.import.clients(
      Object.entries(rows).map(([id, secret]) => ({ accountId: theirs, id, name: id, secrets: [secret] })),
    ),
  );
  strictEqual(report.counts.created, 3);
  const plain = { url: 'https://partner.example/a', events: ['payed'] } as const;
  const whole = { standardWebhooks: true, includeChildren: true, label: 'Production' };
  const made = await allowed(
    kit.endpoints.create(ours, { ...plain, ...whole, deliveryHeader: { name: 'X-Key', value: 'the api key' } }),
  );
  await allowed(kit.endpoints.prepareSecret(ours, made.endpoint.id));
  await allowed(kit.endpoints.activateSecret(ours, made.endpoint.id, { at: clock.now() + hour }));
  const secret = 'a secret of an old system';
  const old = { ...plain, accountId: theirs, reference: 'hook 1', state: 'disabled', secret } as const;
  strictEqual((await allowed(kit.import.endpoints([old]))).counts.created, 1);
  await allowed(kit.alerts.setAddress(ours, 'desk@partner.example'));
  return [[own.client.id, own.secret], [own.client.id, second.secret], ...Object.entries(texts)];
};

/** Cases of leaving and coming back. */
export const movingCases: Cases<StorageFixture> = {
  'what is exported is imported as it is, in clear or sealed, into this storage and out of it': async ({ storage }) => {
    const tokens = memoryAccessTokens();
    const keys = [{ id: 'k1', key: randomBytes(32) }] as const;
    const first = kitOver(inMemory(), tokens, keys);
    const credentials = await fill(first);
    const [clear, sealed] = [await linesOf(first, 'clear'), await linesOf(first, 'sealed')];
    const here = kitOver(storage, tokens, [{ id: 'k2', key: randomBytes(32) }, ...keys]);
    deepStrictEqual(await importAll(here, clear), [
      ...[only('created', 6), only('created', 2), only('created', 1)],
      ...[only('created', 6), only('created', 2), only('created', 1)],
    ]);
    // The same once more, sealed with a key that this kit has, too.
    deepStrictEqual((await importAll(here, sealed)).slice(3), [
      ...[only('unchanged', 6), only('unchanged', 2), only('unchanged', 1)],
    ]);
    const again = await linesOf(here, 'clear');
    deepStrictEqual(moved(again), moved(clear));
    const back = kitOver(inMemory(), tokens, [{ id: 'k3', key: randomBytes(32) }]);
    deepStrictEqual((await importAll(back, again)).slice(3), [
      ...[only('created', 6), only('created', 2), only('created', 1)],
    ]);
    deepStrictEqual(moved(await linesOf(back, 'clear')), moved(clear));
    for (const kit of [first, here, back])
      for (const [id, secret] of credentials)
        strictEqual((await login(kit, id, secret)).status, 200, `the login of ${id}`);
    const strange = kitOver(inMemory(), tokens, [{ id: 'k1', key: randomBytes(32) }]);
    const refused = (await allowed(strange.import.endpoints(sealed.endpoints))).rows;
    deepStrictEqual(
      refused.map(({ message }) => message),
      Array(2).fill("secret: sealed with other keys: export it with secrets: 'clear'."),
    );
  },
};
