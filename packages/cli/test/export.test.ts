import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPartnerkit, defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { execute, fileOf, newFolder } from './command-line.ts';

const core = fileURLToPath(import.meta.resolve('@partnerkit/core'));
const memory = fileURLToPath(import.meta.resolve('@partnerkit/core/memory'));
const zod = fileURLToPath(import.meta.resolve('zod'));

const payment = defineObject('RequestPayment', {
  ...{ schema: z.object({ id: z.string() }), groups: {}, events: { default: [] } },
});

/** A module of a platform, as a person writes it. */
const platform = `
import { createPartnerkit, defineObject } from ${JSON.stringify(core)};
import { z } from ${JSON.stringify(zod)};
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from ${JSON.stringify(memory)};

const kit = createPartnerkit({
  accounts: memoryAccounts([{ id: 'acc_1', name: 'Hotel', status: 'active', environment: 'prod' }]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
  objects: [defineObject('RequestPayment', { schema: z.object({ id: z.string() }), groups: {}, events: { default: [] } })],
});
export const shown = globalThis.shownSecrets = {};
export default async () => {
  const client = (await kit.clients.create('acc_1', { name: 'Booking' }))._unsafeUnwrap();
  const events = ['payed'];
  const endpoint = (await kit.endpoints.create('acc_1', { url: 'https://partner.example/', events }))._unsafeUnwrap();
  Object.assign(shown, { client: client.secret, clientId: client.client.id, endpoint: endpoint.secret });
  const event = { accountId: 'acc_1', objectName: 'RequestPayment', type: 'payed', data: { id: 'p1' } };
  await kit.events.publish(event, { tx: 'new' });
  await kit.worker().drain();
  return kit;
};
export async function* accounts() { yield 'acc_1'; }
export const close = () => { shown.closed = true; };
`;

const exported = async (...options: readonly string[]) => {
  const out = join(newFolder(), 'export.jsonl');
  // An earlier export was killed.
  writeFileSync(`${out}.part`, 'left over', { mode: 0o644 });
  const ran = await execute(['export', fileOf(platform, 'export.mjs'), '--out', out, ...options]);
  if (ran.exitCode !== 0) throw new Error(ran.stderr);
  const { shownSecrets } = globalThis as unknown as {
    readonly shownSecrets: Readonly<Record<'client' | 'clientId' | 'endpoint' | 'closed', string>>;
  };
  const text = readFileSync(out, 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { ...ran, out, text, lines, shown: shownSecrets };
};

test('writes everything as JSON lines, to a file for this user alone, without a secret in clear', async () => {
  const { exitCode, stdout, out, lines, text, shown } = await exported();
  expect([exitCode, stdout]).toEqual([0, `Wrote ${out}: client: 1, endpoint: 1, event: 1, delivery: 1.\n`]);
  expect(lines.map(({ kind }) => kind)).toEqual(['catalogue', 'client', 'endpoint', 'event', 'delivery']);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(text).not.toContain(shown.client);
  expect(text).not.toContain(shown.endpoint);
  expect(shown.closed).toBe(true);
});

test('with --clear, another kit reads clients and endpoints again: partners keep their secrets', async () => {
  const { lines, shown } = await exported('--clear');
  const sender = memorySender();
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: 'acc_1', name: 'Hotel', status: 'active', environment: 'prod' }]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender,
    advanced: { sealingKeys: [{ id: 'k2', key: new Uint8Array(32).fill(2) }] },
    objects: [payment],
    imported: { clients: true },
  });
  const of = (kind: string) => lines.filter((line) => line.kind === kind).map((line) => line[kind]);
  const clients = of('client').map(({ accountId, id, name, secrets }) => ({
    ...{ accountId, id, name },
    secrets: secrets.map((each: { readonly digest: string; readonly id: string }) => ({
      sha256: each.digest,
      id: each.id,
    })),
  }));
  const endpoints = of('endpoint').map(({ accountId, id, url, events, secret }) => ({
    ...{ accountId, reference: id, url, events, secret },
  }));
  expect((await kit.import.clients(clients))._unsafeUnwrap().counts).toMatchObject({ created: 1 });
  expect((await kit.import.endpoints(endpoints))._unsafeUnwrap().counts).toMatchObject({ created: 1 });

  const [login] = kit.routes.filter(({ path }) => path.endsWith('/login'));
  const asked = {
    ...{ client_id: shown.clientId, client_secret: shown.client },
    ...{ grant_type: 'client_credentials', scope: 'USER' },
  };
  const answer = await login?.handle({
    ...{ method: 'POST', target: login.path, remoteAddress: '192.0.2.1' },
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(asked)),
  });
  expect(answer?.status).toBe(200);

  const event = { accountId: 'acc_1', objectName: 'RequestPayment', type: 'payed', data: { id: 'p1' } } as const;
  await kit.events.publish(event, { tx: 'new' });
  await kit.worker().drain();
  const [post] = sender.posts;
  const receiver = createReceiver({ secrets: [shown.endpoint], seen: memorySeenKeys(), on: {}, otherwise: () => {} });
  const request = { headers: post?.headers ?? {}, body: Buffer.from(post?.body ?? '') };
  expect((await receiver.handle(request as never)).status).toBe(204);
});

test('an export that fails leaves no file, and says why', async () => {
  const out = join(newFolder(), 'export.jsonl');
  const failing = `
    export default { async *export() { yield { kind: 'catalogue' }; throw new Error('no database'); } };
    export const accounts = [];`;
  const { exitCode, stderr } = await execute(['export', fileOf(failing, 'export.mjs'), '--out', out]);
  expect([exitCode, stderr]).toEqual([1, 'The export failed: no database\n']);
  expect([existsSync(out), existsSync(`${out}.part`)]).toEqual([false, false]);
});

test('a file that cannot be written is named, and the connections of the module end', async () => {
  const module = fileOf(platform, 'export.mjs');
  const { exitCode, stderr } = await execute(['export', module, '--out', '/none/export.jsonl']);
  expect([exitCode, stderr]).toEqual([1, 'Cannot write /none/export.jsonl.part: ENOENT.\n']);
  expect(globalThis).toMatchObject({ shownSecrets: { closed: true } });
});

test('without --out, the lines are on standard output alone', async () => {
  const small = `
    export default { async *export() { yield { kind: 'catalogue' }; yield { kind: 'client' }; } };
    export const accounts = [];`;
  const { exitCode, stdout, stderr } = await execute(['export', fileOf(small, 'export.mjs')]);
  expect([exitCode, stdout, stderr]).toEqual([0, '{"kind":"catalogue"}\n{"kind":"client"}\n', 'Exported client: 1.\n']);
});

test('with --access, an access review without a secret and a digest', async () => {
  const { lines, text, shown } = await exported('--access');
  expect(lines).toMatchObject([
    { kind: 'access', type: 'api_key', id: shown.clientId, name: 'Booking', rights: 'all', maker: { type: 'host' } },
    { kind: 'access', type: 'endpoint', url: 'https://partner.example/', maker: { type: 'host' } },
  ]);
  for (const hidden of ['digest', 'secret"', shown.client, shown.endpoint]) expect(text).not.toContain(hidden);
  const both = await execute(['export', fileOf(platform, 'both.mjs'), '--access', '--clear']);
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('an access review has no secrets')]);
});
