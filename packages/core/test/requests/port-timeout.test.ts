import { describe, expect, test } from 'vitest';
import type { Result } from '#result';
import { second } from '../../src/base/runtime/time.ts';
import type { RequestsOptions } from '../../src/requests/options/requests-options.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import type { Storage } from '../../src/stores/storage/storage.ts';
import { settled } from '../support/clock.ts';
import { call, loginToken } from '../support/http.ts';
import { alone, done, own, recipient, requestWorld } from './world.ts';

const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient };
/** What a call has answered by now. */
const answerOf = <T>(answer: Promise<T>): Promise<T> =>
  Promise.race([answer, settled().then((): never => expect.unreachable('no answer'))]);
const hang = (): Promise<never> => new Promise(() => undefined);

/** A platform that counts its open transactions, and whose calls named in `hanging` hang. */
const hangable = async (options: Partial<RequestsOptions<object>> = {}) => {
  const hanging = new Set<string>();
  const givenUp: unknown[] = [];
  let open = 0;
  const world = requestWorld((clock) => {
    const stored = memoryStorage({ clock }) as Storage<object>;
    const stores = stored.requests;
    const port = <P extends object>(name: string, target: P): P =>
      new Proxy(target, {
        get: (_target, method) => {
          const found = Reflect.get(target, method) as (...args: unknown[]) => unknown;
          return (...args: unknown[]) =>
            hanging.has(`${name}.${String(method)}`) ? hang() : found.apply(target, args);
        },
      });
    return {
      ...stored,
      requests: {
        ...stores,
        payments: port('storage.requests.payments', stores.payments),
        idempotency: port('storage.requests.idempotency', stores.idempotency),
      },
      transaction: async (work, options) => {
        open++;
        options?.signal?.addEventListener('abort', () => givenUp.push(options.signal?.reason));
        try {
          const value = await stored.transaction(work, options);
          // The commit was carried out; its answer is lost.
          return hanging.has('commit') ? await hang() : value;
        } finally {
          open--;
        }
      },
    };
  }, options);
  const added = (await world.kit.clients.create(own.id, { name: 'Key' }))._unsafeUnwrap();
  const routes = [...world.kit.routes, ...world.requests.routes];
  const authorization = `Bearer ${await loginToken({ routes }, added)}`;
  const post = (headers: Readonly<Record<string, string>> = {}) =>
    call({ routes }, 'POST', `/api/v1/partner/organisations/${own.id}/payment-requests`, {
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(input),
    });
  return { ...world, hanging, givenUp, post, open: () => open };
};
type Options = Partial<RequestsOptions<object>>;

const undecided = 'Nothing was decided; try again shortly.';

describe('a function of the host that hangs inside a command', () => {
  const functions: readonly (readonly [
    name: string,
    make: (run: (signal?: AbortSignal) => Promise<never>) => Options,
  ])[] = [
    ['newId', (run) => ({ newId: (_object, { signal }) => run(signal) })],
    ['paymentUrl', (run) => ({ paymentUrl: ({ signal }) => run(signal) })],
    ['onCommand', (run) => ({ onCommand: () => run() })],
  ];
  test.each(functions)(
    '%s: its transaction is rolled back after onCommandTimeout, the answer is 503',
    async (name, make) => {
      const given: (AbortSignal | undefined)[] = [];
      const { post, clock, requests, open } = await hangable({
        ...make((signal) => {
          given.push(signal);
          return hang();
        }),
        onCommandTimeout: 2 * second,
      });
      const posts = [post(), post(), post()];
      await settled();
      expect([open(), given.length]).toEqual([3, 3]);
      await clock.advance(2 * second - 1);
      expect(open()).toBe(3);
      await clock.advance(1);
      expect(open()).toBe(0);
      for (const answer of await answerOf(Promise.all(posts)))
        expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
          503,
          { code: 'unavailable', detail: undecided },
        ]);
      if (name !== 'onCommand') for (const signal of given) expect(signal?.reason).toMatchObject({ port: name });
      const failing = (async () => requests.payments.create(own.id, input, alone))();
      await clock.advance(2 * second);
      expect((await answerOf(failing))._unsafeUnwrapErr()).toMatchObject({
        code: 'unavailable',
        message: `${name}: no answer within 2000 ms. The transaction is rolled back.`,
        cause: { name: 'PortTimeout', port: name },
      });
      expect((await done(requests.payments.list(own.id))).items).toEqual([]);
    },
  );

  test('whatever it does after its time-out has no effect', async () => {
    let answer: (id: string) => void = () => undefined;
    const { post, clock, requests, open } = await hangable({
      newId: () => new Promise((resolve) => (answer = resolve)),
    });
    const posted = post();
    await clock.advance(5 * second);
    expect((await answerOf(posted)).status).toBe(503);
    answer('late');
    await settled();
    expect([open(), (await done(requests.payments.list(own.id))).items]).toEqual([0, []]);
  });
});

describe('a store that hangs', () => {
  test.each([
    ['storage.requests.payments.insert', undecided],
    ['storage.requests.idempotency.claim', undecided],
    ['storage.requests.idempotency.complete', undecided],
    // The answer to the commit is lost.
    [
      'commit',
      'The outcome is unknown: repeat the request with the same Idempotency-Key; without one, read before you repeat.',
    ],
  ])('%s: 503 after 10 seconds', async (port, detail) => {
    const { post, clock, hanging, givenUp, requests } = await hangable();
    hanging.add(port);
    const posted = post({ 'idempotency-key': 'order-1' });
    await clock.advance(10 * second);
    const answer = await answerOf(posted);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([503, { code: 'unavailable', detail }]);
    expect((await done(requests.payments.list(own.id))).items).toHaveLength(port === 'commit' ? 1 : 0);
    // Its statement may still run: the storage must not use its connection again.
    expect(givenUp).toMatchObject(port === 'commit' ? [] : [{ name: 'PortTimeout', port }]);
    // As the detail says: the same key finds out, and nothing is done twice.
    hanging.clear();
    expect((await post({ 'idempotency-key': 'order-1' })).status).toBe(201);
    expect((await done(requests.payments.list(own.id))).items).toHaveLength(1);
  });

  test.each(['find', 'list', 'listHistory'])('a read, %s, is unavailable and names it', async (method) => {
    const { clock, hanging, requests } = await hangable();
    const { id } = await done(requests.payments.create(own.id, input, alone));
    hanging.add(`storage.requests.payments.${method}`);
    const { find, list, history } = requests.payments;
    const read: Readonly<Record<string, () => Promise<Result<unknown, { readonly code: string }>>>> = {
      find: async () => find(own.id, id),
      list: async () => list(own.id),
      listHistory: async () => history(own.id, id),
    };
    const reading = read[method]?.() ?? expect.unreachable('no such read');
    await clock.advance(10 * second);
    expect((await answerOf(reading))._unsafeUnwrapErr()).toMatchObject({
      code: 'unavailable',
      cause: { port: `storage.requests.payments.${method}`, isOutcomeUnknown: false },
    });
  });

  test('in a transaction of the host the command rejects, so that it rolls back', async () => {
    const { clock, hanging, requests, storage } = await hangable();
    hanging.add('storage.requests.payments.insert');
    const work = storage.transaction(async (tx) => requests.payments.create(own.id, input, { tx }));
    const failed = work.catch((cause: unknown) => cause);
    await clock.advance(10 * second);
    expect(await answerOf(failed)).toMatchObject({ name: 'PortTimeout', port: 'storage.requests.payments.insert' });
  });
});

test.each([true, false, 'claimed', {}, { requestHash: 'h', status: 201, headers: {} }])(
  'an idempotency store that claims with %j: 503, and nothing is stored',
  async (answer) => {
    const { post, requests, storage } = await hangable();
    storage.requests.idempotency.claim = async () => answer as never;
    expect((await post({ 'idempotency-key': 'order-1' })).status).toBe(503);
    expect((await done(requests.payments.list(own.id))).items).toEqual([]);
  },
);

test('an answer that is stored for an Idempotency-Key calls no function of the host again', async () => {
  const calls: string[] = [];
  const { post } = await hangable({
    newId: async () => {
      calls.push('newId');
      return 'inv_1';
    },
    paymentUrl: async () => {
      calls.push('paymentUrl');
      return 'https://pay.example/1';
    },
    onCommand: () => void calls.push('onCommand'),
  });
  const key = { 'idempotency-key': 'order-1' };
  const answers = [...(await Promise.all([post(key), post(key)])), await post(key)];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(calls).toEqual(['newId', 'paymentUrl', 'onCommand']);
});
