import { seenKeysContract, storageContracts } from '@partnerkit/conformance/contracts';
import { test } from 'vitest';
import { postgresSeenKeys, postgresStorage, type SqlDriver } from '../../../src/index.ts';
import { storageFixtures, type TurnedDatabase } from '../../support/fixtures.ts';

/** The cases of each suite in which somebody is woken. Without notifications workers poll. */
const wakingCases = {
  shards: [
    'a watcher is woken after a commit, with the shards of the events',
    'a watcher is woken when workers join, begin to stop and leave, and when shards are released',
    'many can watch at once, and a stopped watcher is not woken',
  ],
  parents: ['copies wake watchers'],
  feeds: ['a reader is woken after entries were committed, and not once it has stopped'],
  log: [
    'a finished delivery does not change, and a new one of the same event is due',
    'a replay counts as a change of its endpoint, and wakes workers',
  ],
};

/** What a driver cannot do. */
interface Limits {
  /** Why it cannot listen. Absent: it can. */
  readonly polls?: string;
  /** @defaultValue true */
  readonly concurrentTransactions?: boolean;
  /** Why readers wait for a transaction. Absent: they do not. */
  readonly readersWait?: string;
}

/** Every suite that storage is held to, through a driver. */
export const driverSuites = <Tx extends object>(
  database: TurnedDatabase,
  open: () => SqlDriver<Tx>,
  { polls, concurrentTransactions = true, readersWait }: Limits = {},
): void => {
  const deviationsOf = (cases: readonly string[]): { readonly deviations: Readonly<Record<string, string>> } => ({
    deviations: polls === undefined ? {} : Object.fromEntries(cases.map((name) => [name, polls])),
  });
  const create = storageFixtures(database, () => postgresStorage(open()));
  const options = { test, create, concurrentTransactions };
  storageContracts.clients(options);
  storageContracts.endpoints(options);
  storageContracts.events({
    ...options,
    ...(readersWait ? { deviations: { 'an event is invisible until its transaction commits': readersWait } } : {}),
  });
  storageContracts.shards({ ...options, ...deviationsOf(wakingCases.shards) });
  storageContracts.deliveries(options);
  storageContracts.parents({ ...options, ...deviationsOf(wakingCases.parents) });
  storageContracts.feeds({ ...options, ...deviationsOf(wakingCases.feeds) });
  storageContracts.handlers(options);
  storageContracts.audit(options);
  storageContracts.alerts(options);
  storageContracts.sending(options);
  storageContracts.log({ ...options, ...deviationsOf(wakingCases.log) });
  storageContracts.storage(options);
  seenKeysContract({
    test,
    create: async (settings) => {
      await database.reset(settings);
      return { seen: postgresSeenKeys(open() as SqlDriver<object>), elapse: database.elapse };
    },
  });
};
