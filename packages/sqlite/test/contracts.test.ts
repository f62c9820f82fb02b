import { inboxContract, rowStoreContract, seenKeysContract, storageContracts } from '@partnerkit/testing/contracts';
import { describe, test } from 'vitest';
import { type Closeable, sqliteInbox, sqliteSeenKeys } from '../src/index.ts';
import { sqliteRows } from '../src/rows.ts';
import { migratedFile, temporaryFile } from './support/files.ts';
import { sqliteFixture, storeClock } from './support/fixtures.ts';

const options = { test, create: sqliteFixture, concurrentTransactions: false };

for (const [name, suite] of Object.entries(storageContracts)) describe(name, () => suite(options));

describe('rows', () => {
  const settings = { synchronous: 'full', busyTimeoutMs: 10_000, pollMs: 25, migrate: true } as const;
  rowStoreContract({
    test,
    concurrentTransactions: false,
    create: async (given) => {
      const { clock, storeNow } = storeClock(given);
      const { file, remove } = temporaryFile();
      let close = (): void => undefined;
      return {
        storeNow,
        open: async (tables) => {
          const rows = sqliteRows(file, tables, { ...settings, clock });
          close = rows.close;
          return rows;
        },
        close: async () => {
          close();
          remove();
        },
      };
    },
  });
});

const closing = (opened: Closeable, remove: () => void) => async () => {
  opened.close();
  remove();
};

describe('receiver', () => {
  seenKeysContract({
    test,
    create: async (settings) => {
      const { clock, elapse } = storeClock(settings);
      const { file, remove } = migratedFile();
      const seen = sqliteSeenKeys(file, { clock });
      return { seen, elapse, close: closing(seen, remove) };
    },
  });
  inboxContract({
    test,
    create: async (settings) => {
      const { clock, elapse } = storeClock(settings);
      const { file, remove } = migratedFile();
      const inbox = sqliteInbox(file, { clock });
      return { inbox, elapse, close: closing(inbox, remove) };
    },
  });
});
