import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { execute, fileOf } from './command-line.ts';

const core = fileURLToPath(import.meta.resolve('@partnerkit/core'));
const memory = fileURLToPath(import.meta.resolve('@partnerkit/core/memory'));
const time = fileURLToPath(import.meta.resolve('@partnerkit/core/time'));
const zod = fileURLToPath(import.meta.resolve('zod'));

/** A platform whose receiver was down until its delivery was exhausted. */
const platform = `
import { createPartnerkit, defineObject } from ${JSON.stringify(core)};
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from ${JSON.stringify(memory)};
import { systemClock } from ${JSON.stringify(time)};
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
  clock,
  sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }],
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
  ])('%j', async (args, told) => {
    expect(await execute(args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(told) });
  });

  test('a module without a kit', async () => {
    const args = ['recover', module, '--account', 'a', '--endpoint', 'e', '--from', '2027-01-15T08:00:00Z'];
    const told = 'exports no kit. Export it by default: export default kit;';
    expect(await execute(args)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(told) });
  });
});
