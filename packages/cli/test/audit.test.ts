import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { execute, fileOf, newFolder } from './command-line.ts';

const path = (name: string): string => JSON.stringify(fileURLToPath(import.meta.resolve(name)));

/** A platform with two API keys, whose worker linked their entries. `change` tampers with what the store reads. */
const platform = (change = 'entry') => `
import { createPartnerkit, defineObject } from ${path('@partnerkit/core')};
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from ${path('@partnerkit/core/memory')};
import { z } from ${path('zod')};
const storage = memoryStorage();
const readLinked = async (...args) => (await storage.audit.readLinked(...args)).map((entry) => (${change}));
const kit = createPartnerkit({
  accounts: memoryAccounts([{ id: 'acc_1', name: 'Hotel', status: 'active', environment: 'prod' }]),
  storage: { ...storage, audit: { ...storage.audit, readLinked } },
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
  objects: [defineObject('RequestPayment', { schema: z.object({ id: z.string() }), groups: {}, events: { default: [] } })],
});
for (const name of ['Till', 'Desk']) await kit.clients.create('acc_1', { name });
await kit.worker().drain();
export default kit;
`;

test('a trail that verifies has exit code 0, and is written as JSON lines that only this user can read', async () => {
  const out = join(newFolder(), 'trail.jsonl');
  const { exitCode, stdout } = await execute(['audit', fileOf(platform(), 'kit.mjs'), '--out', out]);
  expect([exitCode, stdout]).toEqual([
    0,
    `Nothing is wrong: 2 entries are linked, 0 wait for their link.\nWrote ${out}: 2 entries.\n`,
  ]);
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'key.added', by: { type: 'host' }, data: { changes: { name: { to: 'Till' } } } },
    { type: 'key.added', data: { changes: { name: { to: 'Desk' } } } },
  ]);
  expect(statSync(out).mode & 0o777).toBe(0o600);
});

test('a changed entry has exit code 1, and is named', async () => {
  const module = fileOf(
    platform("entry.position === 2 ? { ...entry, by: { type: 'user', id: 'x' } } : entry"),
    'kit.mjs',
  );
  const { exitCode, stdout } = await execute(['audit', module]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^1 problems: 2 entries are linked, 0 wait for their link\.\nshard \d+, place 2: entry \S+ was not written by this platform/,
  );
  const { stdout: json } = await execute(['audit', module, '--json']);
  expect(JSON.parse(json)).toMatchObject({ linked: 2, unlinked: 0, problems: [{ kind: 'foreign', position: 2 }] });
});
