import {
  inboxContract,
  latestTimestampsContract,
  rowStoreContract,
  seenKeysContract,
  storageContracts,
} from '@partnerkit/conformance/contracts';
import { rowInbox, rowSeenKeys, rowTables, systemRandom } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { type Closeable, sqliteInbox, sqliteSeenKeys } from '../../src/index.ts';
import { sourceOf } from '../../src/open.ts';
import { sqliteRows } from '../../src/rows.ts';
import { type Connect, migratedFile, type TemporaryFile, temporaryFile } from './files.ts';
import { rowSettings, sqliteFixture, storeClock } from './fixtures.ts';

/**
 * The contract suites of these names, of rows and of receivers.
 * @param connect - The library of the host. Default: paths, which are opened with that of Node.js.
 */
export const describeContracts = (names: readonly string[], connect?: Connect): void => {
  const options = { test, concurrentTransactions: false } as const;
  // With a path no other library is loaded, and looking for one takes most of the time of opening.
  const isAlone = connect === undefined;
  const library = isAlone ? { otherLibrariesOpenOtherFiles: true } : {};
  const place = (make: () => TemporaryFile) => {
    const { file, remove } = make();
    const host = connect?.(file);
    const close = async (opened: Closeable): Promise<void> => {
      opened.close();
      host?.close();
      remove();
    };
    return { from: host ?? file, close };
  };

  for (const [name, suite] of Object.entries(storageContracts))
    if (names.includes(name))
      describe(name, () => suite({ ...options, create: (given) => sqliteFixture(given, library, connect) }));

  describe('rows', () => {
    rowStoreContract({
      ...options,
      create: async (given) => {
        const { clock, storeNow } = storeClock(given);
        const { from, close } = place(temporaryFile);
        let opened: Closeable = { close: () => undefined };
        return {
          storeNow,
          open: async (tables) => {
            const rows = sqliteRows(sourceOf('rows', from, isAlone), tables, { ...rowSettings, clock });
            opened = rows;
            return rows;
          },
          close: () => close(opened),
        };
      },
    });
  });

  describe('receiver', () => {
    seenKeysContract({
      test,
      create: async (given) => {
        const { clock, elapse } = storeClock(given);
        const { from, close } = place(() => migratedFile(connect));
        const seen = sqliteSeenKeys(from, { clock, ...library });
        return { seen, elapse, close: () => close(seen) };
      },
    });
    inboxContract({
      test,
      create: async (given) => {
        const { clock, elapse } = storeClock(given);
        const { from, close } = place(() => migratedFile(connect));
        const inbox = sqliteInbox(from, { clock, ...library });
        return { inbox, elapse, close: () => close(inbox) };
      },
    });
    for (const make of [rowSeenKeys, rowInbox])
      describe(make.name, () =>
        latestTimestampsContract({
          ...options,
          create: async (given) => {
            const { clock, elapse } = storeClock(given);
            const { from, close } = place(() => migratedFile(connect));
            const rows = sqliteRows(sourceOf('rows', from, isAlone), rowTables, { ...rowSettings, clock });
            const latest = make(rows, systemRandom);
            return { latest, transaction: rows.transaction, elapse, close: () => close(rows) } as never;
          },
        }),
      );
  });
};

/** The suites of all stores of a storage. */
export const allStores: readonly string[] = Object.keys(storageContracts);
