import { describe, test } from 'vitest';
import { alertStoreContract } from '../../../src/contracts/alerts/alert-store.ts';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { breakPort, type Double, findsEveryFault, meanwhile } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';

describe('memory', () => {
  alertStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  alertStoreContract({ test, create: slowStorageFixture });
});

const broken = breakPort('alerts');

const last = 'an account has the address that was set last, until it is removed';
const own = 'the address of an account is that of no other';
const whole = 'an address of 254 characters is stored whole';
const entries = 'a change writes its entry, and a call that changes nothing writes none';
const told = 'a handler is told of a change';
const inserted = 'an address is inserted where there is none, with its entry';
const oneInserted = 'of simultaneous insertions, one is stored and has an entry';
const once = 'of simultaneous calls with one address, one is a change';

const doubles: readonly Double<StorageFixture>[] = [
  broken('the first address stays', [last], ({ findAddress, setAddress }) => ({
    setAddress: async (accountId, address, audit) => {
      if (address !== undefined && (await findAddress(accountId)) !== undefined) return;
      await setAddress(accountId, address, audit);
    },
  })),
  broken('nothing is removed', [last], ({ setAddress }) => ({
    setAddress: async (accountId, address, audit) => {
      if (address !== undefined) await setAddress(accountId, address, audit);
    },
  })),
  broken('all accounts share one address', [own], ({ findAddress, setAddress }) => ({
    findAddress: () => findAddress('acc_any'),
    setAddress: (_accountId, address, audit) => setAddress('acc_any', address, audit),
  })),
  broken('an address is cut', [whole], ({ setAddress }) => ({
    setAddress: (accountId, address, audit) => setAddress(accountId, address?.slice(0, 250), audit),
  })),
  broken('the same address again is a change', [entries], ({ setAddress }) => ({
    setAddress: async (accountId, address, audit) => {
      if (address !== undefined) await setAddress(accountId, undefined, { ...audit, id: audit.id.replace(/.$/, 'x') });
      await setAddress(accountId, address, audit);
    },
  })),
  broken('the entry is of another type', [told], ({ setAddress }) => ({
    setAddress: (accountId, address, audit) => setAddress(accountId, address, { ...audit, type: 'key.changed' }),
  })),
  broken('a call looks before it writes', [once], ({ findAddress, setAddress }) => ({
    setAddress: async (accountId, address, audit) => {
      if ((await findAddress(accountId)) === address) return;
      await meanwhile();
      await setAddress(accountId, `${audit.id}@partner.example`, audit);
    },
  })),
  broken('an insertion replaces', [inserted], ({ setAddress }) => ({
    insertAddress: async (accountId, address, audit) => {
      await setAddress(accountId, address, audit);
      return true;
    },
  })),
  broken('an insertion that stores says that it did not', [inserted], ({ insertAddress }) => ({
    insertAddress: async (accountId, address, audit) => !(await insertAddress(accountId, address, audit)),
  })),
  broken('an insertion that stores nothing has an entry', [inserted], ({ insertAddress, setAddress }) => ({
    insertAddress: async (accountId, address, audit) => {
      const isInserted = await insertAddress(accountId, address, audit);
      if (!isInserted) await setAddress(`${accountId} again`, address, audit);
      return isInserted;
    },
  })),
  broken('an insertion looks before it writes', [oneInserted], ({ findAddress, setAddress }) => ({
    insertAddress: async (accountId, address, audit) => {
      if ((await findAddress(accountId)) !== undefined) return false;
      await meanwhile();
      await setAddress(accountId, address, audit);
      return true;
    },
  })),
];

findsEveryFault(alertStoreContract, memoryStorageFixture, doubles);
