import { describe, expect, test } from 'vitest';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { platform } from '../../support/kit.ts';

const deliveryHeader = 'abc/def+ghi/jkl==';

/** The attempt that is logged when a receiver answers so. */
const logged = async (body: string, retryAfter?: string, value = deliveryHeader): Promise<string> => {
  const sender = memorySender(() => ({
    kind: 'answered',
    status: 500,
    body,
    durationMs: 0,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }));
  const { kit } = platform({ sender });
  const input = { url: 'https://one.example/', events: ['payed'], deliveryHeader: { name: 'X-Key', value } } as const;
  (await kit.endpoints.create('acc_a', input))._unsafeUnwrap();
  await kit.events.publish(
    { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } },
    { tx: 'new' },
  );
  await kit.worker().drain();
  const [delivery] = (await kit.deliveries.list('acc_a', { page: {} }))._unsafeUnwrap().items;
  return JSON.stringify((await kit.deliveries.attempts('acc_a', delivery?.id ?? ''))._unsafeUnwrap());
};

test.each([
  ['as it is', deliveryHeader],
  ['in JSON of PHP', deliveryHeader.replaceAll('/', '\\/')],
  ['in JSON of .NET', deliveryHeader.replaceAll('+', '\\u002B').replaceAll('=', '\\u003D')],
  ['in a URL', encodeURIComponent(deliveryHeader)],
  ['in HTML', deliveryHeader.replaceAll('/', '&#x2F;').replaceAll('+', '&#43;')],
])('the API key that a receiver sends back is cut out: %s', async (_name, spelling) => {
  const text = await logged(`{"you sent":"${spelling}"}`);
  expect(text).toContain('[redacted]');
  expect(text).not.toContain('jkl');
});

test.each([
  ['a form', 'Bearer k3y "&" <v>', 'Bearer+k3y+%22%26%22+%3Cv%3E'],
  ['a URL', 'Bearer k3y "&" <v>', 'Bearer%20k3y%20%22%26%22%20%3cv%3e'],
  ['HTML', 'Bearer k3y "&" <v>', 'Bearer k3y &quot;&amp;&quot; &lt;v&gt;'],
  ['HTML of PHP', "k3y'v", 'k3y&#039;v'],
  ['HTML of .NET', "k3y'v", 'k3y&#x27;v'],
  ['JSON', 'k3y "v" \\', 'k3y \\"v\\" \\\\'],
  ['JSON of Go', 'k3y <&>', 'k3y \\u003c\\u0026\\u003e'],
  ['a shouted header', 'k3y-Value', 'K3Y-VALUE'],
])('signs that %s writes in its own way', async (_name, value, spelling) => {
  const text = await logged(`you sent: ${spelling}.`, undefined, value);
  expect(JSON.parse(text)[0].body).toBe('you sent: [redacted].');
});

test.each(['$&', 'a.*b', '[x]', '(((((', '\\d+', '^$', '|'])(
  'signs that patterns know stand for themselves: %s',
  async (value) => {
    const text = await logged(`you sent: ${value}; abdd`, undefined, value);
    expect(JSON.parse(text)[0].body).toBe('you sent: [redacted]; abdd');
  },
);

test('also when the end of the response cuts it in two', async () => {
  const text = await logged(`${'x'.repeat(100)}${deliveryHeader.slice(0, -1)}`);
  expect(text).toContain('x[redacted]');
  expect(text).not.toContain('abc/def');
});

describe('law: wherever the response is cut inside an encoding, no four characters of the key are left', () => {
  const value = 'Zx9/Qw8+Er7/Ty6=Ui5/Op4';
  test.each([
    ['as it is', value],
    ['in JSON of PHP', value.replaceAll('/', '\\/')],
    ['in JSON of .NET', value.replaceAll('+', '\\u002B').replaceAll('=', '\\u003D')],
    ['in a URL', encodeURIComponent(value)],
    ['in HTML', value.replaceAll('/', '&#x2F;').replaceAll('+', '&#43;')],
    ['in capitals', value.toUpperCase()],
  ])('%s', async (_name, spelling) => {
    // The first four signs are ten long in HTML.
    for (let length = 10; length < spelling.length; length++) {
      const text = await logged(`you sent: ${spelling.slice(0, length)}`, undefined, value);
      expect(JSON.parse(text)[0].body).toBe('you sent: [redacted]');
    }
  });
});

test('a malformed Retry-After is not stored', async () => {
  expect(await logged('', '120')).toContain('"retryAfter":"120"');
  expect(await logged('', deliveryHeader)).not.toContain('retryAfter');
  expect(await logged('', '1'.repeat(65))).not.toContain('retryAfter');
});

test('text that no database stores is replaced', async () => {
  const text = await logged('a\u0000b\ud800c');
  expect(JSON.parse(text)[0].body).toBe('a\ufffdb\ufffdc');
});

test('a response crafted for slow matching is redacted in time', async () => {
  const value = `${'\\'.repeat(500)}x`;
  // Were a sign matched in two ways, this would outlast the universe.
  expect(await logged(`${'\\'.repeat(4_000)}y`, undefined, value)).not.toContain('redacted');
  expect(await logged('a'.repeat(4_000), undefined, `${'a'.repeat(500)}b${'a'.repeat(500)}`)).toContain('a[redacted]');
});
