import { deepStrictEqual, strictEqual } from 'node:assert';
import { minute } from '@partnerkit/core';
import type { NewAuditEntry, Storage } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { type Cases, type ContractOptions, concurrently, runCases } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { newId, ours, theirs } from '../support/records.ts';

const [first, second] = ['desk@partner.example', 'night@partner.example'];

const entry = (accountId = ours): NewAuditEntry => ({
  ...{ id: newId(), accountId, type: 'account.changed', subjectId: accountId, by: { type: 'host' } },
  ...{ data: { change: 'alert_address_set' }, mac: 'bWFj' },
});
const written = async ({ audit }: Pick<Storage<object>, 'audit'>): Promise<readonly string[]> =>
  (await audit.listEntries(undefined, {})).items.map(({ id }) => id);

const cases: Cases<StorageFixture> = {
  'an account has the address that was set last, until it is removed': async ({ storage: { alerts } }) => {
    strictEqual(await alerts.findAddress(ours), undefined);
    for (const address of [first, second, first]) {
      await alerts.setAddress(ours, address, entry());
      strictEqual(await alerts.findAddress(ours), address);
    }
    await alerts.setAddress(ours, undefined, entry());
    strictEqual(await alerts.findAddress(ours), undefined);
  },
  'the address of an account is that of no other': async ({ storage: { alerts } }) => {
    await alerts.setAddress(ours, first, entry());
    strictEqual(await alerts.findAddress(theirs), undefined);
    await alerts.setAddress(theirs, second, entry(theirs));
    await alerts.setAddress(theirs, undefined, entry(theirs));
    strictEqual(await alerts.findAddress(ours), first);
  },
  'an address of 254 characters is stored whole': async ({ storage: { alerts } }) => {
    const label = `${'a'.repeat(62)}.`;
    const longest = `${'b'.repeat(57)}@${label.repeat(3)}example`;
    strictEqual(longest.length, 254);
    await alerts.setAddress(ours, longest, entry());
    strictEqual(await alerts.findAddress(ours), longest);
  },
  'a change writes its entry, and a call that changes nothing writes none': async ({ storage }) => {
    const made: string[] = [];
    const set = async (address: string | undefined, isChange: boolean) => {
      const audit = entry();
      await storage.alerts.setAddress(ours, address, audit);
      if (isChange) made.push(audit.id);
    };
    await set(undefined, false);
    await set(first, true);
    await set(first, false);
    await set(second, true);
    await set(undefined, true);
    await set(undefined, false);
    deepStrictEqual(await written(storage), made);
  },
  'a handler is told of a change': async ({ storage: { alerts, handlers } }) => {
    await handlers.register([{ name: 'alerts', events: ['Operations.account.changed'] }], 100);
    const audit = entry();
    await alerts.setAddress(ours, first, audit);
    const [claimed] = await handlers.claim('alerts', 10, [minute]);
    deepStrictEqual([claimed?.accountId, claimed?.eventId, claimed?.event.type], [ours, audit.id, 'account.changed']);
  },
  'an address is inserted where there is none, with its entry': async ({ storage }) => {
    const { alerts } = storage;
    const audits = Array.from({ length: 4 }, () => entry());
    const insert = async (nth: number, address: string) =>
      alerts.insertAddress(ours, address, audits[nth] as NewAuditEntry);
    strictEqual(await insert(0, first), true);
    strictEqual(await insert(1, first), false);
    strictEqual(await insert(2, second), false);
    strictEqual(await alerts.findAddress(ours), first);
    strictEqual(await alerts.findAddress(theirs), undefined);
    await alerts.setAddress(ours, undefined, entry());
    strictEqual(await insert(3, second), true);
    strictEqual(await alerts.findAddress(ours), second);
    const ids = await written(storage);
    deepStrictEqual(
      audits.map(({ id }) => ids.includes(id)),
      [true, false, false, true],
    );
  },
  'of simultaneous insertions, one is stored and has an entry': concurrently(async ({ storage }) => {
    const inserted = await race((nth) => storage.alerts.insertAddress(ours, `${nth}@partner.example`, entry()));
    deepStrictEqual(inserted.filter(Boolean), [true]);
    strictEqual(await storage.alerts.findAddress(ours), `${inserted.indexOf(true)}@partner.example`);
    strictEqual((await written(storage)).length, 1);
  }),
  'of simultaneous calls with one address, one is a change': concurrently(async ({ storage }) => {
    await race(() => storage.alerts.setAddress(ours, first, entry()));
    strictEqual((await written(storage)).length, 1);
    await race(() => storage.alerts.setAddress(ours, undefined, entry()));
    strictEqual((await written(storage)).length, 2);
  }),
};

/** Tests the obligations of `AlertStore`. */
export const alertStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
