import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import {
  createReceiver,
  defineEnvelope,
  ed25519,
  hmac,
  memoryInbox,
  memorySeenKeys,
  parseEnvelope,
  type ReceiverProfile,
  specificationSignature,
  standardWebhooks,
  standardWebhooksEnvelope,
} from '../src/index.ts';
import { verdict } from './support/ask.ts';
import { start, testClock } from './support/clock.ts';
import { bytesOf, legacy, payed, request, secret, standard } from './support/platform.ts';

const strong = hmac({ header: 'X-Acme', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' });
const acme = defineEnvelope({
  name: 'acme',
  write: ({ id }) => JSON.stringify({ id }),
  read: (text) => {
    const { event, at, object } = JSON.parse(text);
    if (typeof event !== 'string') return undefined;
    const [objectName = '', type = ''] = event.split('/');
    return { timestamp: at, data: object, objectName, type };
  },
});
const body = bytesOf(JSON.stringify(payed));
const ours = (sent: Uint8Array) => ({ 'x-acme': `sha256=${createHmac('sha256', secret).update(sent).digest('hex')}` });

const endpointId = '019ab7c4-8f00-7000-8000-00000000000a';

const setUp = (
  profiles: readonly ReceiverProfile[],
  secrets: readonly string[] = [secret],
  endpoints?: readonly string[],
) => {
  const otherwise = vi.fn();
  const clock = testClock();
  const receiver = createReceiver({
    ...{ secrets, profiles, seen: memorySeenKeys({ clock }), on: {}, otherwise, clock },
    ...(endpoints && { endpoints }),
  });
  return { otherwise, receiver };
};
const answer = (headers: object, profiles: readonly ReceiverProfile[], sent = body) =>
  verdict(setUp(profiles).receiver, request(sent, headers as never));

const both = [{ signatures: [strong, specificationSignature()] }];

test('assertWeakAloneIsRefused: beside a wrong strong signature, a right weak one counts for nothing', async () => {
  expect(await answer({ ...ours(body), ...legacy(body) }, both)).toBe('204');
  expect(await answer(ours(body), both)).toBe('204');
  expect(await answer(legacy(body), both)).toBe('204');
  expect(await answer({ 'x-acme': 'sha256=00', ...legacy(body) }, both)).toBe('401 wrong_signature');
  expect(await answer({ 'x-acme': '', ...legacy(body) }, both)).toBe('401 missing_signature');
  expect(await answer({ ...ours(body), 'x-webhook-signature': '00' }, both)).toBe('401 wrong_signature');
  expect(await answer({ 'webhook-signature': 'v1a,AAAA', ...legacy(body) }, [{}])).toMatch('401 wrong_signature');
});

test('a receiver that asks for one signature ignores others, and accepts no other', async () => {
  expect(await answer({ 'x-acme': 'sha256=00', ...legacy(body) }, [{ signatures: [specificationSignature()] }])).toBe(
    '204',
  );
  expect(await answer(legacy(body), [{ signatures: [strong] }])).toBe('401 missing_signature');
  expect(await answer(standard(body), [{ signatures: [strong] }])).toBe('401 missing_signature');
});

test('an old signature ends at its until', async () => {
  const old = (until: number) => [{ signatures: [strong, specificationSignature({ until })] }];
  expect(await answer(legacy(body), old(start + 1))).toBe('204');
  expect(await answer(legacy(body), old(start))).toBe('401 missing_signature');
});

test('each envelope is read, and one event in two envelopes is one event', async () => {
  const { receiver, otherwise } = setUp([
    { envelope: acme, signatures: [strong] },
    { envelope: standardWebhooksEnvelope(), signatures: [standardWebhooks()] },
    {},
  ]);
  const { timestamp: at, data } = payed;
  const own = bytesOf(JSON.stringify({ event: 'RequestPayment/payed', at, object: data }));
  const time = new Date(start).toISOString().replace('.000', '');
  const theirs = bytesOf(JSON.stringify({ type: 'RequestPayment.payed', timestamp: time, data }));
  for (const [sent, headers] of [
    [own, ours(own)],
    [theirs, standard(theirs)],
    [body, legacy(body)],
  ] as const)
    expect(await verdict(receiver, request(sent, headers as never))).toBe('204');
  expect(otherwise).toHaveBeenCalledTimes(1);
  expect(otherwise).toHaveBeenCalledWith(
    expect.objectContaining({ objectName: 'RequestPayment', type: 'payed', data }),
  );
});

test('a body is read in the envelope of its signature alone', async () => {
  const profiles = [{ envelope: acme, signatures: [strong] }, { signatures: [specificationSignature()] }];
  expect(await answer(ours(body), profiles)).toBe('400 no_envelope');
});

test('a body that two envelopes read differently is refused', async () => {
  const liar = defineEnvelope({
    name: 'liar',
    write: () => '',
    read: (text) => ({ ...(JSON.parse(text) as typeof payed), type: 'cancel' }),
  });
  const profiles = [{ signatures: [strong] }, { envelope: liar, signatures: [strong] }];
  expect(await answer(ours(body), profiles)).toBe('400 no_envelope');
});

test('a body that two envelopes read as one event is accepted', async () => {
  const same = defineEnvelope({ name: 'same', write: () => '', read: parseEnvelope });
  expect(await answer(ours(body), [{ signatures: [strong] }, { envelope: same, signatures: [strong] }])).toBe('204');
});

test('an inbox keeps the envelope of the specification', async () => {
  const clock = testClock();
  const inbox = memoryInbox({ clock });
  const receiver = createReceiver({
    secrets: [secret],
    profiles: [{ envelope: acme, signatures: [strong] }],
    inbox,
    clock,
  });
  const own = bytesOf(JSON.stringify({ event: 'RequestPayment/payed', at: 7, object: { id: 'p' } }));
  expect(await verdict(receiver, request(own, ours(own)))).toBe('204');
  const [entry] = await inbox.claim(1, 1_000);
  expect(parseEnvelope(entry?.body ?? '')).toEqual({
    timestamp: 7,
    data: { id: 'p' },
    objectName: 'RequestPayment',
    type: 'payed',
  });
});

test('Ed25519 needs no secret, and takes the keys of the platform', async () => {
  const sender = ed25519({ keys: [{ id: 'w1', privateKey: new Uint8Array(32).fill(3) }] });
  const publicKey = Uint8Array.from(Buffer.from(sender.publicKeys?.[0]?.['x'] ?? '', 'base64url'));
  const signatures = [
    ed25519({
      keys: [
        { id: 'w0', publicKey: new Uint8Array(32) },
        { id: 'w1', publicKey },
      ],
    }),
  ];
  const headers: Record<string, string> = {};
  const message = {
    id: 'evt',
    messageId: `evt_${endpointId}`,
    at: start,
    body: JSON.stringify(payed),
    url: '',
  };
  sender.signer(['-'])(message, headers);
  const { receiver } = setUp([{ signatures }], [], [endpointId]);
  expect(await verdict(receiver, request(body, headers))).toBe('204');
  expect(await verdict(receiver, request(bytesOf(`${JSON.stringify(payed)} `), headers))).toBe('401 wrong_signature');
  expect(await verdict(receiver, request(body, legacy(body)))).toBe('401 missing_signature');
});

test('a secret is needed by one signature of one profile, and an empty one is refused where none is', () => {
  const keyed = ed25519({ keys: [{ id: 'w1', publicKey: new Uint8Array(32) }] });
  for (const profiles of [[{ signatures: [keyed, strong] }], [{ signatures: [keyed] }, { signatures: [strong] }]])
    expect(() => setUp(profiles, [], [endpointId])).toThrow('at least one webhook secret');
  for (const secret of ['', undefined as never])
    expect(() => setUp([{ signatures: [keyed] }], [secret], [endpointId])).toThrow('secrets[0] is');
});

test('a receiver of Ed25519 names its endpoints, or is not made', () => {
  const keyed = ed25519({ keys: [{ id: 'w1', publicKey: new Uint8Array(32) }] });
  const make = (...endpoints: readonly unknown[]) => setUp([{ signatures: [keyed] }], [], endpoints as never);
  expect(() => make()).toThrow('the option endpoints');
  expect(() => setUp([{ signatures: [keyed] }], [], undefined)).toThrow('the option endpoints');
  expect(() => make(undefined)).toThrow('endpoints[0] is undefined: endpoints must be a list of ids of endpoints');
  expect(() => make(endpointId, '')).toThrow('endpoints[1] is empty');
  expect(() => make('0')).toThrow('endpoints[0] is malformed');
  expect(() => make(endpointId)).not.toThrow();
});

test('a wrong profile is a TypeError', () => {
  expect(() => setUp([])).toThrow('at least one profile');
  expect(() => setUp([{ signatures: [] }])).toThrow('at least one');
  expect(() => setUp([{ signatures: [strong] }], [])).toThrow('at least one webhook secret');
  expect(() => setUp([{ envelope: defineEnvelope({ name: 'x', write: () => '' }) }])).toThrow('needs read');
});
