import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { present } from '../../../src/base/fields/present.ts';
import { day } from '../../../src/base/runtime/time.ts';
import type { ExportOptions } from '../../../src/kit/exports/exports.ts';
import {
  defineEnvelope,
  specificationEnvelope,
  standardWebhooksEnvelope,
} from '../../../src/webhooks/envelope/webhook-envelope.ts';
import { start } from '../../support/clock.ts';
import { loginToken, me } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const world = async () => {
  const made = platform();
  const client = (await made.kit.clients.create('acc_a', { name: 'Booking' }))._unsafeUnwrap();
  const deliveryHeader = { name: 'X-Key', value: 'the-api-key' };
  const input = { url: 'https://partner.example/', events: ['payed'], deliveryHeader } as const;
  const endpoint = (await made.kit.endpoints.create('acc_a', input))._unsafeUnwrap();
  (await made.kit.clients.create('acc_b', { name: 'Foreign' }))._unsafeUnwrap();
  const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed' } as const;
  for (let count = 0; count < 120; count++)
    await made.kit.events.publish({ ...event, data: { id: `p${count}` } }, { tx: 'new' });
  await made.kit.worker().drain();
  const lines = async (options: Partial<ExportOptions> = {}) => {
    const all = [];
    for await (const line of made.kit.export({ accounts: ['acc_a'], ...options })) all.push(line);
    return all;
  };
  return { ...made, client, endpoint, lines };
};

test('everything of the accounts that are named, over pages, and nothing of others', async () => {
  const { lines, client, endpoint } = await world();
  const all = await lines();
  const count = (kind: string) => all.filter((line) => line.kind === kind).length;
  expect(['catalogue', 'client', 'endpoint', 'event', 'delivery'].map(count)).toEqual([1, 1, 1, 120, 120]);
  expect(all[0]).toMatchObject({ objects: { ModelRequestPayment: ['creation', 'update', 'deletion'] } });
  const digest = createHash('sha256').update(client.secret).digest('hex');
  expect(all[1]).toMatchObject({ client: { id: client.client.id, secrets: [{ digest }] } });
  expect(all.at(-1)).toMatchObject({ delivery: { state: 'delivered' }, attempts: [{ kind: 'answered', status: 200 }] });
  const text = JSON.stringify(all);
  for (const hidden of ['Foreign', endpoint.secret, 'the-api-key', client.secret]) expect(text).not.toContain(hidden);
});

test('an address for alerts is a line of its account; an account without one has none', async () => {
  const { kit, lines } = await world();
  (await kit.alerts.setAddress('acc_b', 'desk@partner.example'))._unsafeUnwrap();
  const found = (await lines({ accounts: ['acc_a', 'acc_b'] })).filter(({ kind }) => kind === 'alert_address');
  expect(found).toEqual([{ kind: 'alert_address', accountId: 'acc_b', address: 'desk@partner.example' }]);
  const review = await lines({ accounts: ['acc_b'], content: 'access' });
  expect(JSON.stringify(review)).not.toContain('desk@');
});

test('secrets in clear, opened with the sealing key', async () => {
  const { lines, endpoint } = await world();
  const found = (await lines({ secrets: 'clear' })).find((line) => line.kind === 'endpoint');
  expect(found).toMatchObject({ endpoint: { secret: endpoint.secret, deliveryHeader: { value: 'the-api-key' } } });
});

test('accounts come from an iterable of any kind; a misspelt option is refused', async () => {
  const { lines } = await world();
  async function* accounts() {
    yield 'acc_b';
    yield 'nobody';
  }
  expect((await lines({ accounts: accounts() })).map(({ kind }) => kind)).toEqual(['catalogue', 'client']);
  await expect(lines({ secret: 'clear' } as never)).rejects.toThrow('secrets');
  await expect(lines({ secrets: 'open' } as never)).rejects.toThrow("'sealed' or 'clear'");
});

test('an event has its body as each profile sends it', async () => {
  const body = defineEnvelope({ name: 'ours', write: ({ id, timestamp }) => JSON.stringify({ id, timestamp }) });
  const { kit, sender } = platform({
    webhooks: {
      envelope: standardWebhooksEnvelope(),
      profiles: { old: { envelope: body }, plain: { envelope: specificationEnvelope() } },
    },
  });
  for (const profile of [undefined, 'old', 'plain'])
    (
      await kit.endpoints.create('acc_a', {
        url: `https://${profile}.example/`,
        events: ['payed'],
        ...present({ profile }),
      })
    )._unsafeUnwrap();
  const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p1' } } as const;
  await kit.events.publish(event, { tx: 'new' });
  await kit.worker().drain();
  const sent = new Map(sender.posts.map(({ url, body }) => [new URL(url).hostname, body]));
  for await (const line of kit.export({ accounts: ['acc_a'] }))
    if (line.kind === 'event') {
      expect(line.body).toBe(sent.get('undefined.example'));
      expect(line.bodies).toEqual({ old: sent.get('old.example'), plain: sent.get('plain.example') });
    }
  expect(sent.size).toBe(3);
});

test('an access review says who can reach an account, and has no secret', async () => {
  const { kit, clock, storage, lines, client, endpoint } = await world();
  const input = { name: 'Reports', rights: ['events:read'] } as const;
  const actor = { type: 'user', id: 'anna' } as const;
  const limited = (await kit.clients.create('acc_a', input, { actor }))._unsafeUnwrap();
  // A later change by another person makes no key.
  (await kit.clients.update('acc_a', limited.client.id, { name: 'Reports' }))._unsafeUnwrap();
  await me(kit, await loginToken(kit, limited));
  (await kit.clients.disable('acc_a', client.client.id))._unsafeUnwrap();
  await kit.clients.flushUsage();
  clock.set(start + 90 * day);
  const common = { kind: 'access', accountId: 'acc_a', createdAt: start, ageDays: 90, maker: { type: 'host' } };
  const all = await lines({ content: 'access' });
  expect(all).toEqual([
    {
      ...{ ...common, type: 'api_key', id: client.client.id, name: 'Booking', rights: 'all', disabled: true },
      ...{ activeSecrets: 1, calls: 0, isUnused: true },
    },
    {
      ...{ ...common, type: 'api_key', id: limited.client.id, name: 'Reports', rights: ['events:read'] },
      ...{ maker: actor },
      ...{ disabled: false, activeSecrets: 1, lastLoginAt: start, lastCallAt: start, calls: 0, isUnused: true },
    },
    {
      ...{ ...common, type: 'endpoint', id: endpoint.endpoint.id, url: 'https://partner.example/', state: 'enabled' },
      ...{ events: ['payed'], includeChildren: false, lastUsedAt: start },
    },
  ]);
  await expect(lines({ content: 'keys' } as never)).rejects.toThrow("'all' or 'access'");
  // Entries that this platform did not make name nobody.
  const other = platform({ storage, clock, sealingKeys: [{ id: 'k2', key: new Uint8Array(32).fill(2) }] });
  const makers = [];
  for await (const line of other.kit.export({ accounts: ['acc_a'], content: 'access' }))
    makers.push('maker' in line && line.maker);
  expect(makers).toEqual(['not_in_trail', 'not_in_trail', 'not_in_trail']);
});
