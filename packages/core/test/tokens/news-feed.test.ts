import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/clients/client.ts';
import type { ClientStore } from '../../src/clients/client-store.ts';
import { memoryClientNews } from '../../src/memory/client-news.ts';
import { minute } from '../../src/runtime/time.ts';
import type { ClientNews } from '../../src/tokens/client-news.ts';
import { createFreshClients } from '../../src/tokens/fresh-clients.ts';
import { settled, start, type TestClock, testClock } from '../support/clock.ts';

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

const world = (news: ClientNews = memoryClientNews()) => {
  const clock = testClock();
  const { state, store } = counting();
  const troubles: unknown[] = [];
  const process = (given: ClientNews = news) =>
    createFreshClients({
      store,
      clock,
      staleness,
      news: given,
      untoldStaleness: minute,
      onTrouble: (cause) => troubles.push(cause),
    });
  return { clock, state, news, process, troubles };
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

describe('while nothing is told', () => {
  test('callers cost one read a minute, once the first minute is over', async () => {
    const { clock, state, process } = world();
    const reader = process();
    await serve(clock, reader, 61_000);
    state.reads = 0;
    await serve(clock, reader, 10 * minute);
    expect(state.reads).toBe(10);
  });

  test('the same for revoked tokens', async () => {
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

  test('the news are asked twice in a staleness, however many call', async () => {
    let asked = 0;
    const { since, tell } = memoryClientNews();
    const counted: ClientNews = {
      tell,
      since: (mark) => {
        asked++;
        return since(mark);
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

describe('what another process changes', () => {
  const longServed = async (news?: ClientNews) => {
    const made = world(news);
    const reader = made.process();
    await serve(made.clock, reader, warm);
    return { ...made, reader };
  };

  test('is heard within the staleness', async () => {
    const { clock, state, process, reader } = await longServed();
    await process().changing('c', async () => {
      state.version = 2;
    });
    expect(await version(reader)).toBe(1);
    await serve(clock, reader, staleness);
    expect(await version(reader)).toBe(2);
  });

  test('is heard within the staleness when its process dies as soon as the change is made', async () => {
    const { clock, state, process, reader } = await longServed();
    void process().changing('c', async () => {
      state.version = 2;
      return new Promise(() => {});
    });
    await settled();
    await serve(clock, reader, staleness);
    expect(await version(reader)).toBe(2);
  });

  test('is seen within the staleness when it was told 50 seconds before it was made', async () => {
    const { clock, state, process, reader } = await longServed();
    const write = Promise.withResolvers<void>();
    void process().changing('c', () => write.promise);
    await settled();
    await serve(clock, reader, 50_000);
    state.version = 2;
    await serve(clock, reader, staleness);
    expect(await version(reader)).toBe(2);
  });

  test('makes only its subject rest', async () => {
    const { clock, state, process, reader } = await longServed();
    await serve(clock, reader, 100);
    await reader.isTokenRevoked('j');
    await process().changing('c', async () => undefined);
    await serve(clock, reader, 2 * staleness);
    state.reads = 0;
    await reader.isTokenRevoked('j');
    expect(state.reads).toBe(0);
    await serve(clock, reader, 10_000);
    expect(state.reads).toBeGreaterThanOrEqual(9);
  });

  test('is seen in time however many others are told meanwhile', async () => {
    const { clock, state, news, reader } = await longServed(memoryClientNews({ most: 20_000 }));
    await news.tell('c');
    for (let index = 0; index < 10_000; index++) await news.tell(`c${index}`);
    await serve(clock, reader, 5_000);
    state.version = 2;
    await serve(clock, reader, staleness);
    expect(await version(reader)).toBe(2);
  });

  test('is seen at once by itself', async () => {
    const { state, reader } = await longServed();
    await reader.changing('c', async () => {
      state.version = 2;
    });
    expect(await version(reader)).toBe(2);
  });
});

describe('without the news', () => {
  const failing = () => {
    const real = memoryClientNews();
    const state: { fails: 'not' | 'at once' | 'never answers' } = { fails: 'not' };
    const pass = <T>(call: () => Promise<T>): Promise<T> => {
      if (state.fails === 'at once') return Promise.reject(new Error('down'));
      return state.fails === 'not' ? call() : new Promise(() => {});
    };
    const news: ClientNews = {
      tell: (subject) => pass(() => real.tell(subject)),
      since: (mark) => pass(() => real.since(mark)),
    };
    return { network: state, news };
  };

  test.each(['at once', 'never answers'] as const)(
    'answers live as long as if there were none, and everything is asked anew after that: fails %s',
    async (how) => {
      const { network, news } = failing();
      const { clock, state, process, troubles } = world(news);
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

  test('an answer that comes when it was given up does not hide that there was none', async () => {
    const real = memoryClientNews();
    const answers: (() => Promise<unknown>)[] = [];
    const first = Promise.withResolvers<void>();
    const news: ClientNews = {
      tell: real.tell,
      since: async (mark) => {
        await answers.shift()?.();
        return real.since(mark);
      },
    };
    const { clock, state, process } = world(news);
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
    const { network, news } = failing();
    const { clock, process } = world(news);
    network.fails = how;
    let made: number | undefined;
    const changing = process().changing('c', async () => {
      made = clock.now();
      return 'answer';
    });
    await clock.advance(5_000);
    expect(await changing).toBe('answer');
    expect(made).toBe(start + time);
  });

  test('a change is told as soon as it can be, by a process that lost them alone', async () => {
    const { network, news: torn } = failing();
    const real = memoryClientNews();
    const { clock, state, process } = world(real);
    const reader = process();
    await serve(clock, reader, warm);
    network.fails = 'at once';
    const flaky: ClientNews = {
      tell: async (subject) => {
        await torn.tell(subject);
        await real.tell(subject);
      },
      since: torn.since,
    };
    await process(flaky).changing('c', async () => {
      state.version = 2;
    });
    await serve(clock, reader, 10_000);
    expect(await version(reader)).toBe(1);
    network.fails = 'not';
    await serve(clock, reader, 250 + staleness);
    expect(await version(reader)).toBe(2);
  });

  test('a change that nobody told is seen within a minute', async () => {
    const { clock, state, process } = world();
    const reader = process();
    await serve(clock, reader, warm);
    state.version = 2;
    await serve(clock, reader, minute);
    expect(await version(reader)).toBe(2);
  });

  test('nothing is tried for longer than anybody could still believe what was', async () => {
    const { network, news } = failing();
    const { clock, process } = world(news);
    network.fails = 'at once';
    await process().changing('c', async () => undefined);
    expect(clock.sleepers()).toBe(1);
    await clock.advance(minute + 1_000);
    expect(clock.sleepers()).toBe(0);
  });
});

test('silence does not last longer when the clock is set back', async () => {
  const real = memoryClientNews();
  const state = { down: false };
  const news: ClientNews = {
    tell: real.tell,
    since: (mark) => (state.down ? new Promise(() => {}) : real.since(mark)),
  };
  const made = world(news);
  const reader = made.process();
  await serve(made.clock, reader, warm);
  state.down = true;
  made.state.version = 2;
  made.clock.set(made.clock.now() - 5_000);
  await serve(made.clock, reader, 2 * staleness);
  expect(await version(reader)).toBe(2);
});
