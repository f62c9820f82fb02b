import { expect, test, vi } from 'vitest';
import type { ResultAsync } from '#result';
import { call, loginToken } from '../../support/http.ts';
import { alone, codeOf, done, own, recipient, requestWorld } from '../world.ts';

const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient };

test('each call reads its account once from the directory; an unknown account has nothing', async () => {
  const { requests, directory } = requestWorld();
  const { payments } = requests;
  const { id } = await done(payments.create(own.id, input, alone));
  const calls = [
    (accountId: string) => payments.create(accountId, input, alone),
    (accountId: string) => payments.perform(accountId, id, 'change', { input: { amount: 5 }, ...alone }),
    (accountId: string) => payments.find(accountId, id),
    (accountId: string) => payments.list(accountId),
    (accountId: string) => payments.history(accountId, id),
  ];
  const find = vi.spyOn(directory, 'find');
  for (const given of calls) {
    find.mockClear();
    await done(given(own.id) as ReturnType<typeof payments.find>);
    expect(find.mock.calls).toEqual([[own.id]]);
    expect(await codeOf(given('acc_unknown') as ReturnType<typeof payments.find>)).toBe('not_found');
  }
});

test('a directory that fails is unavailable; in the transaction of the host it rejects', async () => {
  const { requests, directory, storage } = requestWorld();
  const { payments } = requests;
  vi.spyOn(directory, 'find').mockRejectedValue(new Error('no connection'));
  expect(await codeOf(payments.create(own.id, input, alone))).toBe('unavailable');
  expect(await codeOf(payments.find(own.id, 'x'))).toBe('unavailable');
  await expect(storage.transaction(async (tx) => payments.create(own.id, input, { tx }))).rejects.toThrow(
    'no connection',
  );
});

test('a command over HTTP reads each account of the request no second time', async () => {
  const { kit, requests, directory } = requestWorld();
  const added = (await kit.clients.create(own.id, { name: 'Key' }))._unsafeUnwrap();
  const routes = [...kit.routes, ...requests.routes];
  const authorization = `Bearer ${await loginToken({ routes }, added)}`;
  const find = vi.spyOn(directory, 'find');
  const at = `/api/v1/partner/organisations/${own.id}`;
  const headers = { authorization, 'content-type': 'application/json' };
  await call({ routes }, 'GET', `${at}/me`, { headers });
  const once = find.mock.calls.length;
  find.mockClear();
  const made = await call({ routes }, 'POST', `${at}/payment-requests`, { headers, body: JSON.stringify(input) });
  expect([made.status, find.mock.calls.length]).toEqual([201, once]);
});

test('an unknown option is refused with the closest name, and nothing is stored', async () => {
  const { requests, stores } = requestWorld();
  const { payments, cashOuts } = requests;
  const wrong: readonly (readonly [() => ResultAsync<unknown, unknown>, string])[] = [
    [
      () => payments.create(own.id, input, { ...alone, ifVersion: 1 } as never),
      "requests.payments.create: there is no option 'ifVersion'; use one of actor, tx.",
    ],
    [
      () => payments.perform(own.id, 'x', 'cancel', { ...alone, ifVersions: 1 } as never),
      "requests.payments.perform: there is no option 'ifVersions'; did you mean 'ifVersion'?",
    ],
    [
      () => payments.list(own.id, { status: 'pending' } as never),
      "requests.payments.list: there is no option 'status'; did you mean 'statuses'?",
    ],
    [
      () => payments.list(own.id, { page: { limits: 5 } } as never),
      "requests.payments.list: page: there is no option 'limits'; did you mean 'limit'?",
    ],
    [
      () => cashOuts.list(own.id, { depositid: 'x' } as never),
      "requests.cashOuts.list: there is no option 'depositid'; did you mean 'depositId'?",
    ],
    [
      () => payments.history(own.id, 'x', { limit: 5 } as never),
      "requests.payments.history: there is no option 'limit'; use one of page.",
    ],
  ];
  for (const [given, message] of wrong) expect(given).toThrow(new TypeError(message));
  expect(() => payments.list(own.id, { depositId: 'x' } as never)).toThrow(TypeError);
  expect((await stores.payments.list(own, {})).items).toEqual([]);
});

test('a command without a transaction is a TypeError, and stores nothing', async () => {
  const { requests, storage, stores } = requestWorld();
  const { payments } = requests;
  for (const tx of [undefined, null, 'old', 5, true])
    for (const [call, given] of [
      ['create', () => payments.create(own.id, input, { tx } as never)],
      ['perform', () => payments.perform(own.id, 'x', 'cancel', { tx } as never)],
    ] as const)
      expect(given, String(tx)).toThrow(
        new TypeError(`requests.payments.${call}: tx: hand over your open transaction, or 'new' when there is none.`),
      );
  expect((await stores.payments.list(own, {})).items).toEqual([]);
  const actor = { type: 'user', id: 'user_1' } as const;
  expect(await done(storage.transaction(async (tx) => payments.create(own.id, input, { tx, actor })))).toMatchObject({
    status: 'pending',
  });
});
