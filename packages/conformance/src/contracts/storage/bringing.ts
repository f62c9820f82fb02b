import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import { createPartnerkit, type ExportLine, type HttpResponse, type SealingKey } from '@partnerkit/core';
import type { Storage } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
import { signBody, signingKey, standardKey, verifyStandard } from '@partnerkit/core/wire';
import { inProcess } from '@partnerkit/testing';
import { type Cases, type ContractOptions, runCases } from '../support/contract.ts';
import { allowed } from '../support/kit.ts';
import { child, ours, theirs } from '../support/records.ts';
import { createObjects, extend, objectsOfRound, policies } from './requests-of-a-platform.ts';
import type { StorageFixture } from './storage-fixture.ts';

const accounts = [
  ...[ours, theirs].map((id) => ({ id, name: id, status: 'active', environment: 'prod' })),
  { id: child, name: child, status: 'active', environment: 'prod', parentId: ours },
];
const accountIds = accounts.map(({ id }) => id);

const texts = { text: 'a text of an old system', sha256: 'another of these texts' };
/** Verified elsewhere: one before the export, whose digest was stored then, and one after it. */
const legacy = { verified: 'guessable? not at all', unverified: 'nor is this one' };

/** The platform over a storage. */
const platformOver = (
  storage: Storage<object>,
  tokens: ReturnType<typeof memoryAccessTokens>,
  sealingKeys: readonly [SealingKey, ...SealingKey[]],
) => {
  const sender = memorySender();
  const kit = createPartnerkit<object, ReturnType<typeof extendRequestObjects>>({
    accounts: memoryAccounts(accounts),
    ...{ storage, tokens, sender, advanced: { sealingKeys }, objects: extendRequestObjects(extend) },
    imported: {
      clients: true,
      legacySecrets: {
        verify: async (id, secret) => Object.entries(legacy).some((each) => each[0] === id && each[1] === secret),
        storeDigest: true,
      },
    },
  });
  const requests = createRequests({ kit, extend, ...policies });
  const http = inProcess([...kit.routes, ...requests.routes]);
  const login = (clientId: string, secret: string): Promise<HttpResponse> =>
    http('POST', '/api/v1/partner/login', {
      json: { client_id: clientId, client_secret: secret, grant_type: 'client_credentials', scope: 'USER' },
    });
  return { kit, requests, http, login, sender };
};
type Platform = ReturnType<typeof platformOver>;

/** Clients with secrets of every origin. Resolves to the credentials that log in. */
const createClients = async ({ kit, login }: Platform): Promise<readonly (readonly [id: string, secret: string])[]> => {
  const made = await Promise.all(
    accountIds.map(async (accountId) => allowed(kit.clients.create(accountId, { name: `Of ${accountId}` }))),
  );
  const sha256 = createHash('sha256').update(texts.sha256).digest('hex');
  const secrets = {
    text: { text: texts.text },
    sha256: { sha256 },
    verified: { legacy: true as const },
    unverified: { legacy: true as const },
  };
  const rows = Object.entries(secrets).map(([id, secret]) => ({ accountId: ours, id, name: id, secrets: [secret] }));
  strictEqual((await allowed(kit.import.clients(rows))).counts.created, rows.length);
  strictEqual((await login('verified', legacy.verified)).status, 200);
  const own = made.map(({ client, secret }) => [client.id, secret] as const);
  return [...own, ...Object.entries(texts), ...Object.entries(legacy)];
};

/** Endpoints with every secret and header. */
const createEndpoints = async ({ kit }: Platform): Promise<void> => {
  const events = ['RequestPayment.creation'] as const;
  const whole = { includeChildren: true, deliveryHeader: { name: 'X-Key', value: 'the api key' } };
  const first = { url: 'https://partner.example/first', events, ...whole };
  const { endpoint } = await allowed(kit.endpoints.create(ours, first));
  await allowed(kit.endpoints.prepareSecret(ours, endpoint.id));
  await allowed(kit.endpoints.activateSecret(ours, endpoint.id));
  const second = { url: 'https://partner.example/second', events, standardWebhooks: true };
  await allowed(kit.endpoints.create(ours, second));
  const old = { url: 'https://partner.example/third', events, accountId: ours, reference: 'hook 1' };
  strictEqual(
    (await allowed(kit.import.endpoints([{ ...old, secret: 'a secret of an old system' }]))).counts.created,
    1,
  );
};

/** The lines of an export, as a file keeps them. */
const linesOf = async ({ kit }: Platform): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const line of kit.export({ accounts: accountIds, secrets: 'clear' })) lines.push(JSON.stringify(line));
  return lines;
};
const parse = (lines: readonly string[]): readonly ExportLine[] => lines.map((line) => JSON.parse(line));
const kindsOfRequests: readonly string[] = ['request', 'template', 'history', 'transaction'];
const requestLines = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => kindsOfRequests.includes(JSON.parse(line).kind));

/** Imports all lines of an export, requests as they come. Resolves to the number of objects. */
const importLines = async ({ kit, requests }: Platform, lines: readonly string[]): Promise<number> => {
  const all = parse(lines);
  const clients = await allowed(kit.import.clients(all.filter((line) => line.kind === 'client')));
  const endpoints = await allowed(kit.import.endpoints(all.filter((line) => line.kind === 'endpoint')));
  const addresses = await allowed(kit.import.alertAddresses(all.filter((line) => line.kind === 'alert_address')));
  const dry = await allowed(requests.import(all, { dryRun: true }));
  const report = await allowed(requests.import(all));
  const failed = [clients, endpoints, addresses, report].flatMap(({ rows }) =>
    rows.filter(({ outcome }) => outcome !== 'created'),
  );
  deepStrictEqual(failed, []);
  deepStrictEqual(dry, { ...report, isDryRun: true });
  const again = await allowed(requests.import(all));
  deepStrictEqual(again.counts, { created: 0, unchanged: report.rows.length, differs: 0, refused: 0 });
  return report.rows.length;
};

/** Every page of a list, as bytes. */
const pagesOf = async ({ http }: Platform, token: string, path: string): Promise<readonly string[]> => {
  const pages: string[] = [];
  for (let after = ''; ; ) {
    const { status, body } = await http('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100${after}`, { token });
    strictEqual(status, 200, path);
    pages.push(body);
    const { next } = JSON.parse(body);
    if (next === undefined) return pages;
    after = `&after=${next}`;
  }
};

const paths = ['payment-requests', 'security-deposits', 'cash-outs', 'payment-templates', 'security-deposit-templates'];
const hasTransactions: readonly string[] = ['payment-requests', 'security-deposits'];

/** What partners read: every list, each object with its version, its history and its transactions, and every sum. */
const readAll = async (platform: Platform, token: string, accountId: string, perList: number) => {
  const base = `/api/v1/partner/organisations/${accountId}`;
  const read: (readonly [path: string, ...answers: readonly unknown[]])[] = [];
  const list = async (path: string): Promise<readonly string[]> => {
    const pages = await pagesOf(platform, token, `${base}/${path}`);
    read.push([path, pages]);
    return pages;
  };
  for (const path of paths) {
    const [first = '{}'] = await list(path);
    await list(`${path}?updatedFrom=0`);
    for (const { id } of JSON.parse(first).items.slice(0, perList)) {
      const { body, headers } = await platform.http('GET', `${base}/${path}/${id}`, { token });
      read.push([`${path}/${id}`, body, headers['etag']]);
      await list(`${path}/${id}/events`);
      if (hasTransactions.includes(path)) await list(`${path}/${id}/transactions`);
    }
  }
  await list('transactions');
  const { body } = await platform.http('GET', `${base}/transactions/sums`, { token });
  return [...read, ['sums', body]];
};

/** Creates a request, and checks that each endpoint signs its event as before. Resolves to the number of posts. */
const checkSignatures = async ({ kit, requests, sender }: Platform, lines: readonly string[]): Promise<number> => {
  const before = new Map(
    parse(lines).flatMap((line) => (line.kind === 'endpoint' ? [[line.endpoint.url, line.endpoint] as const] : [])),
  );
  const input = { name: 'Zoë', amount: 1, currency: 'EUR', recipient: { email: 'guest@example.com' } };
  await allowed(requests.payments.create(ours, input, { tx: 'new' }));
  await kit.worker().drain();
  for (const { url, headers, body } of sender.posts) {
    const { secret = '', deliveryHeader, standardWebhooks } = before.get(url) ?? {};
    const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    const all = Object.fromEntries(sent);
    strictEqual(all['x-webhook-signature'], signBody(signingKey(secret), body), url);
    strictEqual(all['x-key'], deliveryHeader?.value, url);
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = all;
    const keys = standardWebhooks ? [standardKey(secret)] : [];
    const verdict = verifyStandard(body, { id, timestamp, signature }, keys, Number(timestamp) * 1_000);
    strictEqual(verdict, standardWebhooks ? 'valid' : 'missing_signature', url);
  }
  return sender.posts.length;
};

/**
 * Export, then import into an empty storage: every client logs in, every endpoint signs the same bytes, every list and
 * every sum is equal, and the next export has the same text.
 */
const checkBringing = async ({ storage }: StorageFixture, objects: number, perList: number): Promise<void> => {
  const tokens = memoryAccessTokens();
  const first = platformOver(memoryStorage() as Storage<object>, tokens, [{ id: 'k1', key: randomBytes(32) }]);
  const credentials = await createClients(first);
  await createEndpoints(first);
  await allowed(first.kit.alerts.setAddress(ours, 'desk@partner.example'));
  for (let round = 0; round * objectsOfRound < objects; round++)
    await createObjects(first.requests, accounts[round % 3] ?? { id: ours }, round);
  const lines = await linesOf(first);
  const origins = parse(lines).flatMap((line) =>
    line.kind === 'client' ? line.client.secrets.map(({ origin = 'ours' }) => origin) : [],
  );
  deepStrictEqual(origins.toSorted(), ['imported', 'imported', 'imported', 'legacy', 'ours', 'ours', 'ours']);

  const here = platformOver(storage, tokens, [{ id: 'k2', key: randomBytes(32) }]);
  const imported = await importLines(here, lines);
  ok(imported >= objects, `${imported} objects`);
  const again = await linesOf(here);
  deepStrictEqual(requestLines(again), requestLines(lines));
  strictEqual(await allowed(here.kit.alerts.findAddress(ours)), 'desk@partner.example');

  for (const [id, secret] of credentials) strictEqual((await here.login(id, secret)).status, 200, `login of ${id}`);
  for (const [id] of credentials) strictEqual((await here.login(id, 'a wrong secret, long')).status, 401, id);

  for (const accountId of accountIds) {
    const { body } = await first.login(...(credentials[accountIds.indexOf(accountId)] ?? ['', '']));
    const token: string = JSON.parse(body).access_token;
    const [read, before] = [
      await readAll(here, token, accountId, perList),
      await readAll(first, token, accountId, perList),
    ];
    deepStrictEqual(read, before);
  }
  for (const accountId of accountIds)
    deepStrictEqual(
      await allowed(here.requests.transactions.sums(accountId)),
      await allowed(first.requests.transactions.sums(accountId)),
    );
  strictEqual(await checkSignatures(here, lines), 3);
};

/** Cases of bringing everything of a platform from one storage into another. */
export const bringingCases: Cases<StorageFixture> = {
  'what a platform exports is the same in an empty storage: logins, signatures, lists and sums': (fixture) =>
    checkBringing(fixture, 5 * objectsOfRound, 2),
};

/**
 * Tests that many objects with their history and transactions are the same, byte for byte, after an export and an
 * import into an empty storage. The suites of `storageContracts` test it with 110 objects.
 * @example
 * movedRequestsContract({ test, create, objects: 10_000 });
 * @public
 */
export const movedRequestsContract = ({
  objects,
  ...options
}: ContractOptions<StorageFixture> & {
  /** The least number of objects. */
  readonly objects: number;
}): void => {
  const name = `an export of ${objects} objects is the same in an empty storage`;
  runCases<StorageFixture>({ [name]: (fixture) => checkBringing(fixture, objects, 2) }, options);
};
