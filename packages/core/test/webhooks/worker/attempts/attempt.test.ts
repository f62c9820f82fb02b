import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../../src/base/runtime/time.ts';
import { memorySender } from '../../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../../src/stores/memory/storage.ts';
import type { DeliveryRequest, SendOutcome } from '../../../../src/webhooks/deliveries/sender.ts';
import { ed25519 } from '../../../../src/webhooks/signature/ed25519-signature.ts';
import { standardWebhooks } from '../../../../src/webhooks/signature/standard-signature.ts';
import { standardKey, verifyStandard } from '../../../../src/webhooks/signature/standard-webhooks.ts';
import { start, testClock } from '../../../support/clock.ts';
import { platform } from '../../../support/kit.ts';
import { seededRandom } from '../../../support/random.ts';

type Answer = (post: DeliveryRequest) => SendOutcome | Promise<SendOutcome>;
const input = { url: 'https://partner.example/hooks', events: ['payed'] } as const;
const event = {
  accountId: 'acc_a',
  objectName: 'RequestPayment',
  type: 'payed',
  data: { id: 'p', status: 'été' },
} as const;

const world = async (
  more: object = {},
  { answer, ...options }: Parameters<typeof platform>[0] & { answer?: Answer } = {},
) => {
  const clock = testClock(start + 123);
  const sender = memorySender(answer);
  const made = platform({ ...options, clock, sender });
  const { endpoint, secret } = (await made.kit.endpoints.create('acc_a', { ...input, ...more }))._unsafeUnwrap();
  const { eventId } = await made.kit.events.publish(event, { tx: 'new' });
  const worker = made.kit.worker();
  return { ...made, clock, sender, endpoint, secret, eventId, worker };
};
const attemptsOf = async ({ kit }: Pick<Awaited<ReturnType<typeof world>>, 'kit'>) => {
  const [delivery] = (await kit.deliveries.list('acc_a', { page: {} }))._unsafeUnwrap().items;
  return (await kit.deliveries.attempts('acc_a', delivery?.id as string))._unsafeUnwrap();
};

test('golden: the POST (specification §4.3)', async () => {
  const { worker, sender, secret } = await world();
  expect(await worker.drain()).toBe(1);
  const body = `{"timestamp":${start / second},"data":{"id":"p","status":"été"},"objectName":"RequestPayment","type":"payed"}`;
  expect(sender.posts).toEqual([
    {
      url: 'https://partner.example/hooks',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'partnerkit',
        'x-webhook-signature': createHmac('sha1', secret).update(body, 'utf8').digest('hex'),
      },
      body,
      deadline: 15_000,
    },
  ]);
});

test('the same bytes on every attempt', async () => {
  const { worker, sender, clock } = await world(
    {},
    { answer: () => ({ kind: 'answered', status: 500, body: '', durationMs: 1 }) },
  );
  for (let times = 0; times < 4; times++) {
    await worker.drain();
    clock.set(clock.now() + 60 * minute);
  }
  expect(sender.posts).toHaveLength(4);
  expect(new Set(sender.posts.map(({ body }) => body)).size).toBe(1);
  expect(new Set(sender.posts.map(({ headers }) => headers['x-webhook-signature'])).size).toBe(1);
});

test('the User-Agent is an option', async () => {
  const { worker, sender } = await world({}, { webhooks: { userAgent: 'acme/1' } });
  await worker.drain();
  expect(sender.posts[0]?.headers['user-agent']).toBe('acme/1');
});

describe('the delivery header (specification §5.2)', () => {
  test.each([
    ['X-API-Key', 'x-api-key', 'k3y-value'],
    ['Authorization', 'authorization', 'Bearer abc.def'],
    ['User-Agent', 'user-agent', 'chosen by the partner'],
  ])('%s', async (header, name, value) => {
    const { worker, sender } = await world({ deliveryHeader: { name: header, value } });
    await worker.drain();
    expect(sender.posts[0]?.headers[name]).toBe(value);
  });

  test('a changed header is sent from the next attempt on', async () => {
    const answer: Answer = () => ({ kind: 'failed', reason: 'reset', durationMs: 1 });
    const { kit, worker, sender, endpoint, clock } = await world(
      { deliveryHeader: { name: 'X-API-Key', value: 'one' } },
      { answer },
    );
    await worker.drain();
    (
      await kit.endpoints.update('acc_a', endpoint.id, { deliveryHeader: { name: 'X-Other', value: 'two' } })
    )._unsafeUnwrap();
    clock.set(clock.now() + minute);
    await worker.drain();
    (await kit.endpoints.update('acc_a', endpoint.id, { deliveryHeader: null }))._unsafeUnwrap();
    clock.set(clock.now() + 60 * minute);
    await worker.drain();
    expect(sender.posts.map(({ headers }) => [headers['x-api-key'], headers['x-other']])).toEqual([
      ['one', undefined],
      [undefined, 'two'],
      [undefined, undefined],
    ]);
  });

  test('a changed value is sent from the next attempt on, though header and secret stay', async () => {
    const header = 'X-API-Key';
    const { kit, worker, sender, endpoint } = await world({ deliveryHeader: { name: header, value: 'one' } });
    await worker.drain();
    for (const value of ['two', 'three']) {
      (await kit.endpoints.update('acc_a', endpoint.id, { deliveryHeader: { name: header, value } }))._unsafeUnwrap();
      await kit.events.publish(event, { tx: 'new' });
      await worker.drain();
    }
    expect(sender.posts.map(({ headers }) => headers['x-api-key'])).toEqual(['one', 'two', 'three']);
  });

  test('a header name of Object.prototype is sent like any other', async () => {
    const { worker, sender } = await world({ deliveryHeader: { name: '__proto__', value: 'k3y-value' } });
    await worker.drain();
    expect(Object.entries(sender.posts[0]?.headers ?? {})).toContainEqual(['__proto__', 'k3y-value']);
  });
});

describe('Standard Webhooks', () => {
  test('golden: three more headers, which a receiver can verify with the same secret', async () => {
    const { worker, sender, secret, eventId, endpoint, clock } = await world({ standardWebhooks: true });
    await worker.drain();
    const { headers, body } = sender.posts[0] as DeliveryRequest;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key)
      .update(`${eventId}_${endpoint.id}.${start / second}.${body}`)
      .digest('base64');
    expect(headers).toMatchObject({
      'webhook-id': `${eventId}_${endpoint.id}`,
      'webhook-timestamp': String(start / second),
      'webhook-signature': `v1,${signature}`,
      'x-webhook-signature': createHmac('sha1', secret).update(body).digest('hex'),
    });
    const request = {
      id: headers['webhook-id'],
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
    };
    expect(verifyStandard(body, request, [standardKey(secret)], clock.now())).toBe('valid');
  });

  test('each attempt has its own time and the same id', async () => {
    const answer: Answer = () => ({ kind: 'failed', reason: 'dns', durationMs: 1 });
    const { worker, sender, clock } = await world({ standardWebhooks: true }, { answer });
    await worker.drain();
    clock.set(start + minute);
    await worker.drain();
    expect(sender.posts.map(({ headers }) => Number(headers['webhook-timestamp']) - start / second)).toEqual([0, 60]);
    expect(new Set(sender.posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('a repeated delivery has the same bytes and the same id, whatever signs it by now', async () => {
    const keys = [{ id: 'w1', privateKey: new Uint8Array(32).fill(7) }] as const;
    const webhooks = { profiles: { both: { signatures: [standardWebhooks(), ed25519({ keys })] } } };
    const { kit, worker, sender, endpoint, eventId, clock } = await world({ standardWebhooks: true }, { webhooks });
    await worker.drain();
    clock.set(start + minute);
    (await kit.deliveries.sendAgain('acc_a', `${eventId}.${endpoint.id}`))._unsafeUnwrap();
    await worker.drain();
    (await kit.endpoints.update('acc_a', endpoint.id, { profile: 'both', standardWebhooks: false }))._unsafeUnwrap();
    const range = { from: start - minute, to: start + minute };
    (await kit.deliveries.replay('acc_a', endpoint.id, range))._unsafeUnwrap();
    await worker.drain();
    expect(sender.posts.map(({ body }) => body)).toEqual(Array.from(sender.posts, () => sender.posts[0]?.body));
    expect(sender.posts.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array.from({ length: 3 }, () => `${eventId}_${endpoint.id}`),
    );
    expect(sender.posts.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
  });

  test('are absent unless enabled', async () => {
    const { worker, sender } = await world();
    await worker.drain();
    expect(Object.keys(sender.posts[0]?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([]);
  });
});

describe('rotation: which secret signs when', () => {
  /** Publishes, delivers, and names the secrets that signed: SHA-1, and the list of SHA-256. */
  const signers = async (made: Awaited<ReturnType<typeof world>>, secrets: Readonly<Record<string, string>>) => {
    await made.kit.events.publish(event, { tx: 'new' });
    await made.worker.drain();
    const { headers, body } = made.sender.posts.at(-1) as DeliveryRequest;
    const names = Object.entries(secrets);
    const sha1 = names.find(
      ([, secret]) => createHmac('sha1', secret).update(body).digest('hex') === headers['x-webhook-signature'],
    );
    const sha256 = (headers['webhook-signature'] ?? '').split(' ').map(
      (signature) =>
        names.find(([, secret]) => {
          const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
          const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
          return signature === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
        })?.[0],
    );
    return [sha1?.[0], sha256.join('+')];
  };

  test('the old secret until the switch; Standard Webhooks headers carry both in between', async () => {
    const made = await world({ standardWebhooks: true });
    const { endpoints } = made.kit;
    const { id } = made.endpoint;
    expect(await signers(made, { old: made.secret })).toEqual(['old', 'old']);
    const first = (await endpoints.prepareSecret('acc_a', id))._unsafeUnwrap().secret;
    expect(await signers(made, { old: made.secret, first })).toEqual(['old', 'old+first']);
    const next = (await endpoints.prepareSecret('acc_a', id))._unsafeUnwrap().secret;
    const secrets = { old: made.secret, first, next };
    expect(await signers(made, secrets)).toEqual(['old', 'old+next']);
    (await endpoints.activateSecret('acc_a', id, { at: made.clock.now() + minute }))._unsafeUnwrap();
    made.clock.set(made.clock.now() + minute - 1);
    expect(await signers(made, secrets)).toEqual(['old', 'old+next']);
    made.clock.set(made.clock.now() + 1);
    expect(await signers(made, secrets)).toEqual(['next', 'next']);
    const later = (await endpoints.prepareSecret('acc_a', id))._unsafeUnwrap().secret;
    expect(await signers(made, { ...secrets, later })).toEqual(['next', 'next+later']);
    (await endpoints.cancelSecret('acc_a', id))._unsafeUnwrap();
    expect(await signers(made, { ...secrets, later })).toEqual(['next', 'next']);
    const last = (await endpoints.prepareSecret('acc_a', id))._unsafeUnwrap().secret;
    (await endpoints.activateSecret('acc_a', id))._unsafeUnwrap();
    expect(await signers(made, { ...secrets, last })).toEqual(['last', 'last']);
  });

  test('a retry is signed with the secret valid at its time', async () => {
    const made = await world({}, { answer: () => ({ kind: 'failed', reason: 'tls', durationMs: 1 }) });
    await made.worker.drain();
    const next = (await made.kit.endpoints.prepareSecret('acc_a', made.endpoint.id))._unsafeUnwrap().secret;
    (await made.kit.endpoints.activateSecret('acc_a', made.endpoint.id))._unsafeUnwrap();
    made.clock.set(made.clock.now() + minute);
    await made.worker.drain();
    const signatures = made.sender.posts.map(({ headers }) => headers['x-webhook-signature']);
    const body = made.sender.posts[0]?.body as string;
    expect(signatures).toEqual(
      [made.secret, next].map((secret) => createHmac('sha1', secret).update(body).digest('hex')),
    );
  });

  test('sealing keys may be rotated while the old one is kept', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const made = platform({ clock, storage });
    const { secret } = (await made.kit.endpoints.create('acc_a', input))._unsafeUnwrap();
    await made.kit.events.publish(event, { tx: 'new' });
    const newKey = { id: 'k2', key: new Uint8Array(32).fill(2) };
    const oldKey = { id: 'k1', key: new Uint8Array(32).fill(1) };
    const without = platform({ clock, storage, sealingKeys: [newKey], random: seededRandom(5) });
    await without.kit.worker().drain();
    expect(without.sender.posts).toEqual([]);
    expect(await attemptsOf(without)).toMatchObject([{ kind: 'failed', reason: 'internal' }]);
    expect(without.signals).toContainEqual({
      kind: 'worker_error',
      during: 'attempt',
      error: { name: 'Error' },
      count: 1,
    });
    clock.set(clock.now() + minute);
    const both = platform({ clock, storage, sealingKeys: [newKey, oldKey], random: seededRandom(6) });
    await both.kit.worker().drain();
    const { headers, body } = both.sender.posts[0] as DeliveryRequest;
    expect(headers['x-webhook-signature']).toBe(createHmac('sha1', secret).update(body).digest('hex'));
  });
});

describe('a receiver that echoes the request', () => {
  test.each([
    ['as it was', (post: DeliveryRequest) => JSON.stringify(post.headers), 'k3y-value-0123'],
    [
      'in text',
      (post: DeliveryRequest) =>
        Object.entries(post.headers)
          .map((pair) => pair.join(': '))
          .join('\n'),
      'k3y "quoted" \\ back',
    ],
    ['escaped for JSON', (post: DeliveryRequest) => JSON.stringify(post.headers), 'k3y "quoted" \\ back'],
    ['many times', (post: DeliveryRequest) => JSON.stringify(Array(20).fill(post.headers)), '$& $1 k3y'],
  ])('%s: the API key goes into no log', async (_name, echo, value) => {
    const answer: Answer = (post) => ({ kind: 'answered', status: 500, body: echo(post), durationMs: 1 });
    const made = await world({ deliveryHeader: { name: 'X-API-Key', value } }, { answer });
    await made.worker.drain();
    const [attempt] = await attemptsOf(made);
    const body = attempt?.kind === 'answered' ? attempt.body : '';
    expect(body).toContain('[redacted]');
    expect(body).toContain('x-webhook-signature');
    expect(body).not.toContain(value);
    expect(body).not.toContain(JSON.stringify(value).slice(1, -1));
  });

  test.each([
    ['a NUL', 'a\u0000b', 'a\ufffdb'],
    ['half of a character', 'a\ud83cb', 'a\ufffdb'],
    ['both, with a whole one', '\u0000🏡\udfe1', '\ufffd🏡\ufffd'],
  ])('%s, which no database takes for text, is replaced', async (_name, body, logged) => {
    for (const more of [{}, { deliveryHeader: { name: 'X-API-Key', value: 'k3y' } }]) {
      const made = await world(more, { answer: () => ({ kind: 'answered', status: 200, body, durationMs: 1 }) });
      await made.worker.drain();
      expect(await attemptsOf(made)).toMatchObject([{ body: logged }]);
    }
  });

  test('the rest of the response is logged unchanged', async () => {
    const answer: Answer = () => ({
      kind: 'answered',
      status: 404,
      body: 'Gîte non trouvé',
      retryAfter: '60',
      durationMs: 7,
    });
    const made = await world({ deliveryHeader: { name: 'X-API-Key', value: 'k3y' } }, { answer });
    await made.worker.drain();
    expect(await attemptsOf(made)).toEqual([
      { kind: 'answered', status: 404, body: 'Gîte non trouvé', retryAfter: '60', durationMs: 7, at: start + 123 },
    ]);
  });
});

describe('an attempt that fails before it is sent', () => {
  test('a sender that rejects or throws: an internal failure, retried like any other', async () => {
    for (const answer of [
      () => Promise.reject(Object.assign(new Error('SECRET'), { code: 'EPIPE' })),
      () => {
        throw Object.assign(new Error('SECRET'), { code: 'EPIPE' });
      },
    ]) {
      const made = await world({}, { answer });
      await made.worker.drain();
      expect(await attemptsOf(made)).toEqual([{ kind: 'failed', reason: 'internal', durationMs: 0, at: start + 123 }]);
      expect(made.signals).toContainEqual({
        kind: 'worker_error',
        during: 'attempt',
        error: { name: 'Error', code: 'EPIPE' },
        count: 1,
      });
      expect(made.signals.at(-1)).toMatchObject({ kind: 'attempt', attempt: 1, outcome: 'internal', next: 'retry' });
      expect(JSON.stringify([made.signals, await attemptsOf(made)])).not.toContain('SECRET');
      made.clock.set(start + minute);
      expect(await made.worker.drain()).toBe(1);
    }
  });

  test.each([
    ['no time', { kind: 'answered', status: 204, body: '', durationMs: Number.NaN }],
    ['a negative time', { kind: 'failed', reason: 'dns', durationMs: -1 }],
    ['no status', { kind: 'answered', body: '', durationMs: 1 }],
    ['no body', { kind: 'answered', status: 204, durationMs: 1 }],
    ['a reason of its own', { kind: 'failed', reason: 'toString', durationMs: 1 }],
    ['nothing', undefined],
  ])('a sender that answers %s: an attempt that failed inside, and the others are stored', async (_what, outcome) => {
    const answers = [outcome as never, { kind: 'answered', status: 204, body: '', durationMs: 1.4 } as const];
    const made = await world({}, { answer: () => answers.shift() as never });
    await made.worker.drain();
    expect(await attemptsOf(made)).toEqual([{ kind: 'failed', reason: 'internal', durationMs: 0, at: start + 123 }]);
    expect(made.signals).toContainEqual({
      kind: 'worker_error',
      during: 'attempt',
      error: { name: 'TypeError' },
      count: 1,
    });
    made.clock.set(start + minute);
    await made.worker.drain();
    expect((await attemptsOf(made)).at(-1)).toEqual({
      kind: 'answered',
      status: 204,
      body: '',
      durationMs: 1,
      at: start + minute,
    });
  });

  test('a sealed secret that was damaged in the store', async () => {
    const storage = memoryStorage({ clock: testClock(start + 123) });
    const made = await world({}, { storage });
    const stored = await storage.endpoints.findEndpoint('acc_a', made.endpoint.id);
    expect(await storage.endpoints.replaceEndpoint({ ...stored, secret: 'v1.k1.damaged' } as never)).toBe(true);
    await made.worker.drain();
    expect(made.sender.posts).toEqual([]);
    expect(await attemptsOf(made)).toMatchObject([{ reason: 'internal' }]);
  });
});
