import { expect, test } from 'vitest';
import { minute } from '../../../../src/base/runtime/time.ts';
import { accounts, platform } from '../../../support/kit.ts';

/** A platform whose directory counts its calls, and may fail or hang. */
const world = (find?: () => Promise<undefined>) => {
  const asked: string[] = [];
  const made = platform({
    accounts: {
      find: async (id) => {
        asked.push(id);
        return find ? find() : accounts.find((account) => account.id === id);
      },
    },
  });
  const publish = async (accountId: string, id = 'pay_1') => {
    const event = { accountId, objectName: 'RequestPayment', type: 'payed', data: { id } } as const;
    return (await made.kit.events.publish(event, { tx: 'new' })).eventId;
  };
  const unknown = () => made.signals.filter(({ kind }) => kind === 'unknown_account');
  return { ...made, asked, publish, unknown };
};

test('an event of an account that the directory does not know is signalled when it is dispatched', async () => {
  const { kit, publish, unknown } = world();
  const eventId = await publish('ACC_A');
  expect(unknown()).toEqual([]);
  await kit.worker().drain();
  expect(unknown()).toEqual([{ kind: 'unknown_account', accountId: 'ACC_A', eventId }]);
});

test('a known account without endpoints is asked for once, and one that has endpoints never', async () => {
  const { kit, asked, publish, unknown } = world();
  (await kit.endpoints.create('acc_b', { url: 'https://b.example/', events: ['payed'] }))._unsafeUnwrap();
  asked.length = 0;
  for (let round = 0; round < 3; round++) {
    for (const accountId of ['acc_a', 'acc_b']) await publish(accountId, `pay_${round}`);
    await kit.worker().drain();
  }
  expect(asked).toEqual(['acc_a']);
  expect(unknown()).toEqual([]);
});

test('an unknown account is signalled once a minute, however many events it has', async () => {
  const { kit, clock, asked, publish, unknown } = world();
  for (let count = 0; count < 20; count++) await publish('acc_none', `pay_${count}`);
  await kit.worker().drain();
  expect([asked.length, unknown().length]).toEqual([1, 1]);
  clock.set(clock.now() + minute - 1);
  await publish('acc_none', 'pay_20');
  await kit.worker().drain();
  expect(asked).toHaveLength(1);
  clock.set(clock.now() + 1);
  await publish('acc_none', 'pay_21');
  await kit.worker().drain();
  expect([asked.length, unknown().length]).toEqual([2, 2]);
});

test('a directory that hangs or fails delays no dispatch, and gets at most 4 calls at a time', async () => {
  for (const find of [() => new Promise<undefined>(() => undefined), () => Promise.reject(new Error('down'))]) {
    const { kit, asked, publish, signals, unknown } = world(find);
    for (let count = 0; count < 10; count++) await publish(`acc_${count}`, `pay_${count}`);
    await kit.worker().drain();
    expect(signals.flatMap((each) => (each.kind === 'dispatched' ? each.events : [])).reduce((a, b) => a + b)).toBe(10);
    expect(asked).toHaveLength(4);
    expect(unknown()).toEqual([]);
  }
});

test('explain names the unknown account', async () => {
  const { kit, publish } = world();
  const eventId = await publish('ACC_A');
  const endpoint = { url: 'https://a.example/', events: ['payed'] } as const;
  const endpointId = (await kit.endpoints.create('acc_a', endpoint))._unsafeUnwrap().endpoint.id;
  await kit.worker().drain();
  const code = async (accountId: string, id = endpointId) =>
    (await kit.deliveries.explain(accountId, eventId, id))._unsafeUnwrapErr().code;
  expect(await code('ACC_A')).toBe('no_such_account');
  expect(await code('acc_a')).toBe('no_such_event');
});
