import { ok } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { createPartnerkit, hour, type Partnerkit, second } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import type { Cases } from '../support/contract.ts';
import { allowed, login, payment } from '../support/kit.ts';
import { allPages } from '../support/pages.ts';
import { child, ours, theirs } from '../support/records.ts';
import { deliveriesOf, parsed, wholeEventsOf } from '../support/stored.ts';
import type { StorageFixture } from './storage-fixture.ts';

/** Everything that the ports return about an account, for a fixture without a probe. */
const shown = async ({ storage }: StorageFixture, accountId: string): Promise<string> => {
  const deliveries = await deliveriesOf(storage, accountId);
  const rows = await Promise.all([
    allPages((page) => storage.clients.listClients(accountId, page)),
    allPages((page) => storage.endpoints.listEndpoints(accountId, page)),
    wholeEventsOf(storage, accountId),
    ...deliveries.map((each) => storage.log.listAttempts(parsed(accountId, each))),
  ]);
  return JSON.stringify([...rows, deliveries]);
};

/** A secret may be stored in another encoding, or without its prefix. */
const forms = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const core = secret.split('_').at(-1) ?? secret;
  return [
    secret,
    core,
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
};

/** Asserts that the text has none of the secrets, in any encoding. */
export const assertNoSecret = (text: string, secrets: readonly string[]): void => {
  for (const secret of secrets)
    for (const form of forms(secret)) ok(!text.includes(form), `stored in clear: ${form.slice(0, 8)}…`);
};

/** Uses every feature with a secret for one account, and resolves to the secrets. */
const useSecrets = async (kit: Partnerkit<object, typeof payment>, accountId: string): Promise<readonly string[]> => {
  const added = await allowed(kit.clients.create(accountId, { name: 'Booking system' }));
  const second = await allowed(kit.clients.addSecret(accountId, added.client.id));
  const { status, body } = await login(kit, added.client.id, added.secret);
  ok(status === 200, `the login was answered ${status}`);
  const { access_token: token }: { readonly access_token: string } = JSON.parse(body);
  await allowed(kit.clients.revokeToken(accountId, token));
  const deliveryHeader = randomBytes(24).toString('hex');
  const made = await allowed(
    kit.endpoints.create(accountId, {
      url: 'https://partner.example/webhooks',
      events: ['payed'],
      includeChildren: true,
      deliveryHeader: { name: 'X-API-Key', value: deliveryHeader },
    }),
  );
  const next = await allowed(kit.endpoints.prepareSecret(accountId, made.endpoint.id));
  return [added.secret, second.secret, token, made.secret, next.secret, deliveryHeader];
};

const untilAborted = (_time: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });

/** Cases of a leaked copy of the database. */
export const secretCases: Cases<StorageFixture> = {
  'no secret is stored in clear text': async (fixture) => {
    const { storage, storeNow, probe } = fixture;
    const now = Math.floor(await storeNow());
    // A receiver that returns everything that it received.
    const sender = memorySender(({ headers, body }) => ({
      kind: 'answered',
      status: 500,
      body: `${JSON.stringify(headers)} ${body}`,
      durationMs: 1,
    }));
    const kit = createPartnerkit<object, readonly [typeof payment]>({
      accounts: memoryAccounts([
        ...[ours, theirs].map((id) => ({ id, name: id, status: 'active', environment: 'prod' })),
        { id: child, name: child, status: 'active', environment: 'prod', parentId: ours },
      ]),
      storage,
      tokens: memoryAccessTokens(),
      sender,
      objects: [payment],
      // Time stands still: no call is late, however slow the storage.
      advanced: { sealingKeys: [{ id: 'k1', key: randomBytes(32) }], clock: { now: () => now, sleep: untilAborted } },
    });
    const secrets = [...(await useSecrets(kit, ours)), ...(await useSecrets(kit, theirs))];
    for (const accountId of [ours, theirs, child])
      await kit.events.publish(
        { accountId, objectName: 'RequestPayment', type: 'payed', data: { id: `paid by ${accountId}` } },
        { tx: 'new' },
      );
    await kit.worker().drain();
    ok(sender.posts.length === 3, 'each account was sent its event, and one that of its child');
    await fixture.elapse(hour + second);
    await kit.worker().drain();

    const dumps = [`${await shown(fixture, ours)} ${await shown(fixture, theirs)}`, ...(probe ? [await probe()] : [])];
    for (const dump of dumps) {
      for (const stored of ['Booking system', 'partner.example', `paid by ${ours}`, `paid by ${theirs}`, child])
        ok(dump.includes(stored), `"${stored}" was stored, and is not in the dump`);
      assertNoSecret(dump, secrets);
    }
  },
};
