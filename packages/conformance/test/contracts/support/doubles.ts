import type { Storage } from '@partnerkit/core/adapter';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ContractOptions, Fixture, FixtureSettings, StorageFixture } from '../../../src/contracts/index.ts';

/** An adapter with one thing wrong, and the cases that must find it. */
export interface Double<F> {
  readonly how: string;
  readonly breaks: readonly [string, ...string[]];
  readonly make: (fixture: F, settings: FixtureSettings) => F;
}

type Contract<F extends Fixture> = (options: ContractOptions<F>) => void;
type Create<F> = (settings: FixtureSettings) => Promise<F>;

interface CollectedCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export const collect = <F extends Fixture>(
  contract: Contract<F>,
  create: Create<F>,
  deviations: Readonly<Record<string, string>> = {},
): readonly CollectedCase[] => {
  const cases: CollectedCase[] = [];
  contract({ test: (name, run) => cases.push({ name, run }), create, deviations });
  return cases;
};

/** What a case rejects with. Should it wait for what never comes, its patience ends at once. */
const causeOf = async (run: () => Promise<void>): Promise<unknown> => {
  let ended = false;
  const running = run()
    .then(
      () => undefined,
      (cause: unknown) => cause ?? 'nothing',
    )
    .finally(() => {
      ended = true;
    });
  for (let turns = 1; !ended; turns++) {
    await meanwhile();
    if (turns % 1_000 === 0) await vi.advanceTimersByTimeAsync(10_000);
  }
  return running;
};

/** Whether a case fails. */
const fails = async ({ run }: CollectedCase): Promise<boolean> => {
  const cause = await causeOf(run);
  // What is wrong with a double is an answer of it, not a slip in its code.
  if (cause instanceof TypeError || cause instanceof ReferenceError) throw cause;
  return cause !== undefined;
};

/**
 * Each double fails the cases that its fault is named for; each case fails for some double. A double runs only the
 * cases that are to be looked at: most of the others pass, and prove nothing.
 */
export const findsEveryFault = <F extends Fixture>(
  contract: Contract<F>,
  create: Create<F>,
  doubles: readonly Double<F>[],
  deviations: Readonly<Record<string, string>> = {},
): void => {
  const casesOf = ({ make }: Double<F>): readonly CollectedCase[] =>
    collect(contract, async (settings) => make(await create(settings), settings), deviations);
  describe('a broken double is found:', () => {
    beforeAll(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });
    afterAll(() => {
      vi.useRealTimers();
    });
    test.each(doubles)('$how', async (double) => {
      const named = casesOf(double).filter(({ name }) => double.breaks.includes(name));
      expect(named.map(({ name }) => name).toSorted()).toEqual([...double.breaks].toSorted());
      for (const each of named) expect(await fails(each), each.name).toBe(true);
    });
    test('no case passes whatever is broken', async () => {
      const named = new Set(doubles.flatMap(({ breaks }) => breaks));
      const others = collect(contract, create, deviations)
        .map(({ name }) => name)
        .filter((name) => !named.has(name) && !name.includes('(deviates: '));
      const passing = new Set(others);
      for (const double of doubles)
        for (const each of casesOf(double))
          if (passing.has(each.name) && (await fails(each))) passing.delete(each.name);
      expect([...passing]).toEqual([]);
    });
  });
};

/** Makes doubles of storage with some methods of one port changed. */
export const breakPort =
  <P extends keyof Omit<Storage<object>, 'transaction' | 'maxTransactions' | 'check'>>(port: P) =>
  (
    how: string,
    breaks: Double<StorageFixture>['breaks'],
    change: (
      real: Storage<object>[P],
      fixture: StorageFixture,
      settings: FixtureSettings,
    ) => Partial<Storage<object>[P]>,
  ): Double<StorageFixture> => ({
    how,
    breaks,
    make: (fixture, settings) => {
      const real = fixture.storage[port];
      return { ...fixture, storage: { ...fixture.storage, [port]: { ...real, ...change(real, fixture, settings) } } };
    },
  });

/** All that ask for one key at once are given the same: it is looked up, and then written. */
export const sharing = <A extends readonly unknown[], T>(call: (key: string, ...rest: A) => T | Promise<T>) => {
  const asked = new Map<string, Promise<T>>();
  return (key: string, ...rest: A): Promise<T> => {
    const answer =
      asked.get(key) ??
      meanwhile().then(() => {
        asked.delete(key);
        return call(key, ...rest);
      });
    asked.set(key, answer);
    return answer;
  };
};

/** Lets every other call come in between. */
export const meanwhile = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

let ghosts = 0;

/** Does a write in the name of a worker that is there, whoever asked for it. */
export const asGhost = async <T>({ storage: { shards } }: StorageFixture, write: (workerId: string) => Promise<T>) => {
  const workerId = `ghost-${ghosts++}`;
  await shards.join(workerId, 60_000);
  const written = await write(workerId);
  await shards.leave(workerId);
  return written;
};

/** The two cases of a law that is tested with the clock of the store ahead and behind. */
export const clocks = (law: string): readonly [string, string] => [
  `${law}: a store's clock 3 hours ahead`,
  `${law}: a store's clock 3 hours behind`,
];
