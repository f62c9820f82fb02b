import { type Clock, column, type LatestTimestamps, rowTables, table } from '@partnerkit/core/adapter';
import { type MemoryTransaction, memoryRows } from '@partnerkit/core/memory';
import { describe, test } from 'vitest';
import {
  type FixtureSettings,
  type LatestTimestampsFixture,
  latestTimestampsContract,
} from '../../../src/contracts/index.ts';
import { storeClock } from '../../rows/support.ts';
import { clocks, type Double, findsEveryFault } from '../support/doubles.ts';

const timestamps = table({
  name: 'timestamps',
  columns: { object: column.text(), timestamp: column.integer(), until: column.number() },
  key: ['object'],
  indexes: {},
});
interface Stored {
  readonly timestamp: number;
  readonly until: number;
}

const day = 86_400_000;

/** Each part of an implementation that can be wrong. */
interface Parts {
  readonly mayAdvance: (known: Stored, timestamp: number, now: number) => boolean;
  readonly nameOf: (object: string) => string;
  readonly until: (now: number, keep: number, known: Stored | undefined) => number;
  readonly lock: 'update' | undefined;
  /** Where it reads, and where it writes. */
  readonly reads: 'in the transaction' | 'beside it';
  readonly writes: 'in the transaction' | 'beside it';
  readonly clock: Pick<Clock, 'now'> | undefined;
}

const right: Parts = {
  mayAdvance: (known, timestamp, now) => known.timestamp <= timestamp || known.until <= now,
  nameOf: (object) => object.replaceAll(/[^ -~]/gu, (found) => `%${found.codePointAt(0)}`),
  until: (now, keep) => now + keep,
  lock: 'update',
  reads: 'in the transaction',
  writes: 'in the transaction',
  clock: undefined,
};

const fixtureOf = (settings: FixtureSettings, changed: Partial<Parts> = {}): LatestTimestampsFixture => {
  const parts = { ...right, ...changed };
  const { clock, elapse } = storeClock(settings);
  const rows = memoryRows([...rowTables, timestamps], clock);
  const latest: LatestTimestamps<MemoryTransaction> = {
    advanceIn: async (tx, object, timestamp, keep = 35 * day) => {
      const name = parts.nameOf(object);
      const beside = parts.reads === 'beside it' ? await rows.run('read', (own) => read(own, undefined)) : undefined;
      function* read(own: Parameters<Parameters<typeof rows.join>[1]>[0], lock: 'update' | undefined) {
        const [known] = yield* own.get(timestamps, [[name]], lock);
        return known;
      }
      const plan: Parameters<typeof rows.join<boolean>>[1] = function* (own) {
        const now = parts.clock?.now() ?? (yield* own.now());
        const made = (known?: Stored) => ({ object: name, timestamp, until: parts.until(now, keep, known) });
        if (parts.lock && parts.reads === 'in the transaction') {
          const [isNew] = yield* own.insert(timestamps, [made()], 'ignore');
          if (isNew) return true;
        }
        const known = parts.reads === 'beside it' ? beside : yield* read(own, parts.lock);
        if (known && !parts.mayAdvance(known, timestamp, now)) return false;
        yield* own.put(timestamps, [made(known)]);
        return true;
      };
      return parts.writes === 'beside it' ? rows.run('write', plan) : rows.join(tx, plan);
    },
  };
  return { latest, transaction: rows.transaction, elapse } as never;
};
const create = async (settings: FixtureSettings): Promise<LatestTimestampsFixture> => fixtureOf(settings);

describe('rows in memory', () => {
  latestTimestampsContract({ test, create });
});

const broken = (
  how: string,
  breaks: Double<LatestTimestampsFixture>['breaks'],
  change: (settings: FixtureSettings) => Partial<Parts>,
): Double<LatestTimestampsFixture> => ({
  how,
  breaks,
  make: (_fixture, settings) => fixtureOf(settings, change(settings)),
});

const [goesBack, again, rollsBack, reads, racing, waits, waitsInVain, lasts, anew, names] = [
  'a timestamp advances, and never goes back',
  'the stored timestamp itself is accepted: an event may come again',
  'what is rolled back stores nothing',
  'a transaction reads what it stored itself',
  'of simultaneous calls, the accepted ones are in order, and the latest is among them',
  'an earlier one waits for an open transaction, and is refused when that commits',
  'an earlier one waits for an open transaction, and is accepted when that rolls back',
  'a timestamp is stored for 35 days by default, and no longer',
  'each accepted call stores it anew, for as long as it says',
  'objects whose names differ in one byte are different',
] as const;

const doubles: readonly Double<LatestTimestampsFixture>[] = [
  broken('everything is accepted', [goesBack, again, rollsBack, reads, lasts], () => ({ mayAdvance: () => true })),
  broken('the stored timestamp itself is refused', [again, reads], () => ({
    mayAdvance: (known, timestamp, now) => known.timestamp < timestamp || known.until <= now,
  })),
  broken('it is stored beside the transaction', [rollsBack, waits, waitsInVain], () => ({ writes: 'beside it' })),
  broken('no lock is taken', [racing, waits], () => ({ lock: undefined })),
  broken('it is read beside the transaction', [reads, racing, waits], () => ({ reads: 'beside it' })),
  broken('it is stored for ever', [lasts, anew], () => ({ until: (now) => now + 1e12 })),
  broken('it is stored half as long', [lasts], () => ({ until: (now, keep) => now + keep / 2 })),
  broken('it is stored for as long as the first call said', [anew], () => ({
    until: (now, keep, known) => known?.until ?? now + keep,
  })),
  broken(
    'it is stored until a time of the host',
    [...clocks('a timestamp is stored for 35 days')],
    ({ storeAhead }) => {
      const { clock } = storeClock({ storeAhead: 0 });
      return { clock, until: (now, keep) => now + keep - 9 * storeAhead };
    },
  ),
  broken('names are compared without regard to case', [names], () => ({
    nameOf: (object) => right.nameOf(object.toLowerCase()),
  })),
  broken('long names are cut', [names], () => ({ nameOf: (object) => right.nameOf(object.slice(0, 255)) })),
];

findsEveryFault(latestTimestampsContract, create, doubles);
