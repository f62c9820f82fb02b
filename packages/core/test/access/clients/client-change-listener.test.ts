import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/access/clients/client.ts';
import { createClientCache } from '../../../src/access/clients/client-cache.ts';
import type { ClientChangeFeed } from '../../../src/access/clients/client-change-feed.ts';
import type { ClientStore } from '../../../src/access/clients/client-store.ts';
import { minute } from '../../../src/base/runtime/time.ts';
import { memoryClientChangeFeed } from '../../../src/stores/memory/client-change-feed.ts';
import { settled, start, type TestClock, testClock } from '../../support/clock.ts';

const staleness = 1_000;
/** After this a process keeps what it reads, and nothing that it keeps is old. */
const warm = 70_000;

/** A store of one client, that counts its readers. */
const counting = () => {
  const state = { version: 1, reads: 0 };
  const store = {
    findClient: async () => {
      state.reads++;
      return { version: state.version } as Client;
    },
    isTokenRevoked: async () => {
      state.reads++;
      return state.version > 1;
    },
  } as unknown as ClientStore;
  return { state, store };
};

const world = (changeFeed: ClientChangeFeed = memoryClientChangeFeed()) => {
  const clock = testClock();
  const { state, store } = counting();
  const troubles: unknown[] = [];
  const process = (given: ClientChangeFeed = changeFeed) =>
    createClientCache({
      store,
      clock,
      staleness,
      changeFeed: given,
      maxStaleness: minute,
      onError: (cause) => troubles.push(cause),
    });
  return { clock, state, changeFeed, process, troubles };
};

type Process = ReturnType<ReturnType<typeof world>['process']>;

/** Callers come every 100 ms. */
const serve = async (clock: TestClock, process: Process, time: number): Promise<void> => {
  for (let left = time; left > 0; left -= 100) {
    await process.client('c');
    await clock.advance(100);
  }
};
const version = async (process: Process) => (await process.client('c'))?.version;

describe('while no change is announced', () => {
  test('callers cost one read a minute after the first minute', async () => {
    const { clock, state, process } = world();
    const reader = process();
    await serve(clock, reader, 61_000);
    state.reads = 0;
    await serve(clock, reader, 10 * minute);
    expect(state.reads).toBe(10);
  });

  test('revoked tokens cost one read a minute too', async () => {
    const { clock, state, process } = world();
    const reader = process();
    await serve(clock, reader, 61_000);
    await reader.isTokenRevoked('j');
    state.reads = 0;
    for (let times = 0; times < 500; times++) {
      expect(await reader.isTokenRevoked('j')).toBe(false);
      await clock.advance(100);
    }
    expect(state.reads).toBe(0);
  });

  test('the change feed is read twice in a staleness, for any number of calls', async () => {
    let asked = 0;
    const { changesSince, announce } = memoryClientChangeFeed();
    const counted: ClientChangeFeed = {
      announce,
      changesSince: (mark) => {
        asked++;
        return changesSince(mark);
      },
    };
    const { clock, process } = world(counted);
    const reader = process();
    for (let times = 0; times < 1_000; times++) {
      await Promise.all([reader.client('a'), reader.client('b'), reader.isTokenRevoked('j')]);
      await clock.advance(10);
    }
    expect(asked).toBe(20);
  });
});

describe('a change in another process', () => {
  const longServed = async (changeFeed?: ClientChangeFeed) => {
    const made = world(changeFeed);
    const reader = made.process();
    await serve(made.clock, reader, warm);
    return { ...made, reader };
  };

  test('is seen within the staleness', async () => {
    const { clock, state, process, reader } = await longServed();
    await process().runChange('c', async () => {
      state.version = 2;
    });
    expect(await version(reader)).toBe(1);
    await serve(clock, reader, staleness);
    expect(await version(reader)).toBe(2);
  });

  test('is seen within the staleness when its process dies right after the change', async () => {
    const { clock, state, process, reader } = await longServed();
    void process().runChange('c', async () => {
      state.version = 2;
      return new Promise(() => {});
    });
    await settled();
    await serve(clock, reader, staleness);
    expect(await version(reader)).toBe(2);
  });

  test('is seen within the staleness when it was announced 50 seconds before it was made', async () => {
    const { clock, state, process, reader } = await longServed();
    const write = Promise.withResolvers<void>();
    void process().runChange('c', () => write.promise);
    await settled();
    await serve(clock, reader, 50_000);
    state.version = 2;
    await serve(clock, reader, staleness);
    expect(await version(reader)).toBe(2);
  });

  test('bypasses the cache for its subject only', async () => {
    const { clock, state, process, reader } = await longServed();
    await serve(clock, reader, 100);
    await reader.isTokenRevoked('j');
    await process().runChange('c', async () => undefined);
    await serve(clock, reader, 2 * staleness);
    state.reads = 0;
    await reader.isTokenRevoked('j');
    expect(state.reads).toBe(0);
    await serve(clock, reader, 10_000);
    expect(state.reads).toBeGreaterThanOrEqual(9);
  });

  test('is seen in time with any number of other announcements', async () => {
    const { clock, state, changeFeed, reader } = await longServed(memoryClientChangeFeed({ maxAnnounced: 20_000 }));
    await changeFeed.announce('c');
    for (let index = 0; index < 10_000; index++) await changeFeed.announce(`c${index}`);
    await serve(clock, reader, 5_000);
    state.version = 2;
    await serve(clock, reader, staleness);
    expect(await version(reader)).toBe(2);
  });

  test('is seen at once in its own process', async () => {
    const { state, reader } = await longServed();
    await reader.runChange('c', async () => {
      state.version = 2;
    });
    expect(await version(reader)).toBe(2);
  });
});

describe('without the change feed', () => {
  const failing = () => {
    const real = memoryClientChangeFeed();
    const state: { fails: 'not' | 'at once' | 'never answers' } = { fails: 'not' };
    const pass = <T>(call: () => Promise<T>): Promise<T> => {
      if (state.fails === 'at once') return Promise.reject(new Error('down'));
      return state.fails === 'not' ? call() : new Promise(() => {});
    };
    const changeFeed: ClientChangeFeed = {
      announce: (subject) => pass(() => real.announce(subject)),
      changesSince: (mark) => pass(() => real.changesSince(mark)),
    };
    return { network: state, changeFeed };
  };

  test.each(['at once', 'never answers'] as const)(
    'answers live as long as if there were none, and everything is asked anew after that: fails %s',
    async (how) => {
      const { network, changeFeed } = failing();
      const { clock, state, process, troubles } = world(changeFeed);
      const reader = process();
      await serve(clock, reader, warm);
      network.fails = how;
      await serve(clock, reader, 2 * staleness);
      state.reads = 0;
      await serve(clock, reader, 10_000);
      expect(state.reads).toBe(10);
      expect(troubles).toHaveLength(1);

      // Made while nobody could tell.
      state.version = 2;
      network.fails = 'not';
      await serve(clock, reader, staleness);
      expect(await version(reader)).toBe(2);
      // Another may be about to be made.
      state.reads = 0;
      await serve(clock, reader, 50_000);
      expect(state.reads).toBeGreaterThanOrEqual(49);
      await serve(clock, reader, minute);
      state.reads = 0;
      await serve(clock, reader, 30_000);
      expect(state.reads).toBeLessThanOrEqual(1);
    },
  );

  test.each([
    undefined,
    {},
    { cursor: 7, subjects: [] },
    { cursor: '1', subjects: 'c' },
    { cursor: '1', subjects: [7] },
  ])('the answer %j is an error, and clients are read again after the staleness', async (answer) => {
    const { clock, state, process, troubles } = world({
      announce: async () => undefined,
      changesSince: async () => answer as never,
    });
    const reader = process();
    await serve(clock, reader, warm);
    state.reads = 0;
    await serve(clock, reader, 10_000);
    expect(state.reads).toBe(10);
    expect(troubles).toEqual([
      new TypeError(
        'partnerkit: shared.changeFeed.changesSince must return { cursor, subjects }: ' +
          'a text, and texts or undefined.',
      ),
    ]);
  });

  test('the late result of a superseded read is ignored', async () => {
    const real = memoryClientChangeFeed();
    const answers: (() => Promise<unknown>)[] = [];
    const first = Promise.withResolvers<void>();
    const changeFeed: ClientChangeFeed = {
      announce: real.announce,
      changesSince: async (mark) => {
        await answers.shift()?.();
        return real.changesSince(mark);
      },
    };
    const { clock, state, process } = world(changeFeed);
    const reader = process();
    await serve(clock, reader, warm);
    answers.push(
      () => first.promise,
      async () => {
        throw new Error('down');
      },
    );
    while (answers.length > 0) await serve(clock, reader, 100);
    first.resolve();
    await settled();
    expect((await reader.client('d'))?.version).toBe(1);
    state.version = 2;
    await serve(clock, reader, staleness);
    expect((await reader.client('d'))?.version).toBe(2);
  });

  test.each([
    ['at once', 0],
    ['never answers', 1_000],
  ] as const)('a change is made all the same: fails %s, after %i ms', async (how, time) => {
    const { network, changeFeed } = failing();
    const { clock, process } = world(changeFeed);
    network.fails = how;
    let made: number | undefined;
    const changing = process().runChange('c', async () => {
      made = clock.now();
      return 'answer';
    });
    await clock.advance(5_000);
    expect(await changing).toBe('answer');
    expect(made).toBe(start + time);
  });

  test('a change is announced as soon as the process finds the feed again', async () => {
    const { network, changeFeed: torn } = failing();
    const real = memoryClientChangeFeed();
    const { clock, state, process } = world(real);
    const reader = process();
    await serve(clock, reader, warm);
    network.fails = 'at once';
    const flaky: ClientChangeFeed = {
      announce: async (subject) => {
        await torn.announce(subject);
        await real.announce(subject);
      },
      changesSince: torn.changesSince,
    };
    await process(flaky).runChange('c', async () => {
      state.version = 2;
    });
    await serve(clock, reader, 10_000);
    expect(await version(reader)).toBe(1);
    network.fails = 'not';
    await serve(clock, reader, 250 + staleness);
    expect(await version(reader)).toBe(2);
  });

  test('a change that was never announced is seen within a minute', async () => {
    const { clock, state, process } = world();
    const reader = process();
    await serve(clock, reader, warm);
    state.version = 2;
    await serve(clock, reader, minute);
    expect(await version(reader)).toBe(2);
  });

  test('an announcement is retried for maxStaleness at most', async () => {
    const { network, changeFeed } = failing();
    const { clock, process } = world(changeFeed);
    network.fails = 'at once';
    await process().runChange('c', async () => undefined);
    expect(clock.sleepers()).toBe(1);
    await clock.advance(minute + 1_000);
    expect(clock.sleepers()).toBe(0);
  });
});

test('a clock that is set back does not extend the validity of the feed', async () => {
  const real = memoryClientChangeFeed();
  const state = { down: false };
  const changeFeed: ClientChangeFeed = {
    announce: real.announce,
    changesSince: (mark) => (state.down ? new Promise(() => {}) : real.changesSince(mark)),
  };
  const made = world(changeFeed);
  const reader = made.process();
  await serve(made.clock, reader, warm);
  state.down = true;
  made.state.version = 2;
  made.clock.set(made.clock.now() - 5_000);
  await serve(made.clock, reader, 2 * staleness);
  expect(await version(reader)).toBe(2);
});
