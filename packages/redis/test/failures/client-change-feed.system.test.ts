import type { ClientChangeFeed } from '@partnerkit/core/adapter';
import { describe, expect, test, vi } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { redisClientChangeFeed } from '../../src/index.ts';
import { nodeRedis, singleClients } from '../support/clients.ts';
import { platform, sharedState } from '../support/kit.ts';
import { replicated } from '../support/replica.ts';
import { by, open, ownProxy, ownRedis } from '../support/servers.ts';

const staleness = 1_000;

/** News of which a test knows when all that was asked has been answered. */
const watched = (changeFeed: ClientChangeFeed) => {
  const asked = new Set<Promise<unknown>>();
  const watch = <T>(answer: Promise<T>): Promise<T> => {
    asked.add(answer);
    answer.then(
      () => asked.delete(answer),
      () => asked.delete(answer),
    );
    return answer;
  };
  return {
    changeFeed: {
      announce: (subject) => watch(changeFeed.announce(subject)),
      changesSince: (mark) => watch(changeFeed.changesSince(mark)),
    } satisfies ClientChangeFeed,
    answered: async (): Promise<void> => {
      await Promise.allSettled(asked);
    },
  };
};

/** Two processes of one platform: one is managed, the other one serves callers; each has a way of its own to Redis. */
const world = async (
  connect: (typeof singleClients)[number][1],
  urls: { readonly managing: string; readonly serving: string },
) => {
  const { clock, ...shared } = sharedState();
  const managing = watched(redisClientChangeFeed((await open(connect(urls.managing))).client));
  const serving = watched(redisClientChangeFeed((await open(connect(urls.serving))).client));
  const manager = platform({ ...shared, clock, shared: { changeFeed: managing.changeFeed } });
  const server = platform({ ...shared, clock, shared: { changeFeed: serving.changeFeed } });
  const added = await manager.addClient();
  const { body } = await manager.login(added.client.id, added.secret);
  const token = JSON.parse(String(body)).access_token as string;

  /** A caller comes every 100 ms; resolves to what the last one got. */
  const serve = async (time: number): Promise<number> => {
    let status = 0;
    for (let left = time; left >= 0; left -= 100) {
      status = await server.call(token);
      await serving.answered();
      if (left > 0) await clock.pass(100);
    }
    return status;
  };
  return {
    clock,
    serve,
    counts: server.counts,
    /** Until a minute without a change has passed: then answers last. */
    warmUp: async (): Promise<void> => {
      expect(await serve(61_000)).toBe(200);
      server.counts.reads = 0;
      expect(await serve(20_000)).toBe(200);
      expect(server.counts.reads).toBe(0);
    },
    disable: async (): Promise<void> => {
      let made = false;
      const disabling = manager.kit.clients.disable('acc', added.client.id).andTee(() => {
        made = true;
      });
      // Nobody waits long for Redis: at most a second of the platform's time.
      for (let left = 1_000; !made && left >= 0; left -= 100) await serve(100);
      (await disabling)._unsafeUnwrap();
      expect(await manager.call(token)).toBe(401);
    },
  };
};

test('a cursor from before a loss is invalid, even when new ones follow at once', async () => {
  const { client } = await open(nodeRedis((await ownRedis()).url));
  const changeFeed = redisClientChangeFeed(client);
  // The more follows a loss within the same millisecond, the likelier an id comes again.
  for (let round = 0; round < 100; round++) {
    const { cursor } = await changeFeed.changesSince(undefined);
    await Promise.all([client.del('partnerkit:changeFeed'), changeFeed.announce('a'), changeFeed.announce('b')]);
    expect((await changeFeed.changesSince(cursor)).subjects).toBeUndefined();
  }
});

describe.each(sized(singleClients.slice(0, 1), singleClients))('%s', (_name, connect) => {
  const viaProxies = async () => {
    const redis = await ownRedis();
    const ways = { managing: await ownProxy(redis), serving: await ownProxy(redis) };
    const made = await world(connect, { managing: by(ways.managing, redis.url), serving: by(ways.serving, redis.url) });
    return { redis, ways, ...made };
  };
  type World = Awaited<ReturnType<typeof viaProxies>>;

  test('callers cost no read of the store, and a disabled client is refused within the staleness', async () => {
    const { warmUp, disable, serve } = await viaProxies();
    await warmUp();
    await disable();
    expect(await serve(staleness)).toBe(401);
  });

  const failures: readonly (readonly [string, (world: World) => Promise<void> | void])[] = [
    [
      'the process that serves cannot reach Redis',
      ({ ways }) => {
        ways.serving.refuse();
        ways.serving.cut();
      },
    ],
    ['the process that serves gets no answer', ({ ways }) => ways.serving.pause()],
    ['its connection was cut and is made again', ({ ways }) => ways.serving.cut()],
    ['Redis is down', ({ redis }) => redis.kill()],
    [
      'Redis does not answer anybody',
      ({ ways }) => {
        ways.serving.pause();
        ways.managing.pause();
      },
    ],
    ['Redis restarted and forgot everything', ({ redis }) => redis.restart()],
    ['Redis was flushed', ({ redis }) => redis.flush()],
  ];
  test.each(failures)('a disabled client is refused within the staleness when %s', async (_how, fail) => {
    const made = await viaProxies();
    await made.warmUp();
    await fail(made);
    await made.disable();
    expect(await made.serve(staleness)).toBe(401);
  });

  test('a disabled client is refused within the staleness when Redis lost its announcement', async () => {
    const { redis, warmUp, disable, serve } = await viaProxies();
    await warmUp();
    await disable();
    await redis.flush();
    expect(await serve(staleness)).toBe(401);
  });

  test('a disabled client is refused within the staleness of when its process finds Redis again', async () => {
    const { ways, warmUp, disable, serve, clock } = await viaProxies();
    await warmUp();
    ways.managing.pause();
    await disable();
    expect(await serve(staleness)).toBe(200);
    ways.managing.resume();
    await vi.waitFor(
      async () => {
        await clock.pass(250);
        expect(await serve(0)).toBe(401);
      },
      { timeout: 240_000 },
    );
  });

  test('a disabled client is refused within a minute when its process never finds Redis again', async () => {
    const { ways, warmUp, disable, serve } = await viaProxies();
    await warmUp();
    ways.managing.refuse();
    ways.managing.cut();
    await disable();
    expect(await serve(60_000)).toBe(401);
  });

  test('callers cost no read again a minute after Redis is back', async () => {
    const { ways, warmUp, serve, counts } = await viaProxies();
    await warmUp();
    ways.serving.refuse();
    ways.serving.cut();
    counts.reads = 0;
    expect(await serve(10_000)).toBe(200);
    expect(counts.reads).toBeGreaterThanOrEqual(2 * 10);
    await ways.serving.accept();
    await vi.waitFor(
      async () => {
        await serve(61_000);
        counts.reads = 0;
        expect(await serve(10_000)).toBe(200);
        expect(counts.reads).toBe(0);
      },
      { timeout: 240_000 },
    );
  });

  test('a disabled client is refused within the staleness when a lagging replica is promoted', async () => {
    const { url, caughtUp, fallBehind, leadToReplica, promote } = await replicated();
    const { warmUp, disable, serve } = await world(connect, { managing: url, serving: url });
    await warmUp();
    await caughtUp();
    fallBehind();
    await disable();
    leadToReplica();
    await promote();
    expect(await serve(staleness)).toBe(401);
  });
});
