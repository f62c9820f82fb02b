import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { execute, fileOf } from './command-line.ts';

const core = fileURLToPath(import.meta.resolve('@partnerkit/core'));
const memory = fileURLToPath(import.meta.resolve('@partnerkit/core/memory'));
const adapter = fileURLToPath(import.meta.resolve('@partnerkit/core/adapter'));
const zod = fileURLToPath(import.meta.resolve('zod'));

/** A platform whose receiver was down until its delivery was exhausted. */
const platform = `
import { createPartnerkit, defineObject } from ${JSON.stringify(core)};
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from ${JSON.stringify(memory)};
import { systemClock } from ${JSON.stringify(adapter)};
import { z } from ${JSON.stringify(zod)};

let ahead = 0;
const clock = { now: () => systemClock.now() + ahead, sleep: systemClock.sleep };
let status = 500;
const sender = memorySender(() => ({ kind: 'answered', status, body: '', durationMs: 1 }));
const kit = createPartnerkit({
  accounts: memoryAccounts([{ id: 'acc_1', name: 'Hotel', status: 'active', environment: 'prod' }]),
  storage: memoryStorage({ clock }),
  tokens: memoryAccessTokens(),
  sender,
  advanced: { clock, sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
  objects: [defineObject('RequestPayment', { schema: z.object({ id: z.string() }), groups: {}, events: { default: [] } })],
});
const endpoint = (await kit.endpoints.create('acc_1', { url: 'https://partner.example/', events: ['payed'] }))._unsafeUnwrap();
globalThis.recovered = { endpointId: endpoint.endpoint.id, kit, closed: 0 };
await kit.events.publish({ accountId: 'acc_1', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } }, { tx: 'new' });
for (let times = 0; times < 55; times++) {
  await kit.worker().drain();
  ahead += 7_200_000;
}
status = 200;
export default () => kit;
export const close = () => { globalThis.recovered.closed += 1; };
`;

interface Recovered {
  readonly endpointId: string;
  readonly closed: number;
  readonly kit: {
    readonly deliveries: {
      list(
        accountId: string,
      ): PromiseLike<{ _unsafeUnwrap(): { readonly items: readonly { readonly state: string }[] } }>;
    };
  };
}
const recovered = (): Recovered => (globalThis as unknown as { readonly recovered: Recovered }).recovered;

test('what failed in a period is sent again, once, and the connections are closed', async () => {
  const module = fileOf(platform, 'platform.mjs');
  await import(module);
  const { endpointId, kit } = recovered();
  const of = ['recover', module, '--account', 'acc_1', '--endpoint', endpointId, '--from', '2020-01-01T00:00:00Z'];
  const early = await execute([...of, '--to', '2020-01-02T00:00:00+01:00']);
  expect(early).toMatchObject({ exitCode: 0, stdout: '0 events that had failed are sent again.\n' });
  expect(await execute([...of, '--json'])).toMatchObject({ exitCode: 0, stdout: '{"deliveries":1}\n' });
  expect(await execute([...of, '--json'])).toMatchObject({ exitCode: 0, stdout: '{"deliveries":0}\n' });
  expect(recovered().closed).toBe(3);
  const { items } = (await kit.deliveries.list('acc_1'))._unsafeUnwrap();
  expect(items.map(({ state }) => state)).toEqual(['exhausted', 'waiting']);
  const none = await execute([...of.slice(0, 4), '--endpoint', 'x', '--from', '2020-01-01T00:00:00Z']);
  expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('not_found: ') });
});

describe('a wrong command line is named', () => {
  const module = fileOf('export default 5;', 'none.mjs');
  test.each([
    [['recover'], 'recover needs a module that exports the kit.'],
    [['recover', module], 'recover needs --account.'],
    [['recover', module, '--account', 'a', '--endpoint', 'e'], 'recover needs --from.'],
    [
      ['recover', module, '--account', 'a', '--endpoint', 'e', '--from', '2027-01-15'],
      '--from needs a time with its zone, such as 2027-01-15T08:00:00Z.',
    ],
    [
      ['recover', module, '--account', 'a', '--endpoint', 'e', '--from', '2027-02-31T00:00:00Z'],
      '--from: there is no day 2027-02-31.',
    ],
    [
      [
        ...['recover', module, '--account', 'a', '--endpoint', 'e'],
        ...['--from', '2027-02-28T00:00:00Z', '--to', '2027-02-29T00:00:00+01:00'],
      ],
      '--to: there is no day 2027-02-29.',
    ],
    [
      ['recover', module, '--account', 'a', '--endpoint', 'e', '--from', '2027-13-01T00:00:00Z'],
      '--from needs a time with its zone',
    ],
  ])('%j', async (args, told) => {
    expect(await execute(args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(told) });
  });

  test('a module without a kit', async () => {
    const args = ['recover', module, '--account', 'a', '--endpoint', 'e', '--from', '2027-01-15T08:00:00Z'];
    const told = 'exports no kit. Export it by default: export default kit;';
    expect(await execute(args)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(told) });
  });
});

describe('close of a module', () => {
  const command = ['--account', 'a', '--endpoint', 'e', '--from', '2028-02-29T00:00:00Z'];
  const module = (kit: string, close: string) =>
    fileOf(`export default ${kit}; export const close = ${close};`, 'kit.mjs');
  const failing = `() => { throw new Error('cannot close'); }`;
  const kitOf = (answer: string) => `{ deliveries: { recover: async () => ({ match: (ok, err) => ${answer} }) } }`;

  test('that fails after a failure is told beside it', async () => {
    const path = module(kitOf(`err({ code: 'not_found', message: 'No endpoint.' })`), failing);
    const { exitCode, stderr } = await execute(['recover', path, ...command]);
    expect([exitCode, stderr]).toEqual([
      1,
      `${path}: its export close failed: cannot close\n` +
        'not_found: No endpoint. 0 events were sent again; a repetition sends none twice.\n',
    ]);
    const { stdout } = await execute(['recover', path, ...command, '--json']);
    expect(JSON.parse(stdout)).toEqual({ error: expect.stringMatching(/^not_found: /) });
  });

  test('that fails after success is the failure', async () => {
    const path = module(kitOf('ok({ deliveries: 3 })'), failing);
    const { exitCode, stderr } = await execute(['recover', path, ...command]);
    expect([exitCode, stderr]).toEqual([1, `${path}: its export close failed: cannot close\n`]);
  });

  test.each([
    ['its default export is no kit', '5', 'exports no kit'],
    ['its default export fails', `() => { throw new Error('no database'); }`, 'its export default failed: no database'],
  ])('is called when %s', async (_name, kit, told) => {
    const closed = `closed${told.length}`;
    const path = module(kit, `() => { globalThis.${closed} = true; }`);
    expect((await execute(['recover', path, ...command])).stderr).toContain(told);
    expect(globalThis).toMatchObject({ [closed]: true });
  });

  test('is called when an export finds no accounts', async () => {
    const path = module('{ export() {} }', '() => { globalThis.closedExport = true; }');
    expect((await execute(['export', path])).stderr).toContain('exports no accounts');
    expect(globalThis).toMatchObject({ closedExport: true });
  });
});
