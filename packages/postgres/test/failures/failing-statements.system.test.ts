import { type Clock, systemClock } from '@partnerkit/core/adapter';
import { expect, inject, test } from 'vitest';
import { fromPg, postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { failingDriver } from '../support/failing-driver.ts';
import { useDatabase } from '../support/fixtures.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, type Kit, openKit, payed, urlOf } from '../support/kit.ts';
import { isDone, progress } from '../support/progress.ts';

const database = useDatabase(inject('postgres'));
const [second, minute, day] = [1_000, 60_000, 86_400_000];

/** Nobody waits for what is retried in a second. Deadlines are longer. */
const hurried: Clock = { ...systemClock, sleep: (time, signal) => systemClock.sleep(time > second ? time : 1, signal) };

/** Once, and whether that was acknowledged. */
const publishOnce = ({ events }: Kit, name: string): Promise<boolean> =>
  events.publish(payed('ours', name), { tx: 'new' }).then(
    () => true,
    () => false,
  );

/** With a key, until it is acknowledged. */
const publishSurely = async ({ events }: Kit, name: string): Promise<void> => {
  for (;;) {
    const published = await events.tryPublish(payed('ours', name), { tx: 'new', idempotencyKey: name });
    if (published.isOk()) return;
    expect(published.error.code).toBe('unavailable');
  }
};

test.each(Array.from({ length: 10 }, (_, seed) => seed))('seed %i: failing statements lose nothing', async (seed) => {
  await database.reset({ storeAhead: 0 });
  const { driver, faults } = failingDriver(fromPg(database.pool()), seed);
  const refused = new Set<string>();
  const received = arrivals(({ url, body }) => {
    const status = url === urlOf('refuses once') && !refused.has(body) ? 503 : 200;
    refused.add(body);
    return { kind: 'answered', status, body: '', durationMs: 1 };
  });
  const kit = openKit(postgresStorage(driver), { sender: received, clock: hurried });
  const worker = kit.worker();
  for (const endpoint of ['first', 'second', 'refuses once']) await addEndpoint(kit, 'ours', endpoint);

  faults.chance = 0.1;
  const committed = new Set<string>();
  for (const round of names(10)) {
    for (const name of names(3, `${round} sure `)) {
      await publishSurely(kit, name);
      committed.add(name);
    }
    for (const name of names(3, `${round} once `)) if (await publishOnce(kit, name)) committed.add(name);
    await worker.drain().catch(() => 0);
    expect(await brokenLaws(database.pool(), received.posts)).toEqual([]);
    await database.elapse(minute + 6 * second);
  }
  expect(faults.count).toBeGreaterThan(10);
  faults.chance = 0;
  for (; !(await isDone(database.pool())); await database.elapse(day)) await worker.drain();

  expect([...received.objects]).toEqual(expect.arrayContaining([...committed]));
  const { events, delivered, ended } = await progress(database.pool());
  expect(events).toBe(received.objects.size);
  expect(delivered).toBe(3 * events);
  expect(ended).toBe(received.posts.length);
  expect(await brokenLaws(database.pool(), received.posts)).toEqual([]);
});
