import type { ExportLine } from '@partnerkit/core';
import { createPrng } from '../../packages/conformance/src/simulator/prng.ts';
import { balance } from './books.ts';
import { performActs } from './faults.ts';
import type { Soaked } from './figures.ts';
import { finish } from './finish.ts';
import { type Ledger, startLoad } from './load.ts';
import type { Office } from './office.ts';
import { accountsOf, childrenOf, parentOf } from './platform.ts';
import { type Sample, startSampling } from './samples.ts';
import { searchLog, searchRedis, searchTables, secretFinder } from './secrets.ts';
import { ofEach, openStage, type Stage } from './stage.ts';
import { type StorageKind, storageKinds } from './stores.ts';

type Ledgers = Readonly<Record<StorageKind, Ledger>>;

/** Payments a second of a platform; for a minute, or a quarter of a shorter soak, ten times as many. */
const usualRate = 8;
const rateOver = (durationMs: number, startedAt: number) => (): number => {
  const at = performance.now() - startedAt - durationMs / 4;
  return at > 0 && at < Math.min(60_000, durationMs / 4) ? 10 * usualRate : usualRate;
};

/** Load and faults, for some minutes. */
const run = async (stage: Stage, seed: number, durationMs: number) => {
  const { fleet, offices, partners, servers } = stage;
  const rate = rateOver(durationMs, performance.now());
  const platforms = await ofEach((storage) => {
    const office = offices[storage];
    const pickPort = () => fleet.pickPort(storage);
    return { office, load: startLoad({ office, prng: createPrng(seed + 5), pickPort, rate }) };
  });
  const ledgers: Ledgers = { postgres: platforms.postgres.load.ledger, mariadb: platforms.mariadb.load.ledger };
  const sampling = await startSampling({
    ...{ fleet, offices, redis: servers.redis.url, every: Math.max(6_000, durationMs / 30) },
    counts: () => ({
      payments: storageKinds.reduce((sum, storage) => sum + ledgers[storage].confirmed.length, 0),
      attempts: storageKinds.reduce((sum, storage) => sum + partners.posts(storage), 0),
    }),
  });
  const acts = await performActs({ prng: createPrng(seed), fleet, servers, platforms }, durationMs);
  for (const storage of storageKinds) await platforms[storage].load.stop();
  await sampling.stop();
  return { ledgers, acts, samples: sampling.samples };
};

const exportAll = async ({ kit, place }: Office): Promise<readonly ExportLine[]> => {
  const lines: ExportLine[] = [];
  const accounts = [...accountsOf(place.storage), parentOf(place.storage)];
  for await (const line of kit.export({ accounts })) lines.push(line);
  return lines;
};

/** Places that have a secret. */
const findSecrets = async ({ log, offices, servers }: Stage, planted: Iterable<string>): Promise<readonly string[]> => {
  const finder = secretFinder(planted);
  return [
    ...(await searchLog(finder, log.file)),
    ...(await searchTables(finder, offices.postgres.store)),
    ...(await searchTables(finder, offices.mariadb.store)),
    ...(await searchRedis(finder, servers.redis.url)),
  ].map((place) => `a secret is in ${place}`);
};

const sumOf = (counts: readonly ReadonlyMap<string, number>[]): Readonly<Record<string, number>> => {
  const sum = new Map<string, number>();
  for (const [key, times] of counts.flatMap((each) => [...each])) sum.set(key, (sum.get(key) ?? 0) + times);
  return Object.fromEntries([...sum].toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** Balances everything once nothing moves any more. */
const closeBooks = async (
  stage: Stage,
  ledgers: Ledgers,
  done: { acts: Soaked['acts']; samples: readonly Sample[] },
) => {
  const { offices, partners, fleet, log } = stage;
  const { postgres, mariadb } = await ofEach(async (storage) =>
    balance({
      ...{ ledger: ledgers[storage], payments: await offices[storage].store.payments() },
      ...{ lines: await exportAll(offices[storage]), endpoints: offices[storage].endpoints },
      ...{ arrivals: partners.arrivals, parent: parentOf(storage), children: childrenOf(storage) },
    }),
  );
  await log.end();
  const planted = new Set([...stage.planted(), ...ledgers.postgres.tokens, ...ledgers.mariadb.tokens]);
  const broken = [
    ...postgres.broken.map((law) => `PostgreSQL: ${law}`),
    ...mariadb.broken.map((law) => `MariaDB: ${law}`),
    ...[...new Set(partners.faults), ...ledgers.postgres.faults, ...ledgers.mariadb.faults, ...fleet.unexpected],
    ...(await findSecrets(stage, planted)),
  ];
  return {
    books: { postgres: postgres.books, mariadb: mariadb.books },
    answers: sumOf([ledgers.postgres.statuses, ledgers.mariadb.statuses]),
    ...done,
    handledAgain: [...partners.handled.values()].filter((times) => times > 1).length,
    plantedSecrets: planted.size,
    ...(broken.length === 0 ? {} : { broken: broken.slice(0, 40) }),
  };
};

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly print: (text: string) => void;
}

/** Runs two platforms for some minutes under faults, ends what is unfinished, and balances all books. */
export const soak = async ({ minutes, seed, print }: SoakOptions): Promise<Soaked> => {
  const stage = await openStage(seed);
  try {
    const { ledgers, ...done } = await run(stage, seed, 60_000 * minutes);
    print('No fault happens any more. Days pass for the stores until every delivery has ended.');
    stage.partners.calmDown();
    for (const storage of storageKinds) await stage.offices[storage].repair();
    await Promise.all(storageKinds.map((storage) => finish(stage.offices[storage], stage.partners)));
    await stage.fleet.stop();
    print('The books are balanced.');
    return await closeBooks(stage, ledgers, done);
  } finally {
    await stage.close();
  }
};
