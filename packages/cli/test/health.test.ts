import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { execute, fileOf } from './command-line.ts';

const core = fileURLToPath(import.meta.resolve('@partnerkit/core'));
const memory = fileURLToPath(import.meta.resolve('@partnerkit/core/memory'));
const zod = fileURLToPath(import.meta.resolve('zod'));

/** A platform that runs no worker. `publish`: whether an event waits. */
const platform = (publish: boolean) => `
import { createPartnerkit, defineObject } from ${JSON.stringify(core)};
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from ${JSON.stringify(memory)};
import { z } from ${JSON.stringify(zod)};
const kit = createPartnerkit({
  accounts: memoryAccounts([{ id: 'acc_1', name: 'Hotel', status: 'active', environment: 'prod' }]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
  objects: [defineObject('RequestPayment', { schema: z.object({ id: z.string() }), groups: {}, events: { default: [] } })],
});
if (${publish})
  await kit.events.publish({ accountId: 'acc_1', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } }, { tx: 'new' });
export default kit;
`;

test('a platform whose events wait without a worker fails, with its reasons within 80 columns', async () => {
  const { exitCode, stdout } = await execute(['health', fileOf(platform(true), 'kit.mjs')]);
  expect(exitCode).toBe(1);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^failing at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(lines.slice(1, 5)).toEqual([
    '- No worker holds shards while 1 event waits: start one with',
    '  kit.worker().start().',
    '',
    'Backlog',
  ]);
  expect(lines[5]).toMatch(/^ {2}events without dispatch: 1, the oldest for \d+ s$/);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
});

test('attention is no failure; --json writes the report', async () => {
  const { exitCode, stdout } = await execute(['health', fileOf(platform(false), 'kit.mjs'), '--json']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'attention', freeShards: 128, findings: [] });
});

test('a module without a kit is named', async () => {
  const ran = await execute(['health', fileOf('export default {};', 'kit.mjs')]);
  expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('exports no kit') });
});
