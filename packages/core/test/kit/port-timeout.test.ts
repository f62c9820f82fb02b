import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../src/base/http/route.ts';
import { second } from '../../src/base/runtime/time.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryAccounts } from '../../src/stores/memory/accounts.ts';
import { memoryRateLimiter } from '../../src/stores/memory/rate-limiter.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { testClock } from '../support/clock.ts';
import { call, login, loginToken, me } from '../support/http.ts';
import { accounts, platform } from '../support/kit.ts';

/** A platform of which the test makes single calls of ports hang. */
const hangable = async (portTimeout?: number) => {
  const clock = testClock();
  const hanging = new Set<string>();
  const errors: unknown[] = [];
  const port = <P extends object>(name: string, target: P): P =>
    new Proxy(target, {
      get: (_target, method) => {
        const found: unknown = Reflect.get(target, method);
        if (typeof found !== 'function') return found;
        return (...args: readonly unknown[]) =>
          hanging.has(`${name}.${String(method)}`) ? new Promise(() => undefined) : found.apply(target, args);
      },
    });
  const stored = memoryStorage({ clock });
  const storage = port('storage', {
    ...stored,
    clients: port('storage.clients', stored.clients),
    endpoints: port('storage.endpoints', stored.endpoints),
    events: port('storage.events', stored.events),
    log: port('storage.log', stored.log),
  });
  const made = platform({
    clock,
    storage,
    accounts: port('accounts', memoryAccounts(accounts)),
    tokens: port('tokens', memoryAccessTokens()),
    shared: { limiter: port('limiter', memoryRateLimiter({ clock })) },
    oauth: { revocationDelay: 0 },
    onError: (cause) => errors.push(cause),
    ...(portTimeout === undefined ? {} : { portTimeout }),
  });
  const { kit } = made;
  const added = (await kit.clients.create('acc_a', { name: 'Key' }))._unsafeUnwrap();
  const token = await loginToken(kit, added);
  const management = kit.managementRoutes({
    authorize: () =>
      hanging.has('authorize')
        ? new Promise(() => undefined)
        : { accountId: 'acc_a', userId: 'user_1', can: { keys: 'write', webhooks: 'write', deliveries: 'write' } },
  });
  const manage = (method: string, path: string, body?: object) =>
    call({ routes: management }, method, `/api/v1/partner-management${path}`, {
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: body ? JSON.stringify(body) : '',
    });
  /** What becomes of a call while a port hangs. */
  const during = async <T>(name: string, run: () => Promise<T>, wait = 10 * second): Promise<T | 'no answer'> => {
    hanging.add(name);
    const answer = run();
    const late = clock.advance(wait).then(() => 'no answer' as const);
    const first = await Promise.race([answer, late]);
    hanging.clear();
    return first;
  };
  return { ...made, added, token, manage, during, errors };
};
type World = Awaited<ReturnType<typeof hangable>>;

const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'pay_1' } } as const;
const inKit: readonly (readonly [port: string, isOutcomeUnknown: boolean, run: (world: World) => Promise<unknown>])[] =
  [
    ['storage.clients.insertClient', true, async ({ kit }) => kit.clients.create('acc_a', { name: 'Other' })],
    ['storage.clients.findClient', false, async ({ kit, added }) => kit.clients.find('acc_a', added.client.id)],
    ['storage.clients.listClients', false, async ({ kit }) => kit.clients.list('acc_a')],
    ['storage.clients.replaceClient', true, async ({ kit, added }) => kit.clients.disable('acc_a', added.client.id)],
    ['storage.clients.deleteClient', true, async ({ kit, added }) => kit.clients.delete('acc_a', added.client.id)],
    ['storage.clients.revokeToken', true, async ({ kit, token }) => kit.clients.revokeToken('acc_a', token ?? '')],
    ['tokens.verify', false, async ({ kit, token }) => kit.clients.revokeToken('acc_a', token ?? '')],
    ['storage.endpoints.listEndpoints', false, async ({ kit }) => kit.endpoints.list('acc_a')],
    [
      'storage.endpoints.findEndpoint',
      false,
      async ({ kit, added }) => kit.endpoints.disable('acc_a', added.client.id),
    ],
    [
      'storage.endpoints.insertEndpoint',
      true,
      async ({ kit }) => kit.endpoints.create('acc_a', { url: 'https://partner.example/', events: ['payed'] }),
    ],
    [
      'storage.endpoints.deleteEndpoint',
      true,
      async ({ kit }) =>
        kit.endpoints
          .create('acc_a', { url: 'https://partner.example/', events: ['payed'] })
          .andThen(({ endpoint }) => kit.endpoints.delete('acc_a', endpoint.id)),
    ],
    ['storage.endpoints.countBySealingKey', false, async ({ kit }) => kit.endpoints.countBySealingKey()],
    ['storage.endpoints.listAllEndpoints', false, async ({ kit }) => kit.endpoints.reseal()],
    ['storage.log.countBacklog', false, async ({ kit }) => kit.deliveries.backlog('acc_a')],
    [
      'storage.events.append',
      false,
      ({ kit, storage }) => storage.transaction(async (tx) => kit.events.tryPublish(event, { tx })),
    ],
    ['storage.events.appendAlone', true, async ({ kit }) => kit.events.tryPublish(event, { tx: 'new' })],
  ];

describe('a call of the kit whose port hangs is given up after 10 seconds, and names the port', () => {
  test.each(inKit)('%s', async (port, isOutcomeUnknown, run) => {
    const world = await hangable();
    const begun = world.clock.now();
    const answered = (await world.during(port, () => run(world))) as { error?: { message: string } } | 'no answer';
    expect(answered).toMatchObject({
      error: { code: 'unavailable', cause: { code: 'no_answer', port, isOutcomeUnknown } },
    });
    if (answered !== 'no answer') expect(answered.error?.message).toContain(`${port}: no answer within 10000 ms.`);
    expect(world.clock.now()).toBeGreaterThanOrEqual(begun + 10 * second);
    expect(world.clock.sleepers()).toBe(0);
  });
});

const undecided = 'Nothing was decided; try again shortly.';
const unknown =
  'The outcome is unknown: repeat the request with the same Idempotency-Key; without one, read before you repeat.';
const overHttp: readonly (readonly [
  port: string,
  request: string,
  code: string,
  detail: string,
  send: (world: World) => Promise<HttpResponse>,
])[] = [
  ['accounts.find', 'a call', 'unavailable', undecided, ({ kit, token }) => me(kit, token)],
  ['storage.clients.findClient', 'a call', 'unavailable', undecided, ({ kit, token }) => me(kit, token)],
  ['storage.clients.isTokenRevoked', 'a call', 'unavailable', undecided, ({ kit, token }) => me(kit, token)],
  ...['accounts.find', 'storage.clients.findClient', 'tokens.issue', 'limiter.take'].map(
    (port) =>
      [
        port,
        'a login',
        'temporarily_unavailable',
        undecided,
        ({ kit, added }: World) => login(kit, { client_id: added.client.id, client_secret: added.secret }),
      ] as const,
  ),
  ['authorize', 'management', 'unavailable', undecided, ({ manage }) => manage('GET', '/session')],
  ['storage.clients.listClients', 'management', 'unavailable', undecided, ({ manage }) => manage('GET', '/api-keys')],
  [
    'storage.clients.insertClient',
    'management',
    'unavailable',
    unknown,
    ({ manage }) => manage('POST', '/api-keys', { name: 'Other' }),
  ],
];

describe('a request whose port hangs is 503 after 10 seconds; only onError learns the port', () => {
  test.each(overHttp)('%s: %s', async (port, _request, code, detail, send) => {
    const world = await hangable();
    const answer = await world.during(port, () => send(world));
    if (answer === 'no answer') return expect.unreachable('no answer');
    const body = JSON.parse(answer.body);
    expect([answer.status, body.code ?? body.error, body.detail ?? body.error_description]).toEqual([
      503,
      code,
      detail,
    ]);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.body).not.toContain(port);
    expect(world.errors).toMatchObject([{ name: 'PortTimeout', port }]);
    expect(world.signals.at(-1)).toMatchObject({
      kind: 'request_failed',
      error: { name: 'PortTimeout', code: 'no_answer' },
    });
  });
});

test('portTimeout decides the time; until then, the call waits', async () => {
  const { kit, during } = await hangable(3 * second);
  expect(await during('storage.clients.listClients', async () => kit.clients.list('acc_a'), 3 * second - 1)).toBe(
    'no answer',
  );
  expect(await during('storage.clients.listClients', async () => kit.clients.list('acc_a'), 3 * second)).toMatchObject({
    error: { cause: { message: 'storage.clients.listClients: no answer within 3000 ms. Nothing was changed.' } },
  });
});

test('a login whose last use cannot be recorded succeeds', async () => {
  const { kit, clock, added, during } = await hangable();
  clock.set(clock.now() + 120 * second);
  const answer = await during('storage.clients.touchSecret', () =>
    login(kit, { client_id: added.client.id, client_secret: added.secret }),
  );
  expect(answer).toMatchObject({ status: 200 });
});
