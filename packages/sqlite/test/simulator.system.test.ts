import { DatabaseSync, StatementSync } from 'node:sqlite';
import { checkLaws, historyArbitrary, simulate } from '@partnerkit/conformance/simulator';
import type { Clock, Storage } from '@partnerkit/core/adapter';
import fc from 'fast-check';
import { afterAll, test } from 'vitest';
import { sized } from '../../../tools/tests/effort.ts';
import { sqliteStorage } from '../src/index.ts';
import { migratedFile } from './support/files.ts';

/** Waits for no time: in a history, only the end of a transaction unlocks the file. */
const endless = (clock: Clock): Clock => ({ now: clock.now, sleep: () => new Promise(() => undefined) });

/**
 * Each transaction has an object of its own: the simulator knows transactions by it, and connections serve many. A
 * process that died may still publish: not in the next transaction of its connection.
 */
const distinct = (storage: Storage<DatabaseSync>): Storage<object> => {
  const databases = new WeakMap<object, DatabaseSync>();
  return {
    ...(storage as unknown as Storage<object>),
    events: {
      ...storage.events,
      append: (tx, events) => storage.events.append(databases.get(tx) as DatabaseSync, events),
    },
    transaction: (work, options) =>
      storage.transaction(async (database) => {
        const tx = {};
        databases.set(tx, database);
        try {
          return await work(tx);
        } finally {
          databases.delete(tx);
        }
      }, options),
  };
};

type Sync = (this: object, ...values: readonly unknown[]) => unknown;
const parts = [
  [DatabaseSync.prototype, 'exec'],
  ...(['run', 'get', 'all'] as const).map((name) => [StatementSync.prototype, name] as const),
] as unknown as readonly (readonly [Record<string, Sync>, string])[];
const restores: (() => void)[] = [];
let noteEffect = (): void => undefined;
// A call that found the file locked takes effect with the last statement that succeeds.
for (const [prototype, name] of parts) {
  const original = prototype[name] as Sync;
  restores.push(() => Object.assign(prototype, { [name]: original }));
  prototype[name] = function (...values) {
    const result = Reflect.apply(original, this, values);
    noteEffect();
    return result;
  };
}
afterAll(() => {
  for (const restore of restores) restore();
});

test('histories on a file break no law', async () => {
  await fc.assert(
    fc.asyncProperty(historyArbitrary, async (history) => {
      const { file, remove } = migratedFile();
      let close = (): void => undefined;
      const storage = (clock: Clock, _random: unknown, note: () => void): Storage<object> => {
        noteEffect = note;
        const opened = sqliteStorage(file, { clock: endless(clock), pollMs: Number.POSITIVE_INFINITY });
        close = opened.close;
        return distinct(opened);
      };
      try {
        checkLaws(await simulate(history, { storage }));
      } finally {
        close();
        remove();
      }
    }),
    { ...sized({ numRuns: 12, seed: 20_241_121 }, { numRuns: 1_000 }), endOnFailure: true },
  );
});
