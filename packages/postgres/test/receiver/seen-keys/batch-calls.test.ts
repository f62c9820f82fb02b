import type { SeenClaim } from '@partnerkit/core/adapter';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { fromPg, type PgClient, postgresSeenKeys, type SqlDriver } from '../../../src/index.ts';
import { names } from '../../support/arrivals.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { begin } from '../../support/host-transactions.ts';

const database = useDatabase(inject('postgres'));
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

beforeEach(() => database.reset({ storeAhead: 0 }));

/** Seen keys, and the statements that they ran. */
const counting = (fails: () => boolean = () => false) => {
  const { query, ...driver } = fromPg(database.pool());
  const statements: string[] = [];
  const counted: SqlDriver<PgClient> = {
    ...driver,
    query: async (text, values) => {
      statements.push(text);
      if (fails()) throw new Error('The server is gone.');
      return query(text, values);
    },
  };
  return { seen: postgresSeenKeys(counted), statements };
};

const kinds = (claims: readonly SeenClaim[]): ReadonlySet<string> => new Set(claims.map(({ kind }) => kind));
const leaseOf = (claim: SeenClaim): string => (claim.kind === 'claimed' ? claim.lease : '');

test('simultaneous claims share one statement, and so do confirmations', async () => {
  const { seen, statements } = counting();
  await seen.claim('first', minute);
  statements.length = 0;
  const keys = names(64);
  const claims = await Promise.all(keys.map((key) => seen.claim(key, minute)));
  expect(kinds(claims)).toEqual(new Set(['claimed']));
  expect(new Set(claims.map(leaseOf)).size).toBe(64);
  expect(statements).toHaveLength(1);
  const confirmed = await Promise.all(claims.map((claim, place) => seen.confirm(`p${place}`, leaseOf(claim), minute)));
  expect(new Set(confirmed)).toEqual(new Set([true]));
  expect(statements).toHaveLength(2);
});

test('a batch that contains known keys takes one more statement', async () => {
  const { seen, statements } = counting();
  const lease = leaseOf(await seen.claim('done', minute));
  await seen.confirm('done', lease, minute);
  await seen.claim('claimed', minute);
  statements.length = 0;
  const claims = await Promise.all(['done', 'claimed', 'new'].map((key) => seen.claim(key, minute)));
  expect(claims.map(({ kind }) => kind)).toEqual(['done', 'in_progress', 'claimed']);
  expect(statements).toHaveLength(2);
});

test('calls made while a statement runs go into the next one', async () => {
  const { seen, statements } = counting();
  await seen.claim('first', minute);
  statements.length = 0;
  const first = seen.claim('a', minute);
  while (statements.length === 0) await new Promise(setImmediate);
  const others = names(10).map((key) => seen.claim(key, minute));
  expect(kinds(await Promise.all([first, ...others]))).toEqual(new Set(['claimed']));
  expect(statements).toHaveLength(2);
});

test('calls above the batch size are not left out', async () => {
  const { seen } = counting();
  const claims = await Promise.all(names(1_203).map((key) => seen.claim(key, minute)));
  expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1_203);
});

test('each claim has its own lease time; of one key, that of the first call', async () => {
  const { seen } = counting();
  const [short, , long] = await Promise.all([
    seen.claim('a', minute),
    seen.claim('a', day),
    seen.claim('b', day),
    seen.claim('c', hour),
  ]);
  expect(short.kind).toBe('claimed');
  await database.elapse(minute);
  expect(kinds([await seen.claim('a', minute)])).toEqual(new Set(['claimed']));
  expect(kinds([await seen.claim('b', minute), await seen.claim('c', minute)])).toEqual(new Set(['in_progress']));
  await database.elapse(hour);
  const [c] = await Promise.all([seen.claim('c', minute), seen.confirm('b', leaseOf(long), minute)]);
  expect(c.kind).toBe('claimed');
  expect((await seen.claim('b', minute)).kind).toBe('done');
  await database.elapse(minute);
  expect((await seen.claim('b', minute)).kind).toBe('claimed');
});

test('simultaneous confirmations of a lease succeed once, and a foreign lease never', async () => {
  const { seen } = counting();
  const [a, b] = await Promise.all([seen.claim('a', minute), seen.claim('b', minute)]);
  const confirmed = await Promise.all([
    seen.confirm('a', leaseOf(a), hour),
    seen.confirm('a', leaseOf(a), hour),
    seen.confirm('b', leaseOf(a), hour),
    seen.confirm('c', leaseOf(b), hour),
  ]);
  expect(confirmed.toSorted()).toEqual([false, false, false, true]);
  expect((await seen.claim('a', minute)).kind).toBe('done');
  expect((await seen.claim('b', minute)).kind).toBe('in_progress');
});

test('when a statement fails, all calls of its batch fail, and later calls do not', async () => {
  let down = false;
  const { seen } = counting(() => down);
  await seen.claim('first', minute);
  down = true;
  const failed = await Promise.allSettled(names(5).map((key) => seen.claim(key, minute)));
  expect(failed.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  down = false;
  expect(kinds(await Promise.all(names(5).map((key) => seen.claim(key, minute))))).toEqual(new Set(['claimed']));
});

describe('while a handler that has marked its key is in its transaction', () => {
  const open = async () => {
    const { seen } = counting();
    const lease = leaseOf(await seen.claim('marked', minute));
    const transaction = await begin(database.pool());
    expect(await seen.markIn(transaction.tx, 'marked')).toBe(true);
    return { seen, lease, ...transaction };
  };
  const claimAll = (seen: ReturnType<typeof counting>['seen']) =>
    Promise.all(['marked', 'a', 'b'].map(async (key) => (await seen.claim(key, minute)).kind));

  test('no call waits for it: a duplicate is in progress, and other keys are claimed', async () => {
    const { seen, commit } = await open();
    expect(await claimAll(seen)).toEqual(['in_progress', 'claimed', 'claimed']);
    await commit();
    expect((await seen.claim('marked', minute)).kind).toBe('done');
  });

  test('the same holds after its lease expired; if it rolls back, the next delivery is processed', async () => {
    const { seen, rollback } = await open();
    await database.elapse(minute);
    expect(await claimAll(seen)).toEqual(['in_progress', 'claimed', 'claimed']);
    await rollback();
    expect((await seen.claim('marked', minute)).kind).toBe('claimed');
  });

  test('a release of its key does not wait either', async () => {
    const { seen, lease, commit } = await open();
    await seen.release('marked', lease);
    await commit();
    expect((await seen.claim('marked', minute)).kind).toBe('done');
  });

  test('a confirmation of its key does not wait either', async () => {
    const { seen, lease, commit } = await open();
    const other = leaseOf(await seen.claim('a', minute));
    expect(await Promise.all([seen.confirm('marked', lease, hour), seen.confirm('a', other, hour)])).toEqual([
      false,
      true,
    ]);
    await commit();
    expect((await seen.claim('marked', minute)).kind).toBe('done');
  });
});

test('expired leases and expired done keys are deleted by later calls', async () => {
  const { seen } = counting();
  const claims = await Promise.all(names(300).map((key) => seen.claim(key, hour)));
  await Promise.all(claims.slice(0, 150).map((claim, place) => seen.confirm(`p${place}`, leaseOf(claim), hour)));
  await seen.claim('lasting', 10 * day);
  await database.elapse(hour);
  const count = async (): Promise<number> => {
    const { rows } = await database.pool().query('select count(*)::int as count from partnerkit.seen_keys');
    return rows[0].count;
  };
  expect(await count()).toBe(301);
  // Some of those that come do it, for all.
  for (let came = 0; (await count()) > came + 1; came++) {
    expect(came).toBeLessThan(1_000);
    await seen.claim(`after ${came}`, day);
  }
  expect((await seen.claim('lasting', minute)).kind).toBe('in_progress');
});
