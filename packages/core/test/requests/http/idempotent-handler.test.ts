import { expect, test } from 'vitest';
import type { RouteFailure } from '../../../src/api/operations/failure.ts';
import type { HttpResponse } from '../../../src/base/http/route.ts';
import { idempotentHandler } from '../../../src/requests/http/idempotent-handler.ts';
import { call, loginToken } from '../../support/http.ts';
import { own, recipient, requestWorld } from '../world.ts';

const done: HttpResponse = { status: 201, headers: { 'content-type': 'text/plain' }, body: 'charged' };
const path = '/api/v1/partner/organisations/acc_a/charges/c1';

/** A host's route that stores a payment request in its transaction, then answers as told. */
const host = async () => {
  const world = requestWorld();
  const { kit, requests } = world;
  const answers: (HttpResponse | RouteFailure | Error)[] = [];
  let calls = 0;
  const charge = idempotentHandler(kit, async ({ account }, _request, { chargeId }, tx) => {
    calls += 1;
    const input = { name: `${chargeId}`, amount: 1, currency: 'EUR', recipient };
    (await requests.payments.create(account.id, input, { tx }))._unsafeUnwrap();
    const answer = answers.shift() ?? done;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const routes = [
    ...kit.routes,
    kit.accountRoute('POST', '/organisations/:organisationId/charges/:chargeId', charge, { right: 'none' }),
  ];
  const added = (await kit.clients.create(own.id, { name: 'Key' }))._unsafeUnwrap();
  const authorization = `Bearer ${await loginToken({ routes }, added)}`;
  return {
    answers,
    calls: () => calls,
    effects: async () => (await requests.payments.list(own.id))._unsafeUnwrap().items.length,
    post: (key?: string, body: string | Uint8Array = '', target = path) =>
      call({ routes }, 'POST', target, {
        body,
        headers: {
          authorization,
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
      }),
  };
};
const codeOf = ({ status, body }: HttpResponse) => [status, JSON.parse(body).code];

test('requests with one key take effect once, and get one response', async () => {
  const { post, calls, effects } = await host();
  const first = await post('k1', '{"amount":1}');
  expect(first).toMatchObject(done);
  expect(await post('k1', '{"amount":1}')).toEqual(first);
  expect([calls(), await effects()]).toEqual([1, 1]);
});

test('a key with another body or path is a conflict', async () => {
  const { post, effects } = await host();
  await post('k1', new Uint8Array([0x80]));
  expect(codeOf(await post('k1', new Uint8Array([0x81])))).toEqual([422, 'idempotency_conflict']);
  expect(codeOf(await post('k1', new Uint8Array([0x80]), `${path}2`))).toEqual([422, 'idempotency_conflict']);
  expect(await effects()).toBe(1);
});

test('JSON of one value is one request, however it is written; other bytes are compared as they are', async () => {
  const { post, calls } = await host();
  const first = await post('k1', '{"a":1,"b":[{"c":1,"d":2}]}');
  expect(await post('k1', ' { "b" : [{"d":2.0, "c":1}], "a":1 }')).toEqual(first);
  for (const other of ['{"a":1,"b":[{"c":1,"d":3}]}', '{"b":[{"d":2,"c":1}],"a":1,"a":1}', '{"a":"1","b":[]}'])
    expect(codeOf(await post('k1', other))).toEqual([422, 'idempotency_conflict']);
  expect(calls()).toBe(1);
});

test('without a key, each request takes effect', async () => {
  const { post, effects } = await host();
  await post();
  await post();
  expect(await effects()).toBe(2);
});

test.each<[string, HttpResponse | RouteFailure | Error, number]>([
  [
    'a refusal',
    { code: 'refused', status: 409, problem: { code: 'no_funds', detail: 'There is no money.' } } as const,
    409,
  ],
  ['a response of 402', { ...done, status: 402 }, 402],
  ['a failure of a port', { code: 'unavailable', cause: new Error('gone') }, 503],
  ['a throw', new Error('bug'), 503],
])('%s changes nothing and keeps no key', async (_name, answer, status) => {
  const { post, answers, calls, effects } = await host();
  answers.push(answer);
  expect((await post('k1')).status).toBe(status);
  expect(await effects()).toBe(0);
  expect((await post('k1')).status).toBe(201);
  expect([calls(), await effects()]).toEqual([2, 1]);
});

test('a malformed key is refused before anything happens', async () => {
  const { post, calls } = await host();
  expect(codeOf(await post('two words'))).toEqual([400, 'bad_request']);
  expect(calls()).toBe(0);
});
