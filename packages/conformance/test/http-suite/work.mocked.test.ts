import { describe, expect, test, vi } from 'vitest';

const counts = vi.hoisted(() => ({ hashes: 0, comparisons: 0 }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return {
    ...crypto,
    hash: (...args: Parameters<typeof crypto.hash>) => {
      counts.hashes++;
      return crypto.hash(...args);
    },
    timingSafeEqual: (...args: Parameters<typeof crypto.timingSafeEqual>) => {
      counts.comparisons++;
      return crypto.timingSafeEqual(...args);
    },
  };
});

const { maxWork } = await import('../../src/bad-input/max-work.ts');
const { httpCases } = await import('../../src/http-suite/partner/cases.ts');
const { createPlatform } = await import('../../src/http-suite/partner/platform.ts');
const { ask } = await import('./ask.ts');

type Work = Record<keyof typeof maxWork, number>;

/** Counts each call of an adapter under the name that `kindOf` gives it. */
const counted = <T extends object>(adapter: T, work: Work, kindOf: (method: string) => keyof Work): T =>
  Object.fromEntries(
    Object.entries(adapter).map(([method, act]) => [
      method,
      (...args: readonly unknown[]) => {
        work[kindOf(method)]++;
        return act(...args);
      },
    ]),
  ) as T;

const zero = (): Work => ({
  hashes: 0,
  comparisons: 0,
  tokenChecks: 0,
  clientReads: 0,
  revocationReads: 0,
  accountReads: 0,
  limiterCalls: 0,
  refusalNotes: 0,
  usageWrites: 0,
  otherCalls: 0,
});

/** A platform without caches that counts what it asks, and what each request cost it. */
const measured = async () => {
  const work = zero();
  const platform = await createPlatform({
    adapt: (options) => ({
      ...options,
      oauth: { revocationDelay: 0 },
      shared: { limiter: counted(options.shared.limiter, work, () => 'limiterCalls') },
      accounts: counted(options.accounts, work, () => 'accountReads'),
      tokens: counted(options.tokens, work, (method) => (method === 'verify' ? 'tokenChecks' : 'otherCalls')),
      storage: {
        ...options.storage,
        clients: counted(options.storage.clients, work, (method) => {
          if (method === 'findClient') return 'clientReads';
          if (method === 'noteRefusal') return 'refusalNotes';
          if (method === 'addUsage') return 'usageWrites';
          return method === 'isTokenRevoked' ? 'revocationReads' : 'otherCalls';
        }),
        endpoints: counted(options.storage.endpoints, work, () => 'otherCalls'),
        events: counted(options.storage.events, work, () => 'otherCalls'),
        shards: counted(options.storage.shards, work, () => 'otherCalls'),
        deliveries: counted(options.storage.deliveries, work, () => 'otherCalls'),
        parents: counted(options.storage.parents, work, () => 'otherCalls'),
        log: counted(options.storage.log, work, () => 'otherCalls'),
      },
    }),
  });
  return async (each: (typeof httpCases)[number]): Promise<Work> => {
    Object.assign(work, zero());
    counts.hashes = 0;
    counts.comparisons = 0;
    expect((await ask(platform, each)).status, each.name).toBe(each.status);
    return { ...work, ...counts };
  };
};

const refused = httpCases.filter(({ bad, status }) => bad !== undefined && status >= 400);
const named = (name: string) => {
  const found = httpCases.find((each) => each.name === name);
  return found ?? expect.unreachable(`There is no case "${name}".`);
};

describe('how much work a request is', () => {
  test('a login that is granted: the counters count', async () => {
    const workOf = await measured();
    expect(await workOf(named('login by JSON'))).toEqual({
      ...zero(),
      hashes: 2,
      comparisons: 1,
      clientReads: 1,
      accountReads: 1,
      // Two points are taken and refunded; the token is issued, the login noted.
      limiterCalls: 4,
      otherCalls: 2,
    });
  });

  test('no refused request costs more than the page says, and together they cost just that', async () => {
    const workOf = await measured();
    const most = zero();
    for (const each of refused) {
      const work = await workOf(each);
      for (const kind of Object.keys(most) as (keyof Work)[]) {
        expect(work[kind], `${kind} of ${each.name}`).toBeLessThanOrEqual(maxWork[kind]);
        most[kind] = Math.max(most[kind], work[kind]);
      }
    }
    expect(most).toEqual(maxWork);
  });

  test.each(['login', 'body', 'content type', 'size', 'path', 'method'] as const)(
    'what is malformed asks nothing of clients, limits and hashes: %s',
    async (group) => {
      const workOf = await measured();
      const cases = refused.filter(
        ({ bad, name }) => bad === group && !/^(out of reach|a route of the host)/.test(name),
      );
      expect(cases.length).toBeGreaterThan(3);
      for (const each of cases) expect(await workOf(each), each.name).toEqual(zero());
    },
  );
});
