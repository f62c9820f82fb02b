import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { execute, fileOf } from './command-line.ts';

const core = fileURLToPath(import.meta.resolve('@partnerkit/core'));
const memory = fileURLToPath(import.meta.resolve('@partnerkit/core/memory'));
const zod = fileURLToPath(import.meta.resolve('zod'));

/** A platform without partners, that stores at most one endpoint of an account. */
const platform = `
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
  imported: { clients: true },
  webhooks: { maxEndpoints: 1 },
});
export default kit;
`;

const client = (id: string, accountId = 'acc_1') => ({
  kind: 'client',
  client: {
    ...{
      id,
      accountId,
      name: 'Booking',
      createdAt: 1_577_836_800_000,
      disabled: false,
      tokensNotBefore: 0,
      version: 3,
    },
    secrets: [{ id: 'abcdefABCDEF', digest: 'ab'.repeat(32), createdAt: 1_577_836_800_000, revoked: false }],
  },
});
const endpoint = (id: string) => ({
  kind: 'endpoint',
  endpoint: {
    ...{ id, accountId: 'acc_1', url: 'https://partner.example/', events: ['payed'], includeChildren: false },
    ...{
      state: 'enabled',
      secret: 'whsec_0123456789',
      standardWebhooks: false,
      createdAt: 1_577_836_800_000,
      version: 1,
    },
  },
});
const address = { kind: 'alert_address', accountId: 'acc_1', address: 'desk@partner.example' };
const first = '018cc251-f400-7000-8000-000000000001';
const second = '018cc251-f400-7000-8000-000000000002';
const linesOf = (...lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const exported = linesOf(
  { kind: 'catalogue', objects: {} },
  client('c1'),
  endpoint(first),
  address,
  { kind: 'event', event: {} },
  { kind: 'event', event: {} },
);

test('clients, endpoints and addresses of an export are stored, once; a dry run stores nothing', async () => {
  const [module, file] = [fileOf(platform, 'kit.mjs'), fileOf(exported)];
  const created = [
    'client: 1 created, 0 unchanged, 0 differs, 0 refused\n',
    'endpoint: 1 created, 0 unchanged, 0 differs, 0 refused\n',
    'alert_address: 1 created, 0 unchanged, 0 differs, 0 refused\n',
    'event: 2, not imported\n',
  ].join('');
  const dry = await execute(['import', module, '--in', file, '--dry-run']);
  expect(dry).toEqual({ exitCode: 0, stderr: '', stdout: `${created}A dry run: nothing is stored.\n` });
  expect(await execute(['import', module, '--in', file])).toEqual({ exitCode: 0, stderr: '', stdout: created });
  const { exitCode, stdout } = await execute(['import', module, '--in', file, '--json']);
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    0,
    {
      isDryRun: false,
      client: { created: 0, unchanged: 1, differs: 0, refused: 0 },
      endpoint: { created: 0, unchanged: 1, differs: 0, refused: 0 },
      alert_address: { created: 0, unchanged: 1, differs: 0, refused: 0 },
      notImported: { event: 2 },
    },
  ]);
});

test('what is refused or differs is named by its line, and what is refused is exit code 1', async () => {
  const module = fileOf(platform, 'kit.mjs');
  await execute(['import', module, '--in', fileOf(exported)]);
  const changed = { ...client('c1'), client: { ...client('c1').client, name: 'Other' } };
  const file = fileOf(
    linesOf(
      changed,
      client('c2', 'nobody'),
      endpoint(first),
      endpoint(second),
      { ...address, address: 'desk' },
      { ...address, address: 'night@partner.example' },
    ),
  );
  expect(await execute(['import', module, '--in', file])).toMatchObject({
    exitCode: 1,
    stdout: [
      'line 1: client differs from what is stored, which stays\n',
      'line 2: client refused: accountId: accounts.find knows no account of this id.\n',
      'line 4: endpoint refused: input: The account has as many endpoints as maxEndpoints allows: delete one first.\n',
      'line 5: alert_address refused: address: an e-mail address in ASCII; an international domain in its form xn--….\n',
      'line 6: alert_address differs from what is stored, which stays\n',
      'client: 0 created, 0 unchanged, 1 differs, 1 refused\n',
      'endpoint: 0 created, 1 unchanged, 0 differs, 1 refused\n',
      'alert_address: 0 created, 0 unchanged, 1 differs, 1 refused\n',
    ].join(''),
  });
});

test('more lines than one call of the kit takes', async () => {
  const clients = Array.from({ length: 1_001 }, (_, place) => client(`c${place}`));
  const { exitCode, stdout } = await execute([
    'import',
    fileOf(platform, 'kit.mjs'),
    '--in',
    fileOf(linesOf(...clients)),
  ]);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('client: 1001 created, ')]);
});

test('one refused address is exit code 1; a kit without that import takes a file without addresses', async () => {
  const file = fileOf(linesOf({ ...address, accountId: 'nobody' }));
  expect((await execute(['import', fileOf(platform, 'kit.mjs'), '--in', file])).exitCode).toBe(1);
  const earlier =
    platform.replace('export default kit;', '') +
    `
    export default { import: { clients: kit.import.clients, endpoints: kit.import.endpoints } };`;
  const before = fileOf(linesOf(client('c1'), endpoint(first)));
  expect((await execute(['import', fileOf(earlier, 'kit.mjs'), '--in', before])).exitCode).toBe(0);
});

describe('what is wrong is said with its remedy', () => {
  const module = fileOf(platform, 'kit.mjs');
  test.each<[readonly string[], number, string]>([
    [['import'], 2, 'import needs a module that exports the kit.'],
    [['import', module], 2, 'import needs --in, the file that export wrote.'],
    [['import', module, '--in', '/none'], 1, '/none does not exist.'],
    [['import', module, '--in', fileOf('{"kind":"event"}\n{"id":1}\n')], 1, ', line 2: no line of an export.'],
    [['import', module, '--in', fileOf('{"kind":')], 1, ', line 1: no line of an export.'],
    [['import', fileOf('export default {};', 'kit.mjs'), '--in', fileOf('')], 1, 'exports no kit.'],
  ])('%j', async (args, exitCode, told) => {
    expect(await execute(args)).toMatchObject({ exitCode, stderr: expect.stringContaining(told) });
  });

  test('a failure of the platform', async () => {
    const failing = `
      const fails = async () => ({ match: (ok, err) => err({ code: 'unavailable', message: 'No database.' }) });
      export default { import: { clients: fails, endpoints: fails } };`;
    const { exitCode, stderr } = await execute(['import', fileOf(failing, 'kit.mjs'), '--in', fileOf(exported)]);
    const told = 'unavailable: No database. Import the same file again: what is stored stays as it is.\n';
    expect([exitCode, stderr]).toEqual([1, told]);
  });
});
