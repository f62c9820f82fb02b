import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Delivery, type Payment, startPlatform } from './platform.ts';
import { run } from './run.ts';
import { signatureReceivers, standardReceiver } from './verifiers.ts';

/** A payment whose whole body has 256 KiB, the most that is sent. */
const largest = (): Payment => {
  const id = 'pay_largest';
  const around = { timestamp: 1_735_689_600, data: { id, text: '' }, objectName: 'RequestPayment', type: 'payed' };
  const room = 256 * 1_024 - JSON.stringify(around).length;
  const text = 'é🏡\\'.repeat(10_000);
  return { id, text: text + 'x'.repeat(room - Buffer.byteLength(JSON.stringify(text).slice(1, -1))) };
};

const payloads: Readonly<Record<string, Payment>> = {
  'nothing but an id': { id: 'pay_1' },
  'an empty text': { id: 'pay_2', text: '', numbers: [] },
  accents: { id: 'clé-très-longue', text: 'Gîte des Érables — “Łukasz Müller”, Ελληνικά, 日本語, e\u0301' },
  emoji: { id: 'pay_🏡', text: '👩‍👩‍👧 🇫🇷 🙂' },
  'backslashes, quotes and control characters': {
    id: 'a\\b',
    text: 'C:\\new\\"x"\r\n\t\u0001\u2028</é> \\u00e9 %00 $& `',
  },
  numbers: { id: '007', numbers: [0, -1.5, 0.1 + 0.2, 1e21, 5e-324, 9_007_199_254_740_991, 1e-7] },
  '256 KiB': largest(),
};

const deliveries = new Map<string, Delivery>();
let platform: Awaited<ReturnType<typeof startPlatform>>;
const delivered = (name: string): Delivery => deliveries.get(name) ?? expect.unreachable();

beforeAll(async () => {
  platform = await startPlatform();
  for (const [name, data] of Object.entries(payloads)) deliveries.set(name, await platform.deliver(data));
});
afterAll(() => platform.close());

test.each(Object.keys(payloads))('the received event equals the published one: %s', (name) => {
  expect(JSON.parse(delivered(name).body.toString())).toEqual({
    timestamp: expect.any(Number),
    data: payloads[name],
    objectName: 'RequestPayment',
    type: 'payed',
  });
});

test('the largest body has 256 KiB, and more bytes than characters', () => {
  const { body } = delivered('256 KiB');
  expect(body).toHaveLength(262_144);
  expect(body.toString().length).toBeLessThan(262_144);
});

/** The delivery with one bit of its body flipped. */
const changedAt = ({ headers, body }: Delivery, place: number): Delivery => {
  const changed = Buffer.from(body);
  changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
  return { headers, body: changed };
};

describe.each([...signatureReceivers, standardReceiver])('$name', ({ accepts }) => {
  test.each(Object.keys(payloads))('takes a delivery of %s', async (name) => {
    expect(await accepts(delivered(name), platform.secret)).toBe(true);
  });

  test('refuses a body of which one byte was changed', async () => {
    const delivery = delivered('accents');
    for (const place of [0, delivery.body.indexOf('É'), delivery.body.length - 1])
      expect(await accepts(changedAt(delivery, place), platform.secret), `byte ${place}`).toBe(false);
  });

  test('refuses a body that is shorter or longer', async () => {
    const { headers, body } = delivered('accents');
    for (const other of [body.subarray(1), body.subarray(0, -1), Buffer.concat([body, Buffer.from('\n')])])
      expect(await accepts({ headers, body: other }, platform.secret)).toBe(false);
  });

  test('refuses the signature of another delivery', async () => {
    const { headers } = delivered('emoji');
    expect(await accepts({ headers, body: delivered('accents').body }, platform.secret)).toBe(false);
  });

  test('refuses another secret', async () => {
    for (const secret of [platform.secret.replace('_', '_AAAA'), `whsec_${Buffer.alloc(24).toString('base64')}`])
      expect(await accepts(delivered('accents'), secret)).toBe(false);
  });
});

test('standardwebhooks refuses the id or the time of another delivery', async () => {
  const { headers, body } = delivered('accents');
  const seconds = Number(headers['webhook-timestamp']);
  for (const other of [{ 'webhook-id': 'msg_other' }, { 'webhook-timestamp': String(seconds - 1) }])
    expect(await standardReceiver.accepts({ headers: { ...headers, ...other }, body }, platform.secret)).toBe(false);
});

test('a command that is missing fails with a sentence that names it', () => {
  expect(() => run('no-such-command', [], { input: Buffer.alloc(0) })).toThrow('"no-such-command"');
});
