import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { minute } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { defineEnvelope, standardWebhooksEnvelope } from '../../../src/webhooks/envelope/webhook-envelope.ts';
import { ed25519 } from '../../../src/webhooks/signature/ed25519-signature.ts';
import { hmac } from '../../../src/webhooks/signature/hmac-signature.ts';
import { specificationSignature } from '../../../src/webhooks/signature/specification-signature.ts';
import { standardWebhooks } from '../../../src/webhooks/signature/standard-signature.ts';
import { start, testClock } from '../../support/clock.ts';
import { platform } from '../../support/kit.ts';
import { seededRandom } from '../../support/random.ts';

const url = 'https://partner.example/hooks';
const event = {
  accountId: 'acc_a',
  objectName: 'RequestPayment',
  type: 'payed',
  data: { id: 'p', status: 'ok' },
} as const;
const seconds = start / 1_000;

let written = 0;
const acme = defineEnvelope({
  name: 'acme',
  write: ({ id, timestamp, accountId, objectName, type, data }) => {
    written += 1;
    return JSON.stringify({ id, account: accountId, event: `${objectName}/${type}`, created: timestamp, object: data });
  },
});
const old = hmac({ header: 'X-Acme-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' });
const headers = { 'X-Acme-Event': [{ text: 'v1:' }, 'type'], 'X-Acme-Delivery': ['id'], 'X-Acme': 'yes' } as const;

const sendTo = async (webhooks: object, input: object = {}, times = 1) => {
  const clock = testClock(start);
  const sender = memorySender(() => ({ kind: 'answered', status: times > 1 ? 500 : 200, body: '', durationMs: 1 }));
  const { kit, storage } = platform({ webhooks, clock, sender } as never);
  const given = { url, events: ['payed'], ...input } as Parameters<typeof kit.endpoints.create>[1];
  const made = await kit.endpoints.create('acc_a', given);
  const { endpoint, secret } = made._unsafeUnwrap();
  const { eventId } = await kit.events.publish(event, { tx: 'new' });
  const worker = kit.worker();
  for (let time = 0; time < times; time++) {
    await worker.drain();
    clock.set(clock.now() + 60 * minute);
  }
  return {
    kit,
    storage,
    endpoint,
    secret,
    eventId,
    posts: sender.posts,
    post: sender.posts[0] as (typeof sender.posts)[0],
  };
};

describe('a profile of the kit', () => {
  test('golden: envelope, signature and headers', async () => {
    const { post, secret, eventId } = await sendTo({ envelope: acme, signatures: [old], headers });
    const body = `{"id":"${eventId}","account":"acc_a","event":"RequestPayment/payed","created":${seconds},"object":{"id":"p","status":"ok"}}`;
    expect(post.body).toBe(body);
    expect(post.headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'partnerkit',
      'x-acme-event': 'v1:payed',
      'x-acme-delivery': eventId,
      'x-acme': 'yes',
      'x-acme-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    });
  });

  test('the envelope of Standard Webhooks', async () => {
    const { post } = await sendTo({ envelope: standardWebhooksEnvelope(), signatures: [standardWebhooks()] });
    expect(post.body).toBe(
      '{"type":"RequestPayment.payed","timestamp":"2024-11-21T00:00:00Z","data":{"id":"p","status":"ok"}}',
    );
    expect(Object.keys(post.headers)).not.toContain('x-webhook-signature');
  });

  test('the text is written at publish, twice, and never for an attempt; its bytes stay', async () => {
    written = 0;
    const { posts, kit } = await sendTo({ envelope: acme }, {}, 4);
    expect(posts).toHaveLength(4);
    expect(new Set(posts.map(({ body }) => body)).size).toBe(1);
    const atStart = written;
    await kit.events.publish(event, { tx: 'new' });
    expect(written - atStart).toBe(2);
  });

  test('the same content with one idempotency key is the same event, though each call makes an id', async () => {
    const { kit } = platform({ webhooks: { envelope: acme } });
    const [first, second] = [await publishOnce(), await publishOnce()];
    expect(second).toEqual({ eventId: first.eventId, replayed: true });
    function publishOnce() {
      return kit.events.publish(event, { tx: 'new', idempotencyKey: 'once' });
    }
  });

  test('a signature ends at its until', async () => {
    const until = start + minute;
    const { posts } = await sendTo({ signatures: [old, specificationSignature({ until })] }, {}, 2);
    expect(posts.map((post) => Object.keys(post.headers).filter((name) => name.includes('signature')))).toEqual([
      ['x-acme-signature', 'x-webhook-signature'],
      ['x-acme-signature'],
    ]);
  });
});

describe('a profile of an endpoint', () => {
  const webhooks = { profiles: { acme: { envelope: acme, signatures: [old], headers } } };

  test('one event in two envelopes: each endpoint gets its own, and the default keeps its bytes', async () => {
    const { kit, posts, post } = await sendTo(webhooks);
    const usual = `{"timestamp":${seconds},"data":{"id":"p","status":"ok"},"objectName":"RequestPayment","type":"payed"}`;
    expect(post.body).toBe(usual);
    (await kit.endpoints.create('acc_a', { url: `${url}/2`, events: ['payed'], profile: 'acme' }))._unsafeUnwrap();
    await kit.events.publish(event, { tx: 'new' });
    await kit.worker().drain();
    const later = Object.fromEntries(posts.slice(1).map((each) => [each.url, each]));
    expect(later[url]?.body).toContain('"objectName":"RequestPayment"');
    expect(later[`${url}/2`]?.body).toMatch(/^\{"id":"[^"]+","account":"acc_a","event":"RequestPayment\/payed"/);
    expect(later[`${url}/2`]?.headers['x-webhook-signature']).toBeUndefined();
  });

  test('is shown, changed and removed', async () => {
    const { kit, endpoint } = await sendTo(webhooks, { profile: 'acme' });
    expect(endpoint.profile).toBe('acme');
    const usual = (await kit.endpoints.update('acc_a', endpoint.id, { profile: null }))._unsafeUnwrap();
    expect(usual.profile).toBeUndefined();
    const refused = await kit.endpoints.update('acc_a', endpoint.id, { profile: 'unknown' });
    expect(refused._unsafeUnwrapErr().message).toContain('one of acme');
  });

  test('an endpoint does not add Standard Webhooks to a profile with one of its headers', async () => {
    const own = { signatures: [hmac({ header: 'Webhook-Signature', algorithm: 'sha256', encoding: 'hex' })] };
    const { kit } = platform({ webhooks: { profiles: { own } } } as never);
    const input = { url, events: ['payed'], profile: 'own' } as const;
    const refused = await kit.endpoints.create('acc_a', { ...input, standardWebhooks: true });
    expect(refused._unsafeUnwrapErr().message).toContain(
      'standardWebhooks: the profile has a header of Standard Webhooks',
    );
    const { endpoint } = (await kit.endpoints.create('acc_a', input))._unsafeUnwrap();
    const changed = await kit.endpoints.update('acc_a', endpoint.id, { standardWebhooks: true });
    expect(changed._unsafeUnwrapErr().message).toContain('the profile has a header of Standard Webhooks');
  });

  test('a delivery header cannot replace a header of a profile', async () => {
    const { kit } = platform({ webhooks } as never);
    const deliveryHeader = { name: 'X-Acme_Signature', value: 'x' };
    const made = await kit.endpoints.create('acc_a', { url, events: ['payed'], deliveryHeader });
    expect(made._unsafeUnwrapErr().message).toContain('reserved');
  });

  test('a profile that the kit no longer has fails the attempt, which is retried', async () => {
    const { kit, storage, clock } = platform({ webhooks });
    (await kit.endpoints.create('acc_a', { url, events: ['payed'], profile: 'acme' }))._unsafeUnwrap();
    const later = platform({ storage, clock, random: seededRandom(2) });
    await later.kit.events.publish(event, { tx: 'new' });
    await later.kit.worker().drain();
    expect(later.sender.posts).toEqual([]);
    const delivery = (await kit.deliveries.list('acc_a', {}))._unsafeUnwrap().items[0];
    const attempts = (await kit.deliveries.attempts('acc_a', delivery?.id ?? ''))._unsafeUnwrap();
    expect(attempts).toMatchObject([{ kind: 'failed', reason: 'internal' }]);
  });
});

describe('an envelope that cannot write an event', () => {
  const fussy = defineEnvelope({
    name: 'fussy',
    write: ({ id, data }) => {
      if (data['status'] === 'bad') throw new Error('not this one');
      return JSON.stringify({ id, data, pad: data['status'] === 'long' ? 'x'.repeat(262_144) : '' });
    },
  });
  const publish = ({ kit }: ReturnType<typeof platform>, status: string, accountId: 'acc_a' | 'acc_b' = 'acc_a') =>
    kit.events.tryPublish({ ...event, accountId, data: { id: 'p', status } }, { tx: 'new' });

  test.each(['bad', 'long'])('of a named profile, the events of all accounts go on: %s', async (status) => {
    const errors: unknown[] = [];
    const webhooks = { profiles: { unused: { envelope: fussy }, fussy: { envelope: fussy } } };
    const made = platform({ webhooks, onError: (cause: unknown) => errors.push(cause) } as never);
    (await made.kit.endpoints.create('acc_b', { url, events: ['payed'] }))._unsafeUnwrap();
    expect((await publish(made, status, 'acc_b')).isOk()).toBe(true);
    expect(errors.map(String)).toEqual([
      expect.stringMatching(/^UnwritableEvent: RequestPayment\.payed: the envelope fussy /),
    ]);
    await made.kit.worker().drain();
    expect(made.sender.posts.map(({ body }) => JSON.parse(body).data)).toEqual([{ id: 'p', status }]);
  });

  test.each(['bad', 'long'])('of a named profile, the attempt fails for its endpoints alone: %s', async (status) => {
    const made = platform({ webhooks: { profiles: { fussy: { envelope: fussy } } } } as never);
    (await made.kit.endpoints.create('acc_a', { url, events: ['payed'] }))._unsafeUnwrap();
    const to = { url: `${url}/2`, events: ['payed'], profile: 'fussy' } as const;
    const { endpoint } = (await made.kit.endpoints.create('acc_a', to))._unsafeUnwrap();
    (await publish(made, status))._unsafeUnwrap();
    await made.kit.worker().drain();
    expect(made.sender.posts.map((post) => post.url)).toEqual([url]);
    const { items } = (await made.kit.deliveries.list('acc_a', { endpointId: endpoint.id } as never))._unsafeUnwrap();
    const failed = items.find(({ endpointId }) => endpointId === endpoint.id);
    const attempts = (await made.kit.deliveries.attempts('acc_a', failed?.id ?? ''))._unsafeUnwrap();
    expect(attempts).toMatchObject([{ kind: 'failed', reason: 'internal' }]);
  });

  test('of the kit itself, publish refuses it, with a code of its own for the size', async () => {
    const made = platform({ webhooks: { envelope: fussy, profiles: { also: { envelope: fussy } } } } as never);
    const codes = [await publish(made, 'bad'), await publish(made, 'long')].map((each) => each._unsafeUnwrapErr().code);
    expect(codes).toEqual(['invalid_event', 'too_large']);
  });
});

test('public keys are served at a well-known path', async () => {
  const signatures = [ed25519({ keys: [{ id: 'w1', privateKey: new Uint8Array(32).fill(7) }] })];
  const { kit } = platform({ webhooks: { signatures } });
  const route = kit.routes.find(({ path }) => path === '/.well-known/webhook-keys.json');
  const answer = await route?.handle({
    method: 'GET',
    target: route.path,
    headers: {},
    body: new Uint8Array(),
  } as never);
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ keys: [{ kid: 'w1', kty: 'OKP', crv: 'Ed25519' }] });
  expect(answer?.body).not.toContain('"d"');
  expect(platform().kit.routes.map(({ path }) => path)).not.toContain('/.well-known/webhook-keys.json');
});

describe('refused at start', () => {
  const named = (write: Parameters<typeof defineEnvelope>[0]['write'], read?: never) =>
    defineEnvelope({ name: 'own', write, ...(read ? { read } : {}) });
  test.each<[string, object, string | RegExp]>([
    [
      'an envelope without id and data.id',
      { envelope: named(({ timestamp }) => JSON.stringify({ timestamp })) },
      /must contain id, or timestamp and data\.id/,
    ],
    ['an envelope without timestamp', { envelope: named(({ data }) => JSON.stringify({ data })) }, /must contain id/],
    [
      'an envelope that throws',
      {
        envelope: named(() => {
          throw new Error('secret');
        }),
      },
      /RequestPayment\.\w+: the envelope own threw an error\.$/,
    ],
    [
      'an envelope that is no object',
      { envelope: named(({ id }) => JSON.stringify([id])) },
      /must write a JSON object/,
    ],
    [
      'an envelope with the time of the call',
      { envelope: named(({ id }) => JSON.stringify({ id, n: written++ % 10 })) },
      /must depend on its argument alone/,
    ],
    ['no signature', { signatures: [] }, /must have 1 to 3 signatures/],
    [
      'four',
      {
        signatures: [
          old,
          standardWebhooks(),
          specificationSignature(),
          hmac({ header: 'x-4', algorithm: 'sha1', encoding: 'hex' }),
        ],
      },
      /1 to 3/,
    ],
    ['all with an end', { signatures: [specificationSignature({ until: 1 })] }, /one without until/],
    [
      'two in one header',
      {
        signatures: [
          specificationSignature(),
          hmac({ header: 'x-webhook-signature', algorithm: 'sha256', encoding: 'hex' }),
        ],
      },
      /two signatures in the header/,
    ],
    ['a header of HTTP', { headers: { Host: 'x' } }, /"Host"/],
    ['a header of a signature', { headers: { 'X-WEBHOOK-SIGNATURE': 'x' } }, /no header of it can have/],
    ['a header with a line end', { headers: { 'x-a': 'b\r\nc: d' } }, /needs visible ASCII/],
    [
      'a header without a name for a pair of the catalogue',
      { profiles: { a: { headers: { 'x-a': [{ names: { 'RequestPayment.payed': 'paid' } }] } } } },
      /profiles\.a\.headers\.x-a needs a name for \w+\.\w+\.$/,
    ],
    ['an unknown part', { headers: { 'x-a': ['body'] } }, /needs visible ASCII/],
    ['a misspelt option', { profiles: { a: { signature: [] } } }, /signatures/],
    ['a profile of another name', { profiles: { 'a b': {} } }, /names of 1 to 32/],
  ])('%s', (_, webhooks, message) => {
    expect(() => platform({ webhooks } as never)).toThrow(message);
  });

  test('a read that does not return what was written', () => {
    const read = () => ({ timestamp: 1, data: { id: 'other' }, objectName: 'a', type: 'b' });
    const envelope = defineEnvelope({ name: 'own', write: ({ id }) => JSON.stringify({ id }), read });
    expect(() => platform({ webhooks: { envelope } })).toThrow(/read must return/);
  });
});
