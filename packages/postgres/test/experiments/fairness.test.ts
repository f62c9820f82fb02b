import { setTimeout as after } from 'node:timers/promises';
import type { SendOutcome } from '@partnerkit/core';
import { expect, inject, test, vi } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, openKit, payed, urlOf } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const pollEvery = 250;
const deadline = 2_000;
const dead = names(64, 'dead-');
const deadUrls = new Set(dead.map(urlOf));

const timedOut = async (): Promise<SendOutcome> => {
  await after(deadline);
  return { kind: 'failed', reason: 'timeout', took: deadline };
};

const open = async () => {
  await database.reset({ storeAhead: 0 });
  const received = arrivals(({ url }) =>
    deadUrls.has(url) ? timedOut() : { kind: 'answered', status: 200, body: '', took: 1 },
  );
  const kit = openKit(postgresStorage(database.pool()), { sender: received, mostEndpoints: dead.length });
  for (const name of dead) await addEndpoint(kit, 'dead', name);
  await addEndpoint(kit, 'ours', 'ours');

  /** From publishing an event of ours until it arrives, for the slowest but one of a hundred. */
  const p99 = async (prefix: string): Promise<number> => {
    const times: number[] = [];
    for (const name of names(100, `${prefix}-`)) {
      const since = performance.now();
      await kit.events.publish(payed('ours', name), { tx: 'new' });
      await received.all([name]);
      times.push(performance.now() - since);
    }
    return times.sort((a, b) => a - b).at(-2) ?? Number.NaN;
  };
  /** Of three such hundreds, so that one that the machine disturbs does not count. */
  const medianP99 = async (prefix: string): Promise<number> => {
    const hundreds: number[] = [];
    for (const name of names(3, `${prefix}-`)) hundreds.push(await p99(name));
    return hundreds.sort((a, b) => a - b)[1] ?? Number.NaN;
  };
  return { received, kit, medianP99 };
};

const inLine = async (): Promise<number> => {
  const { rows } = await database
    .pool()
    .query(`select count(*)::int as count from partnerkit.queue where account_id = 'dead'`);
  return rows[0].count;
};

test('64 dead endpoints of one account, with 10,000 deliveries due, do not hold back the events of another', async () => {
  const { received, kit, medianP99 } = await open();
  const worker = kit.worker({ pollEvery });
  worker.start();
  const idle = await medianP99('idle');
  await kit.events.publishMany(
    names(170, 'dead-').map((name) => payed('dead', name)),
    { tx: 'new' },
  );
  await vi.waitUntil(async () => (await inLine()) >= 10_000, { timeout: 240_000 });
  const busy = await medianP99('busy');
  // Three hundred of ours arrived, and of the 10,000 before them no more than a few hundred were attempted.
  expect(await inLine()).toBeGreaterThan(9_000);
  await worker.stop();
  expect(await brokenLaws(database.pool(), received.posts)).toEqual([]);
  console.log('p99 in milliseconds, alone and behind 10,000 deliveries of dead endpoints:', { idle, busy });
});
