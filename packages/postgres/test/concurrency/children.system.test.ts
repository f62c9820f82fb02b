import { setTimeout as after } from 'node:timers/promises';
import { type Account, type AccountDirectory, hour } from '@partnerkit/core';
import { parseEnvelope } from '@partnerkit/core/wire';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';
import { isDone } from '../support/progress.ts';

const database = useDatabase(inject('postgres'));
const [children, objects, rounds] = [50, 10, sized(2, 10)];
const count = children * objects * rounds;

const account = (id: string, parentId?: string): Account => ({
  id,
  name: id,
  status: 'active',
  environment: 'prod',
  ...(parentId === undefined ? {} : { parentId }),
});

/** One parent with 50 children; often it fails, or is slow, and now and then it never answers. */
const flakyDirectory = (draw: () => number): AccountDirectory => ({
  find: async (id) => {
    const luck = draw();
    if (luck < 0.1) throw new Error('The directory is down.');
    if (luck < 0.15) await after(150);
    if (luck < 0.152) return new Promise(() => undefined);
    return account(id, id === 'parent' ? undefined : 'parent');
  },
});

/** Always the same draws. */
const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return seed / 0x7fffffff;
};

const readEvents = async () => {
  const { rows } = await database.pool().query(`
    select e.account_id, object_id, timestamp::int, origin, '{"timestamp":' || timestamp || body_tail as body
    from partnerkit.events e join partnerkit.dispatches d on d.account_id = e.account_id and d.event_id = e.id order by e.account_id, object_id, id`);
  return Map.groupBy(rows, ({ account_id }) => (account_id === 'parent' ? 'copies' : 'events'));
};

test(`${count} events of 50 children arrive at their parent once each, in the order of each object, whatever its directory does`, async () => {
  await database.reset({ storeAhead: 0 });
  const received = arrivals();
  const directory = flakyDirectory(seeded(20_241_121));
  let isFlaky = false;
  const accounts = { find: async (id: string) => (isFlaky ? directory.find(id) : account(id)) };
  const kits = [1, 2].map(() => openKit(postgresStorage(database.pool()), { sender: received, accounts }));
  const [kit] = kits as [(typeof kits)[number]];
  await addEndpoint(kit, 'parent', 'all', { includeChildren: true });
  await addEndpoint(kit, 'parent', 'own');
  isFlaky = true;
  const workers = kits.map((each) => each.worker({ perEndpoint: 64, perAccount: 64 }));
  onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.stop()))));
  for (const worker of workers) worker.start();
  for (const _ of names(rounds)) {
    const round = names(children, 'child-').flatMap((child) =>
      names(objects, `${child}/`).map((object) => payed(child, object)),
    );
    await kit.events.publishMany(round, { tx: 'new' });
  }
  const isPropagated = async (): Promise<boolean> => {
    const { rows } = await database.pool().query(`select not exists(select from partnerkit.parent_propagation)
      and not exists(select from partnerkit.outbox) as propagated`);
    return rows[0].propagated;
  };
  await vi.waitUntil(isPropagated, { timeout: 240_000, interval: 50 });
  await Promise.all(workers.map((worker) => worker.stop()));

  // What could not be attempted while the directory was down is attempted again.
  const healthy = openKit(postgresStorage(database.pool()), { sender: received, accounts: flakyDirectory(() => 1) });
  for (const worker = healthy.worker(); !(await isDone(database.pool())); await database.elapse(24 * hour))
    await worker.drain();

  expect(await brokenLaws(database.pool(), received.posts)).toEqual([]);
  const { events = [], copies = [] } = Object.fromEntries(await readEvents());
  expect([events.length, copies.length]).toEqual([count, count]);
  expect(copies.every(({ origin, object_id }) => String(object_id).startsWith(`${origin}/`))).toBe(true);
  // Bytes are those of the events, so the order of each object is, too.
  expect(copies.map(({ body }) => body).toSorted()).toEqual(events.map(({ body }) => body).toSorted());
  for (const ofObject of Map.groupBy(copies, ({ object_id }) => object_id).values()) {
    const timestamps = ofObject.map(({ timestamp }) => timestamp);
    expect(timestamps).toEqual(timestamps.toSorted((a, b) => a - b));
  }
  expect(received.posts.map(({ url }) => url).every((url) => url.endsWith('/all'))).toBe(true);
  const arrived = received.posts.map(({ body }) => body);
  expect(arrived.toSorted()).toEqual(copies.map(({ body }) => body).toSorted());
  expect(new Set(arrived.map((body) => parseEnvelope(body)?.data.id)).size).toBe(children * objects);
});
