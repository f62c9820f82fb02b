import { expect, test } from 'vitest';
import type { RequestStores } from '../../src/requests/stores/stores.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import type { Storage } from '../../src/stores/storage/storage.ts';
import { alone, codeOf, done, own, recipient, requestWorld } from './world.ts';

/** Stores that call `between` once, after a cash-out was read in a transaction and before its deposit is. */
const worldWith = (between: () => Promise<unknown>) => {
  let armed = false;
  const world = requestWorld((clock) => {
    const storage = memoryStorage({ clock }) as Storage<object>;
    const stores = storage.requests;
    const find: RequestStores<object>['deposits']['find'] = async (account, id, tx) => {
      if (armed && tx) {
        armed = false;
        await between();
      }
      return stores.deposits.find(account, id, tx);
    };
    return { ...storage, requests: { ...stores, deposits: { ...stores.deposits, find } } };
  });
  return {
    world,
    arm: (): void => {
      armed = true;
    },
  };
};

test('a cash-out that changes between the reads of a command is checked in its current state', async () => {
  let between: () => Promise<unknown> = async () => undefined;
  const { world, arm } = worldWith(() => between());
  const { deposits, cashOuts } = world.requests;
  const input = { name: 'Stay', depositAmount: 300, currency: 'EUR', recipient };
  const { id: depositId } = await done(deposits.create(own.id, input, alone));
  await done(deposits.perform(own.id, depositId, 'succeedDeposit', alone));
  const { id } = await done(cashOuts.create(own.id, { depositId, amount: 5 }, alone));

  between = () => done(cashOuts.perform(own.id, id, 'change', { input: { description: 'A window' }, ...alone }));
  arm();
  expect(await done(cashOuts.perform(own.id, id, 'claim', alone))).toMatchObject({
    version: 3,
    status: 'claimed',
    description: 'A window',
  });

  between = () => done(cashOuts.perform(own.id, id, 'cancel', alone));
  arm();
  expect(await codeOf(cashOuts.perform(own.id, id, 'accept', alone))).toBe('wrong_state');
});

test('a lost race for the deposit is no mismatch of the version that was named of a cash-out', async () => {
  let isArmed = false;
  const world = requestWorld((clock) => {
    const storage = memoryStorage({ clock }) as Storage<object>;
    const { deposits, ...stores } = storage.requests;
    // Another command on the deposit comes first.
    const replace: typeof deposits.replace = async (...given) => !isArmed && (await deposits.replace(...given));
    return { ...storage, requests: { ...stores, deposits: { ...deposits, replace } } };
  });
  const { deposits, cashOuts } = world.requests;
  const input = { name: 'Stay', depositAmount: 300, currency: 'EUR', recipient };
  const { id: depositId } = await done(deposits.create(own.id, input, alone));
  await done(deposits.perform(own.id, depositId, 'succeedDeposit', alone));
  const { id, version } = await done(cashOuts.create(own.id, { depositId, amount: 5 }, alone));
  isArmed = true;
  expect(await codeOf(cashOuts.perform(own.id, id, 'claim', { ...alone, ifVersion: version }))).toBe(
    'changed_meanwhile',
  );
  expect(await codeOf(deposits.perform(own.id, depositId, 'checkIn', { ...alone, ifVersion: 3 }))).toBe(
    'version_mismatch',
  );
});
