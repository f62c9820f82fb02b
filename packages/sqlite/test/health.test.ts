import { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Plan, type RowTx, rowTables, shardOf, systemClock, type Table } from '@partnerkit/core/adapter';
import { afterEach, expect, test, vi } from 'vitest';
import { sqliteStorage } from '../src/index.ts';
import { sourceOf } from '../src/open.ts';
import { type SqliteRows, sqliteRows } from '../src/rows.ts';
import { migratedFile } from './support/files.ts';
import { rowSettings } from './support/fixtures.ts';

const ends: (() => unknown)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const end of ends.splice(0).toReversed()) end();
});

const hour = 3_600_000;
const accountOf = (nth: number): string => `acc_${nth % 50}`;
const idOf = (nth: number): string => `00000000-0000-7000-8000-${nth.toString(16).padStart(12, '0')}`;
const eventOf = (nth: number): string => idOf(1_000_000 + nth);

const tableOf = (name: string): Table => {
  const found = rowTables.find((table) => table.name === name);
  if (!found) throw new TypeError(`There is no table ${name}.`);
  return found;
};

/** Inserts `count` rows. */
const insert = async (
  store: { run<T>(mode: 'write', plan: (rows: RowTx) => Plan<T>): Promise<T> },
  name: string,
  count: number,
  row: (nth: number) => object,
): Promise<void> =>
  store.run('write', function* (rows) {
    const all = Array.from({ length: count }, (_, nth) => row(nth));
    yield* rows.insert(tableOf(name) as never, all as never, 'fail');
  });

/** Stores enabled endpoints, each with one delivery that has been due for an hour and a failure per hour. */
const fill = async (store: SqliteRows<DatabaseSync>, count: number): Promise<void> => {
  const now = systemClock.now();
  await insert(store, 'endpoints', count, (nth) => ({
    ...{ accountId: accountOf(nth), id: idOf(nth), since: now },
    endpoint: { id: idOf(nth), accountId: accountOf(nth), state: 'enabled' },
  }));
  await insert(store, 'health', count, (nth) => ({
    ...{ accountId: accountOf(nth), endpointId: idOf(nth), failures: 9, failingSince: now - (nth + 1) * hour },
    ...{ isExhausted: true, openCount: 3, openUntil: now, retryAfterUntil: now },
  }));
  const event = (nth: number) => ({ accountId: accountOf(nth), shard: shardOf(accountOf(nth)) });
  await insert(store, 'dispatches', count, (nth) => ({
    ...{ ...event(nth), id: eventOf(nth), objectHash: String(nth), dispatchedAt: now - 2 * hour, timestamp: nth },
    ...{ endpointVersion: 0, endpointIds: [idOf(nth)] },
  }));
  await insert(store, 'pending', count, (nth) => ({
    ...{ ...event(nth), eventId: eventOf(nth), endpointId: idOf(nth), replay: 0, state: 'scheduled' },
    ...{ dueAt: now - hour, attempts: 3, logged: 3, isAbandoned: false, isUrgent: false, since: now },
  }));
};

const open = async (endpoints: number) => {
  const { file, remove } = migratedFile();
  ends.push(remove);
  const source = sourceOf<DatabaseSync>('rows', file, true);
  const store = sqliteRows(source, rowTables, { ...rowSettings, clock: systemClock });
  await fill(store, endpoints);
  store.close();
  const storage = sqliteStorage(file, { pollMs: Number.POSITIVE_INFINITY, otherLibrariesOpenOtherFiles: true });
  ends.push(storage.close);
  return { file, storage };
};

/** Notes the statements that run, by their texts. */
const noteStatements = (): string[] => {
  const noted: string[] = [];
  for (const name of ['all', 'get', 'run'] as const) {
    const original = StatementSync.prototype[name] as (...values: never[]) => never;
    vi.spyOn(StatementSync.prototype, name).mockImplementation(function (this: StatementSync, ...values: never[]) {
      noted.push(this.sourceSQL);
      return original.apply(this, values);
    } as never);
  }
  return noted;
};

const read = async ({ log, handlers }: Awaited<ReturnType<typeof open>>['storage']) => ({
  backlog: await log.countBacklog(),
  snapshot: await log.readHealthSnapshot(),
  handlers: await handlers.listHandlers(),
});

test('health takes at most 5 statements, however many endpoints fail and have waiting deliveries', async () => {
  const { storage } = await open(120);
  const statements = noteStatements();
  const { backlog, snapshot } = await read(storage);
  expect(statements.length).toBeLessThanOrEqual(5);
  expect(backlog).toMatchObject({ undispatched: 0, waiting: 120, held: 0 });
  expect(backlog.oldestDue).toBeGreaterThanOrEqual(hour);
  expect(snapshot).toMatchObject({ failingEndpoints: 120, freeShards: 128, workers: [] });
  expect(snapshot.endpoints.map(({ endpointId }) => endpointId)).toContain(idOf(119));
});

test('health reads no table from its beginning to its end that grows with deliveries or endpoints', async () => {
  const { file, storage } = await open(3);
  const statements = noteStatements();
  await read(storage);
  const texts = statements.splice(0);
  vi.restoreAllMocks();
  const database = new DatabaseSync(file);
  ends.push(() => database.close());
  const steps = texts.flatMap((text) => {
    const values = Array.from(text.matchAll(/\?/g), () => 0);
    return database
      .prepare(`explain query plan ${text}`)
      .all(...values)
      .map(({ detail }) => String(detail));
  });
  // Aliases of dispatches (d, f), attempts (a), endpoints and events (e).
  expect(steps.filter((step) => /^SCAN [adef] USING/.test(step))).toEqual([]);
  // Without a bound, a table is read up to a limit, in the order of an index.
  const next = steps.filter((step) => /^SEARCH t .*>/.test(step));
  expect(next.length).toBeGreaterThan(0);
  for (const step of next) expect(step).toMatch(/\((shard,account_id,endpoint_id|handler,account_id)\)>\(/);
});

test('of more than 500 endpoints with unfinished deliveries, the first ones are counted', async () => {
  const { storage } = await open(520);
  expect((await storage.log.countBacklog()).waiting).toBe(500);
});
