import { expect, test } from 'vitest';
import { alone, child, codeOf, done, own, recipient, requestWorld } from '../world.ts';

const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient };
const returnUrl = 'https://shop.example/back';

test('without allowed origins, a request without addresses is created and one with an address is refused', async () => {
  const { payments } = requestWorld().requests;
  await done(payments.create(own.id, input, alone));
  const refused = (
    await payments.create(own.id, { ...input, returnUrl, cancelUrl: returnUrl }, alone)
  )._unsafeUnwrapErr();
  const detail = 'an address of an origin that the platform allows.';
  expect(refused).toMatchObject({
    code: 'invalid_input',
    errors: [
      { pointer: '/returnUrl', detail },
      { pointer: '/cancelUrl', detail },
    ],
  });
});

test('a function allows origins for each account, is called inside the transaction, and only for a given address', async () => {
  const calls: unknown[] = [];
  const world = requestWorld(undefined, {
    returnOrigins: async ({ account, tx }) => {
      calls.push([account.id, account.environment, typeof tx]);
      return account.id === own.id ? ['https://shop.example'] : [];
    },
  });
  const { payments } = world.requests;
  const { id } = await done(payments.create(own.id, input, alone));
  const change = (changed: object) => payments.perform(own.id, id, 'change', { input: changed, ...alone });
  await done(change({ name: 'Longer', returnUrl: null }));
  await done(payments.perform(own.id, id, 'setPaymentUrl', { input: { paymentUrl: returnUrl }, ...alone }));
  expect(calls).toEqual([]);
  expect(await done(change({ returnUrl }))).toMatchObject({ returnUrl });
  expect(await codeOf(change({ cancelUrl: 'https://shop.example:444/' }))).toBe('invalid_input');
  expect(await codeOf(payments.create(child.id, { ...input, returnUrl }, alone))).toBe('invalid_input');
  expect(calls).toEqual([
    [own.id, 'prod', 'object'],
    [own.id, 'prod', 'object'],
    [child.id, 'prod', 'object'],
  ]);
});

test('origins that are none are a mistake of the host: at construction, and when a function resolves to them', async () => {
  for (const origins of [
    ['https://shop.example/'],
    ['http://shop.example'],
    ['shop.example'],
    ['*'],
    'https://a.example',
    [5],
  ]) {
    expect(() => requestWorld(undefined, { returnOrigins: origins as never })).toThrow(
      /createRequests: the option returnOrigins must be a list of origins, each an HTTPS origin without a path/,
    );
    const { requests, stores } = requestWorld(undefined, { returnOrigins: async () => origins as never });
    await expect(requests.payments.create(own.id, { ...input, returnUrl }, alone)).rejects.toThrow(
      'returnOrigins: it resolved to no list of origins',
    );
    expect((await stores.payments.list(own, {})).items).toEqual([]);
  }
});

test('the host’s function gives a payment link its expiry', async () => {
  const world = requestWorld(undefined, {
    paymentUrl: async () => ({ url: 'https://pay.example/1', expiresAt: world.clock.now() + 1_500 }),
  });
  const made = await done(world.requests.payments.create(own.id, input, alone));
  expect(made.paymentUrlExpiresAt).toBe(world.clock.now() + 1_500);
  const [created] = await world.events();
  expect(created?.data).toMatchObject({
    paymentUrl: 'https://pay.example/1',
    paymentUrlExpiresAt: Math.floor((made.paymentUrlExpiresAt as number) / 1_000),
  });
});

test.each([
  ['https://shop.example/pay?id=1&x=%20#a', true],
  ['https://shop.example', true],
  ['https://', false],
  ['https:///shop.example', false],
  ['http://shop.example', false],
  ['HTTPS://shop.example', false],
  ['https://shop.example/ä', false],
  ['https://shop.example/a b', false],
  ['https://shop.example/"', false],
  ['https:/\\\\shop.example', false],
  ['https://shop.example\\pay', false],
  ['https://shop.example/\u0000', false],
  ['https://shop.example/\n', false],
] as const)(
  'the document and the rule agree whether %j is an address where a recipient pays',
  async (address, isOne) => {
    const { kit, requests } = requestWorld();
    const document = kit.openApi({ title: 'Partner API', routes: [...kit.routes, ...requests.routes] });
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("\^https:(?:[^"\\]|\\.)*")/g)].map(
      ([, pattern = '']) => new RegExp(JSON.parse(pattern), 'u'),
    );
    expect(patterns.length).toBeGreaterThan(0);
    expect(patterns.map((pattern) => pattern.test(address))).toEqual(patterns.map(() => isOne));
    const { id } = await done(requests.payments.create(own.id, input, alone));
    const set = await requests.payments.perform(own.id, id, 'setPaymentUrl', {
      input: { paymentUrl: address },
      ...alone,
    });
    expect(set.isOk()).toBe(isOne);
  },
);
