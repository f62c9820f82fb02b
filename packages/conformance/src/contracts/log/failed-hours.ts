import { deepStrictEqual, ok } from 'node:assert';
import { day, hour, minute } from '@partnerkit/core';
import { type FailedHour, type LoggedAttempt, type ShardedKey, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { answered, logged, markSettled, pending, worker } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { ours } from '../support/records.ts';
import { beside, type World } from '../support/world.ts';

/** The next hour begins: what follows is in one hour. */
const nextHour = async ({ elapse, storeNow }: World): Promise<void> => elapse(hour - ((await storeNow()) % hour));

const read = async ({ storage: { log } }: World, age = 0, limit = 100): Promise<readonly FailedHour[]> => {
  const found: FailedHour[] = [];
  for (let page = await log.readFailedHours(age, { limit }); page.length > 0; ) {
    found.push(...page);
    const last = page.at(-1);
    page = last ? await log.readFailedHours(age, { limit, after: last }) : [];
  }
  return found;
};
/** Numbers by state, in the order of hours. */
const counts = async (world: World, age?: number) =>
  (await read(world, age)).map(({ state, deliveries }) => [state, deliveries]);

const exhausted = (key: ShardedKey, number = 1): LoggedAttempt => logged(key, number, answered(500), 'exhausted');
const outOfReach = (key: ShardedKey): LoggedAttempt =>
  logged(key, 1, { kind: 'failed', reason: 'out_of_reach', durationMs: 0 }, 'expired');

/** Failed deliveries of an hour. */
export const failedHourCases: Cases<StorageFixture> = {
  'failed deliveries are counted by endpoint, state and hour, once the hour has ended': beside(async (world) => {
    await nextHour(world);
    const [one, two, three, four] = await world.deliver(4);
    await world.settle({ attempts: [exhausted(one), logged(two, 1, answered(200), 'delivered'), outOfReach(three)] });
    await world.settle({ attempts: [logged(four, 1, answered(500))], pending: [pending(four)] });
    await world.settle({ attempts: [exhausted(four, 2)], finished: [four] });
    deepStrictEqual(await read(world), []);
    await world.elapse(hour);
    deepStrictEqual(
      [await counts(world), await counts(world, hour)],
      [
        [
          ['exhausted', 2],
          ['expired', 1],
        ],
        [],
      ],
    );
    const [{ accountId, endpointId, hour: from } = {} as never] = await read(world);
    const ago = (await world.storeNow()) - from;
    deepStrictEqual([accountId, endpointId], [ours, world.endpoint.id]);
    ok(ago >= hour && ago < hour + 5 * minute, `the hour began ${ago} ms ago`);
    const [five] = await world.deliver(1);
    await world.settle({ attempts: [exhausted(five)] });
    await world.elapse(hour);
    deepStrictEqual(await counts(world), [
      ['exhausted', 2],
      ['expired', 1],
      ['exhausted', 1],
    ]);
  }),
  'an attempt that is settled twice fails its delivery once': beside(async (world) => {
    await nextHour(world);
    const [one, two] = await world.deliver(2);
    for (const attempts of [[exhausted(one)], [exhausted(one)], [exhausted(one), exhausted(two)]])
      await world.settle({ attempts });
    await race(() => world.settle({ attempts: [exhausted(two)] }));
    await world.elapse(hour);
    deepStrictEqual(await counts(world), [['exhausted', 2]]);
  }),
  'a settlement that is fenced counts nothing': beside(async (world) => {
    await nextHour(world);
    const [key] = await world.deliver(1);
    const nothing = { number: 1, after: 0, pending: [], queued: [], finished: [], health: [], transitions: [] };
    const settlement = { ...nothing, attempts: [exhausted(key)] };
    deepStrictEqual(await world.storage.deliveries.settle(`not-${worker}`, settlement, 0), 'fenced');
    await world.elapse(hour);
    deepStrictEqual(await read(world), []);
  }),
  'deliveries that were held too long are counted; those of a deleted endpoint are not': beside(async (world) => {
    const limits = { held: 14 * day, deleted: hour, events: 10_000 * day, limit: 1_000 };
    const prune = async (): Promise<void> => {
      await markSettled(world);
      await world.storage.log.prune([shardOf(ours)], limits);
    };
    await world.enqueue(3);
    await world.change({ state: 'disabled' });
    await world.elapse(15 * day);
    await nextHour(world);
    await prune();
    await prune();
    await world.enqueue(2);
    await world.storage.endpoints.deleteEndpoint(ours, world.endpoint.id);
    await world.elapse(day);
    await prune();
    deepStrictEqual(await counts(world, hour), [['expired', 3]]);
  }),
  'failed deliveries of an hour are read page by page, and deleted by their hour': beside(async (world) => {
    for (let nth = 0; nth < 3; nth++) {
      await nextHour(world);
      const [one, two] = await world.deliver(2);
      await world.settle({ attempts: [exhausted(one), outOfReach(two)] });
    }
    await world.elapse(hour);
    const all = await read(world);
    deepStrictEqual(all.length, 6);
    for (const limit of [1, 2, 4]) deepStrictEqual(await read(world, 0, limit), all);
    const [first, , third] = all;
    ok(first && third);
    await world.storage.log.deleteFailedHours([first, third]);
    await world.storage.log.deleteFailedHours([first]);
    const left = all.filter((each) => each !== first && each !== third);
    deepStrictEqual(await read(world), left);
    await world.storage.log.deleteFailedHours(left);
    deepStrictEqual(await read(world), []);
  }),
};
