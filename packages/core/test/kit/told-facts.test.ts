import { describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/base/runtime/time.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { start, testClock } from '../support/clock.ts';
import { answered } from '../support/deliveries.ts';
import { platform } from '../support/kit.ts';

const hook = { url: 'https://partner.example/hooks', events: ['payed'] } as const;

/** An endpoint whose receiver answers as told; its first attempt fails at `start`. */
const world = async (delivery = {}) => {
  let status = 500;
  const clock = testClock();
  const sender = memorySender(() => answered(status));
  const options = { clock, sender, storage: memoryStorage({ clock }), webhooks: { delivery } };
  const { kit } = platform(options);
  const { id } = (await kit.endpoints.create('acc_a', hook))._unsafeUnwrap().endpoint;
  const publish = () =>
    kit.events.publish(
      { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p1' } },
      { tx: 'new' },
    );
  const told: unknown[] = [];
  const handlers = {
    alerts: {
      events: ['Operations.endpoint.disable_soon'] as const,
      handle: async (event: unknown) => told.push(event),
    },
  };
  const worker = kit.worker({ handlers });
  const entries = async () =>
    (await kit.audit.list('acc_a'))
      ._unsafeUnwrap()
      .items.map(({ type, data, id: entryId, subjectId, by }) => ({ type, data, entryId, subjectId, by }))
      .filter(({ type }) => type === 'endpoint.disable_soon');
  /** Delivers every six hours until a time after the start. */
  const until = async (time: number): Promise<void> => {
    for (let left = start + time - clock.now(); left > 0; left = start + time - clock.now()) {
      await worker.drain();
      await clock.advance(Math.min(left, 6 * hour));
    }
    await worker.drain();
  };
  const { eventId } = await publish();
  await worker.drain();
  return {
    eventId,
    kit,
    options,
    clock,
    id,
    told,
    until,
    publish,
    worker,
    entries,
    answer: (next: number) => (status = next),
  };
};

describe('an endpoint that is about to be disabled', () => {
  test('is told once, 24 hours before, to the trail and to handlers', async () => {
    const { id, until, entries, told, eventId } = await world();
    await until(4 * day - minute);
    expect(await entries()).toEqual([]);
    await until(4 * day + 10 * minute);
    await until(4 * day + 23 * hour);
    const lastFailure = { objectName: 'RequestPayment', type: 'payed', eventId, outcome: 500 };
    const data = { failures: expect.any(Number), failingSince: start, disabledAt: start + 5 * day, lastFailure };
    expect(await entries()).toMatchObject([{ subjectId: id, by: { type: 'rule', command: 'breaker' }, data }]);
    expect(told).toMatchObject([{ objectName: 'Operations', type: 'endpoint.disable_soon', data: { id, ...data } }]);
  });

  test('is told once by workers that follow each other, and by a process that starts again', async () => {
    const { until, entries, options } = await world();
    await until(4 * day + hour);
    await platform(options).kit.worker().drain();
    await platform(options).kit.worker().drain();
    expect(await entries()).toHaveLength(1);
  });

  test('is told again when it worked in between', async () => {
    const { until, entries, publish, answer } = await world();
    await until(4 * day + hour);
    answer(200);
    await publish();
    await until(4 * day + 3 * hour);
    answer(500);
    await publish();
    await until(8 * day + 2 * hour);
    expect(await entries()).toHaveLength(1);
    await until(8 * day + 5 * hour);
    const [first, second] = await entries();
    expect(first?.entryId).not.toBe(second?.entryId);
    expect(second?.data).toMatchObject({ disabledAt: start + 9 * day + 3 * hour });
  });

  test.each(['disable', 'delete'] as const)('is not told after %s', async (change) => {
    const { kit, id, until, entries } = await world();
    await until(3 * day);
    (await kit.endpoints[change]('acc_a', id))._unsafeUnwrap();
    await until(5 * day);
    expect(await entries()).toEqual([]);
  });

  test('is told by the policy of the platform; a single failure tells nothing', async () => {
    const soon = await world({ disableAfter: { failing: 2 * day } });
    await soon.until(day - minute);
    expect(await soon.entries()).toEqual([]);
    await soon.until(day + 10 * minute);
    expect(await soon.entries()).toHaveLength(1);
    const quiet = await world({ retrySchedule: [] });
    await quiet.until(5 * day);
    expect(await quiet.entries()).toEqual([]);
  });
});
