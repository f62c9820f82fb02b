import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateRingKey } from '@partnerkit/node/jose';
import { createPrng } from '../../packages/conformance/src/simulator/prng.ts';
import { startFleet } from './fleet.ts';
import { openOffice } from './office.ts';
import { startPartners } from './partners.ts';
import { type Place, unnamedField } from './platform.ts';
import { startServers } from './servers.ts';
import type { StorageKind } from './stores.ts';

/** Makes something for each storage, one after the other. */
export const ofEach = async <T>(
  make: (storage: StorageKind) => T | Promise<T>,
): Promise<Readonly<Record<StorageKind, T>>> => ({
  postgres: await make('postgres'),
  mariadb: await make('mariadb'),
});

const openLog = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'partnerkit-soak-'));
  const file = join(folder, 'log');
  const stream = createWriteStream(file);
  return {
    file,
    write: (text: string): void => void stream.write(text),
    end: () => new Promise<void>((resolve) => stream.end(resolve)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

/** Starts everything that takes part: servers, partners, processes, and the web interface of each platform. */
export const openStage = async (seed: number) => {
  const log = await openLog();
  const logEntry = (entry: unknown): void =>
    log.write(`${entry instanceof Error ? entry.stack : JSON.stringify(entry)}\n`);
  const servers = await startServers();
  const partners = await startPartners(createPrng(seed + 1), servers.redis.url);
  const signingKey = await generateRingKey();
  const sealingKey = Buffer.from(createPrng(seed + 2).bytes(32)).toString('hex');
  const shared = { redis: servers.redis.url, certificate: partners.certificate, signingKey, sealingKey };
  const places = await ofEach((storage): Place => ({ storage, database: servers[storage].url, ...shared }));
  const fleet = startFleet(places, log.write, createPrng(seed + 3));
  const offices = await ofEach((storage) => openOffice(places[storage], partners, createPrng(seed + 4), logEntry));
  await fleet.ready();
  const { d: privateKey } = signingKey as { readonly d?: string };
  return {
    ...{ log, servers, partners, fleet, offices },
    /** What must be in no log, table or dump; access tokens come on top. */
    planted: () => [
      ...[unnamedField, ...(privateKey === undefined ? [] : [privateKey])],
      ...[...offices.postgres.planted, ...offices.mariadb.planted],
    ],
    close: async () => {
      await fleet.killAll();
      await Promise.all([offices.postgres.close(), offices.mariadb.close()]);
      await partners.close();
      await servers.stop();
      await log.remove();
    },
  };
};
export type Stage = Awaited<ReturnType<typeof openStage>>;
