import { expect, test } from 'vitest';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { platform } from '../../support/kit.ts';

const row = { accountId: 'acc_a', address: 'desk@partner.example' };
const rule = 'address: an e-mail address in ASCII; an international domain in its form xn--….';

test('an address is stored once, with one entry by the host that has no address', async () => {
  const { kit } = platform();
  const outcomes = [];
  for (const rows of [[row], [{ ...row, kind: 'alert_address' as const }], [row, row]])
    outcomes.push((await kit.import.alertAddresses(rows))._unsafeUnwrap().rows);
  expect(outcomes).toEqual([
    [{ row: 0, id: 'acc_a', outcome: 'created' }],
    [{ row: 0, id: 'acc_a', outcome: 'unchanged' }],
    ...[[0, 1].map((place) => ({ row: place, id: 'acc_a', outcome: 'unchanged' }))],
  ]);
  expect((await kit.alerts.findAddress('acc_a'))._unsafeUnwrap()).toBe('desk@partner.example');
  const { items } = (await kit.audit.list('acc_a'))._unsafeUnwrap();
  expect(items.map(({ type, subjectId, by, data }) => [type, subjectId, by, data])).toEqual([
    ['account.changed', 'acc_a', { type: 'host' }, { change: 'alert_address_imported' }],
  ]);
});

test('an address that a partner has set stays, also when it is set while the row is imported', async () => {
  const storage = memoryStorage();
  const { kit } = platform({ storage });
  const late: typeof storage = {
    ...storage,
    alerts: {
      ...storage.alerts,
      insertAddress: async (accountId, address, audit) => {
        (await kit.alerts.setAddress(accountId, 'night@partner.example'))._unsafeUnwrap();
        return storage.alerts.insertAddress(accountId, address, audit);
      },
    },
  };
  for (const importing of [platform({ storage: late }).kit, kit]) {
    const report = (await importing.import.alertAddresses([row]))._unsafeUnwrap();
    expect(report.rows).toEqual([{ row: 0, id: 'acc_a', outcome: 'differs' }]);
    expect((await kit.alerts.findAddress('acc_a'))._unsafeUnwrap()).toBe('night@partner.example');
  }
});

test.each<[object, pointer: string, message: string]>([
  [{ accountId: 'acc_a' }, '/address', 'address: missing'],
  [{ ...row, address: '' }, '/address', rule],
  [{ ...row, address: 'desk@partner.example\r\nBcc: all@partner.example' }, '/address', rule],
  [{ ...row, accountId: 'nobody' }, '/accountId', 'accountId: accounts.find knows no account of this id.'],
  [{ ...row, accountId: '..' }, '/accountId', 'accountId: neither "." nor ".."'],
  [{ ...row, addres: 'x' }, '/addres', 'addres: no such field.'],
  [{ ...row, kind: 'endpoint' }, '/kind', 'kind'],
])('%j is refused, and what follows it is stored', async (wrong, pointer, message) => {
  const { kit } = platform();
  const { rows } = (await kit.import.alertAddresses([wrong as typeof row, row]))._unsafeUnwrap();
  expect(rows).toEqual([
    { row: 0, outcome: 'refused', pointer, message: expect.stringContaining(message) },
    { row: 1, id: 'acc_a', outcome: 'created' },
  ]);
});
