import { expect, test } from 'vitest';
import { call, loginToken } from '../../support/http.ts';
import { alone, codeOf, done, own, recipient, requestWorld, type World } from '../world.ts';

const stay = { name: 'Car', currency: 'EUR', recipient };

/** Requests whose next writes of payments lose a number of races. */
const losing = (world: World) => {
  let races = 0;
  const { payments } = world.stores;
  const wins = () => races-- <= 0;
  return {
    requests: world.requestsOver({
      payments: { ...payments, replace: async (...given) => wins() && payments.replace(...given) },
    }),
    lose: async (lost: number, give: () => Promise<unknown>) => {
      races = lost;
      await give();
      races = 0;
    },
  };
};

test('a command is tried five times, and one that names a version once', async () => {
  const { requests, lose } = losing(requestWorld());
  const { payments } = requests;
  const { id, version } = await done(payments.create(own.id, { ...stay, amount: 5 }, alone));
  await lose(1, async () =>
    expect(await codeOf(payments.perform(own.id, id, 'send', { ...alone, ifVersion: version }))).toBe(
      'version_mismatch',
    ),
  );
  await lose(5, async () =>
    expect(await codeOf(payments.perform(own.id, id, 'send', alone))).toBe('changed_meanwhile'),
  );
  await lose(4, () => done(payments.perform(own.id, id, 'send', alone)));
});

test('ten reports at once on one deposit are ten transactions', async () => {
  const { requests } = requestWorld();
  const { deposits } = requests;
  const { id } = await done(deposits.create(own.id, { ...stay, depositAmount: 100 }, alone));
  const report = (nth: number) => {
    const transaction = { kind: 'authorisation', amount: 10, processorReference: `pi_${nth}` } as const;
    return done(deposits.perform(own.id, id, 'succeedTransaction', { input: { transaction }, ...alone }));
  };
  await Promise.all(Array.from({ length: 10 }, (_, nth) => report(nth)));
  const { sums, transactionCount } = await done(deposits.find(own.id, id));
  expect([sums, transactionCount]).toEqual([{ authorised: 10_000, secured: 10_000 }, 10]);
});

test("ten reports at once, each in the host's own transaction, are ten transactions", async () => {
  const { requests, storage } = requestWorld();
  const { deposits } = requests;
  const { id } = await done(deposits.create(own.id, { ...stay, depositAmount: 100 }, alone));
  const transaction = { kind: 'authorisation', amount: 10 } as const;
  const report = () =>
    storage.transaction((tx) =>
      done(deposits.perform(own.id, id, 'succeedTransaction', { input: { transaction }, tx })),
    );
  await Promise.all(Array.from({ length: 10 }, report));
  expect((await done(deposits.find(own.id, id))).transactionCount).toBe(10);
});

test('over HTTP a lost race is tried again, and neither a key nor a batch keeps its refusal', async () => {
  const world = requestWorld();
  const { requests, lose } = losing(world);
  const { id } = await done(requests.payments.create(own.id, { ...stay, amount: 5 }, alone));
  const added = (await world.kit.clients.create(own.id, { name: 'Key' }))._unsafeUnwrap();
  const authorization = `Bearer ${await loginToken(world.kit, added)}`;
  const routes = [...world.kit.routes, ...requests.routes];
  const post = async (path: string, body: object) => {
    const headers = {
      authorization,
      'content-type': 'application/json',
      'idempotency-key': `key-${path}`,
    };
    const at = `/api/v1/partner/organisations/acc_a/payment-requests/${path}`;
    const answered = await call({ routes }, 'POST', at, { headers, body: JSON.stringify(body) });
    return JSON.parse(answered.body);
  };
  const items = [{ id }];
  await lose(5, async () =>
    expect((await post('batch/cancel', { items })).items).toMatchObject([{ problem: { code: 'changed_meanwhile' } }]),
  );
  await lose(5, async () => expect((await post(`${id}/cancel`, {})).code).toBe('changed_meanwhile'));
  await lose(2, async () => expect((await post('batch/cancel', { items })).items).toMatchObject([{ status: 200 }]));
});
