import { describe, expect, test } from 'vitest';
import { err } from '#result';
import { createSealer } from '../../../src/base/crypto/seal.ts';
import type { Endpoint } from '../../../src/webhooks/endpoints/endpoint.ts';
import { endpointSealer } from '../../../src/webhooks/endpoints/webhook-secret.ts';
import { platform, sealingKeys } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';

const deliveryHeader = { name: 'X-API-Key', value: 'k3y-value-0123' };
const url = 'https://partner.example/hooks';

const world = async () => {
  const { kit, storage, sender, signals } = platform();
  const { endpoint } = (
    await kit.endpoints.create('acc_a', { url, events: ['payed'], deliveryHeader })
  )._unsafeUnwrap();
  const stored = async () => (await storage.endpoints.findEndpoint('acc_a', endpoint.id)) as Endpoint;
  const worker = kit.worker();
  /** What is sent of one event: where to, and with which delivery headers. */
  const sent = async (header = 'x-api-key') => {
    const before = sender.posts.length;
    const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } } as const;
    await kit.events.publish(event, { tx: 'new' });
    await worker.drain();
    return sender.posts.slice(before).map((post) => [post.url, post.headers[header]]);
  };
  /** What whoever can write the database does, past partnerkit. */
  const overwrite = async (change: Partial<Endpoint>) =>
    expect(await storage.endpoints.replaceEndpoint({ ...(await stored()), ...change })).toBe(true);
  return { kit, storage, signals, id: endpoint.id, stored, sent, overwrite };
};

describe('an API key is sent only to its origin and in its header', () => {
  test.each([
    ['another host', { url: 'https://attacker.example/hooks' }],
    ['another port', { url: 'https://partner.example:8443/hooks' }],
    ['no URL at all', { url: 'attacker.example' }],
    ['a host below it', { url: 'https://x.partner.example/hooks' }],
  ])('%s, written into the store: nothing is sent, and a signal says so', async (_name, change) => {
    const { sent, overwrite, signals } = await world();
    // The worker remembers what it opened.
    expect(await sent()).toEqual([[url, deliveryHeader.value]]);
    await overwrite(change);
    expect(await sent()).toEqual([]);
    expect(signals).toContainEqual({
      kind: 'worker_error',
      during: 'attempt',
      error: { name: 'Error', code: 'sealed_value_refused' },
      count: 1,
    });
    expect(signals.at(-1)).toMatchObject({ kind: 'attempt', outcome: 'internal', next: 'retry' });
  });

  test('another header, written into the store: nothing is sent', async () => {
    const { sent, overwrite, stored } = await world();
    const value = (await stored()).deliveryHeader?.value as NonNullable<Endpoint['deliveryHeader']>['value'];
    await overwrite({ deliveryHeader: { name: 'X-Forwarded-For', value } });
    expect(await sent('x-forwarded-for')).toEqual([]);
  });

  test('another path of the origin, and another case of the header: it is sent', async () => {
    const { sent, overwrite, stored } = await world();
    const value = (await stored()).deliveryHeader?.value as NonNullable<Endpoint['deliveryHeader']>['value'];
    await overwrite({ url: 'https://partner.example/moved', deliveryHeader: { name: 'x-api-KEY', value } });
    expect(await sent()).toEqual([['https://partner.example/moved', deliveryHeader.value]]);
  });

  test.each(['Host', 'content-length', 'X-WEBHOOK-SIGNATURE', 'webhook_id'])(
    'a reserved name is refused when sending, however it came into the store: %s',
    async (header) => {
      const { sent, overwrite, signals, id } = await world();
      const sealer = endpointSealer(createSealer(sealingKeys, seededRandom(9)));
      const value = sealer.sealDeliveryHeader({ accountId: 'acc_a', id, url }, { name: header, value: 'forged' });
      await overwrite({ deliveryHeader: { name: header, value } });
      expect(await sent(header.toLowerCase())).toEqual([]);
      expect(signals).toContainEqual({
        kind: 'worker_error',
        during: 'attempt',
        error: { name: 'Error', code: 'reserved_header' },
        count: 1,
      });
    },
  );
});

describe('update of the URL', () => {
  const moved = 'https://elsewhere.example/hooks';

  test('to another origin, without the API key, is refused and changes nothing', async () => {
    const { kit, id, stored, sent } = await world();
    const before = await stored();
    expect(await kit.endpoints.update('acc_a', id, { url: moved, label: 'x' })).toMatchObject(
      err({ code: 'delivery_header_needed' }),
    );
    expect(await stored()).toEqual(before);
    expect(await sent()).toEqual([[url, deliveryHeader.value]]);
  });

  test('to another origin, with null for the API key, removes it', async () => {
    const { kit, id, sent } = await world();
    const after = (await kit.endpoints.update('acc_a', id, { url: moved, deliveryHeader: null }))._unsafeUnwrap();
    expect(after).not.toHaveProperty('deliveryHeaderName');
    expect(await sent()).toEqual([[moved, undefined]]);
  });

  test('to another origin, with the API key, sends it there', async () => {
    const { kit, id, sent } = await world();
    (await kit.endpoints.update('acc_a', id, { url: moved, deliveryHeader }))._unsafeUnwrap();
    expect(await sent()).toEqual([[moved, deliveryHeader.value]]);
  });

  test('to another path of the origin keeps the API key', async () => {
    const { kit, id, sent } = await world();
    const path = 'https://partner.example:443/other?a=b';
    (await kit.endpoints.update('acc_a', id, { url: path }))._unsafeUnwrap();
    expect(await sent()).toEqual([['https://partner.example:443/other?a=b', deliveryHeader.value]]);
  });

  test('of an endpoint without an API key needs none', async () => {
    const { kit, id, sent } = await world();
    (await kit.endpoints.update('acc_a', id, { deliveryHeader: null }))._unsafeUnwrap();
    (await kit.endpoints.update('acc_a', id, { url: moved }))._unsafeUnwrap();
    expect(await sent()).toEqual([[moved, undefined]]);
  });

  test('an API key without a URL is sealed for the stored URL', async () => {
    const { kit, id, sent } = await world();
    (
      await kit.endpoints.update('acc_a', id, { deliveryHeader: { name: 'Authorization', value: 'Bearer new' } })
    )._unsafeUnwrap();
    expect(await sent('authorization')).toEqual([[url, 'Bearer new']]);
  });
});
