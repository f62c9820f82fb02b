import { expect, test } from 'vitest';
import { second } from '../../../../src/base/runtime/time.ts';
import { createFlights } from '../../../../src/webhooks/worker/memory/flights.ts';
import type { EndpointLane } from '../../../../src/webhooks/worker/memory/lane.ts';
import { accountLane, loadedDelivery } from '../../../support/lanes.ts';

/** Attempts with a deadline of 15 seconds. */
const world = () => {
  const clock = { now: 0 };
  const flights = createFlights(() => clock.now, 15 * second);
  const lane = accountLane('acc_a', [{ id: 'one' }]).lanes[0] as EndpointLane;
  const start = (eventId: string) => flights.start(loadedDelivery(lane, eventId), 1_234);
  return { clock, flights, start };
};

test('an attempt is overdue one second after it was found to take 4 seconds longer than its deadline', () => {
  const { clock, flights, start } = world();
  const flight = start('a');
  for (const now of [18_999, 19_000, 19_999]) {
    clock.now = now;
    expect(flights.overdue()).toEqual([]);
  }
  clock.now = 20_000;
  expect(flights.overdue()).toEqual([flight]);
});

test('after a pause of the process, an attempt has one more second, however long it has taken', () => {
  const { clock, flights, start } = world();
  const flight = start('a');
  clock.now = 3_600_000;
  expect(flights.overdue()).toEqual([]);
  clock.now += 999;
  expect(flights.overdue()).toEqual([]);
  clock.now += 1;
  expect(flights.overdue()).toEqual([flight]);
});

test('only attempts that took too long are overdue', () => {
  const { clock, flights, start } = world();
  const flight = start('a');
  clock.now = 1;
  start('b');
  clock.now = 19_000;
  flights.overdue();
  clock.now = 20_000;
  expect(flights.overdue()).toEqual([flight]);
});

test('an attempt ends once, and is not overdue then', () => {
  const { clock, flights, start } = world();
  const flight = start('a');
  clock.now = 60_000;
  flights.overdue();
  clock.now = 61_000;
  expect([flights.end(flight), flights.end(flight)]).toEqual([true, false]);
  expect(flights.overdue()).toEqual([]);
});

test('all attempts that started are counted', () => {
  const { flights, start } = world();
  expect(flights.started()).toBe(0);
  flights.end(start('a'));
  expect(start('b')).toMatchObject({ startedAt: 1_234, since: 0, delivery: { eventId: 'b' } });
  expect(flights.started()).toBe(2);
});
