import { describe, expect, test } from 'vitest';
import { call, loginToken } from '../support/http.ts';
import { alone, codeOf, done, own, recipient, requestWorld } from './world.ts';

/** A cash-out of 10 EUR of a deposit in progress; `reads` is what the recipient saw of it. */
const offered = async (world = requestWorld()) => {
  const { deposits, cashOuts } = world.requests;
  const input = { name: 'Stay', depositAmount: 300, currency: 'EUR', recipient };
  const { id: depositId } = await done(deposits.create(own.id, input, alone));
  await done(deposits.perform(own.id, depositId, 'succeedDeposit', alone));
  const seen = await done(cashOuts.create(own.id, { depositId, amount: 10 }, alone));
  const give = (command: 'accept' | 'complete', options: object = {}) =>
    cashOuts.perform(own.id, seen.id, command, { ...alone, ...options } as never);
  return {
    world,
    depositId,
    seen,
    cashOuts,
    give,
    raise: () => done(cashOuts.perform(own.id, seen.id, 'offer', { input: { amount: 100 }, ...alone })),
    deny: async () => {
      await done(cashOuts.perform(own.id, seen.id, 'claim', alone));
      return done(cashOuts.perform(own.id, seen.id, 'deny', alone));
    },
    stored: () => done(cashOuts.find(own.id, seen.id)),
  };
};

describe('an offer that is raised between reading and accept', () => {
  test('is not accepted by the amount that was read', async () => {
    const { give, raise, stored } = await offered();
    await raise();
    expect(await codeOf(give('accept', { input: { amount: 10 } }))).toBe('amount_mismatch');
    expect(await stored()).toMatchObject({ status: 'requested', amount: 10_000, version: 2 });
    expect(await done(give('accept', { input: { amount: 100 } }))).toMatchObject({ status: 'accepted' });
  });

  test('is not accepted by the version that was read', async () => {
    const { give, raise, seen, stored } = await offered();
    await raise();
    expect(await codeOf(give('accept', { ifVersion: seen.version }))).toBe('version_mismatch');
    expect(await codeOf(give('accept', { input: { amount: 100 }, ifVersion: seen.version }))).toBe('version_mismatch');
    expect(await stored()).toMatchObject({ status: 'requested', amount: 10_000, version: 2 });
    expect(await done(give('accept', { ifVersion: 2 }))).toMatchObject({ status: 'accepted', amount: 10_000 });
  });

  test('is not accepted by an accept that names neither', async () => {
    const { give, stored } = await offered();
    // What an offer must not be does not name it.
    for (const options of [
      {},
      { input: {} },
      { input: undefined },
      { ifVersion: undefined },
      { ifVersion: { not: [9] } },
    ]) {
      const refused = (await give('accept', options))._unsafeUnwrapErr();
      expect(refused.code).toBe('version_required');
      expect(refused.message).toMatch(/amount.*ifVersion.*If-Match/);
    }
    expect(await stored()).toMatchObject({ status: 'requested', amount: 1_000, version: 1 });
  });
});

test('the amount of accept is exact: no other, and no finer than the currency', async () => {
  const { give } = await offered();
  for (const amount of [9.99, 10.01, 1_000, 1])
    expect(await codeOf(give('accept', { input: { amount } }))).toBe('amount_mismatch');
  for (const amount of [10.001, 0, -10, '10'])
    expect((await give('accept', { input: { amount } }))._unsafeUnwrapErr()).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/amount' }],
    });
  expect(await done(give('accept', { input: { amount: 10 } }))).toMatchObject({ status: 'accepted', amount: 1_000 });
});

test('the state refuses accept before its amount does', async () => {
  const { give, seen } = await offered();
  await done(give('accept', { input: { amount: 10 } }));
  for (const options of [{}, { input: { amount: 9 } }, { ifVersion: seen.version }])
    expect(await codeOf(give('accept', options))).toBe('wrong_state');
});

test('a denied cash-out is completed only by its version; an agreed one needs none', async () => {
  const denied = await offered();
  const { version } = await denied.deny();
  const refused = (await denied.give('complete'))._unsafeUnwrapErr();
  expect(refused.code).toBe('version_required');
  expect(refused.message).toMatch(/ifVersion.*If-Match/);
  expect(await codeOf(denied.give('complete', { ifVersion: version - 1 }))).toBe('version_mismatch');
  expect(await denied.stored()).toMatchObject({ status: 'denied', version });
  expect(await done(denied.give('complete', { ifVersion: version }))).toMatchObject({ status: 'done' });

  const agreed = await offered();
  await done(agreed.give('accept', { input: { amount: 10 } }));
  expect(await done(agreed.give('complete'))).toMatchObject({ status: 'done' });
});

test('in the sandbox, accept and complete over HTTP name the amount or an ETag, too', async () => {
  const world = requestWorld(undefined, { testEnvironments: ['prod'] });
  const { depositId, seen, raise } = await offered(world);
  const added = (await world.kit.clients.create(own.id, { name: 'Key' }))._unsafeUnwrap();
  const routes = [...world.kit.routes, ...world.requests.routes];
  const authorization = `Bearer ${await loginToken({ routes }, added)}`;
  const at = `/api/v1/partner/organisations/${own.id}/security-deposits/${depositId}/cash-outs/${seen.id}`;
  const post = async (path: string, body: object = {}, more: Readonly<Record<string, string>> = {}) => {
    const headers = { authorization, 'content-type': 'application/json', ...more };
    const answer = await call({ routes }, 'POST', `${at}/${path}`, { headers, body: JSON.stringify(body) });
    return answer.status === 200 ? [200] : [answer.status, JSON.parse(answer.body).code];
  };
  await raise();
  const required = [428, 'version_required'];
  expect(await post('simulate/accept')).toEqual(required);
  expect(await post('simulate/accept', {}, { 'if-match': '*' })).toEqual(required);
  expect(await post('simulate/accept', { amount: 10 })).toEqual([409, 'amount_mismatch']);
  expect(await post('simulate/accept', {}, { 'if-match': '"1"' })).toEqual([412, 'version_mismatch']);
  expect(await post('simulate/accept', {}, { 'if-match': 'x' })).toEqual([400, 'bad_request']);
  expect(await post('simulate/claim')).toEqual([200]);
  expect(await post('deny')).toEqual([200]);
  expect(await post('simulate/complete')).toEqual(required);
  expect(await post('simulate/complete', {}, { 'if-match': '"3"' })).toEqual([412, 'version_mismatch']);
  expect(await post('simulate/complete', {}, { 'if-match': '"4"' })).toEqual([200]);
});
