import { describe, expect, test } from 'vitest';
import { PortTimeout } from '../../../../src/base/runtime/port-limit.ts';
import type { HealthChange } from '../../../../src/base/signals/health-change.ts';
import type { Settlement, SettleOutcome } from '../../../../src/webhooks/deliveries/delivery-store.ts';
import type { EndpointLane } from '../../../../src/webhooks/worker/memory/lane.ts';
import { settle } from '../../../../src/webhooks/worker/steps/settle.ts';
import { accountLane, loadedDelivery, storeState } from '../../../support/lanes.ts';
import { stepWorld, success } from '../../../support/worker.ts';

type Transitions = SettleOutcome['transitions'];

/** A worker with one outcome to store, whose store answers as told. */
const world = (answer: () => Transitions | 'fenced') => {
  const calls: (readonly [string, Settlement])[] = [];
  const made = stepWorld({
    deliveries: {
      settle: async (workerId, settlement) => {
        calls.push([workerId, settlement]);
        const transitions = answer();
        return transitions === 'fenced' ? transitions : { ...storeState({}, { now: 77 }), transitions };
      },
    },
  });
  const lane = accountLane('acc_a', [{ id: 'one' }]).lanes[0] as EndpointLane;
  made.memory.unsettled.add({ delivery: loadedDelivery(lane, 'a'), attempted: success });
  return { ...made, calls, lane };
};

test('a batch is stored once, under the id of the worker', async () => {
  const { context, memory, calls } = world(() => []);
  expect(await settle(context)).toEqual({ did: 1 });
  expect(calls).toMatchObject([['w', { attempts: [{ eventId: 'a', state: 'delivered' }] }]]);
  expect([memory.unsettled.isEmpty(), memory.watermark.value()]).toEqual([true, 77]);
});

test.each([
  ['unavailable', new Error('down')],
  ['lost', new PortTimeout('storage.deliveries.settle', 1_000, 'write')],
] as const)('%s: the same batch is stored by the next call, whatever ended meanwhile', async (result, cause) => {
  const causes = [cause];
  const { context, memory, calls, errors, lane } = world(() => {
    const failure = causes.pop();
    if (failure) throw failure;
    return [];
  });
  expect(await settle(context)).toBe(result);
  expect(errors).toEqual([['settle', cause]]);
  memory.unsettled.add({ delivery: loadedDelivery(lane, 'b'), attempted: success });
  expect(await settle(context)).toEqual({ did: 1 });
  expect(calls[1]?.[1]).toBe(calls[0]?.[1]);
  expect(memory.unsettled.count()).toBe(1);
});

describe('a change of health', () => {
  const details = { failures: 5, failingFor: 0, outcome: 500 };
  const lastFailure = { objectName: 'RequestPayment', type: 'payed', eventId: 'a', outcome: 500 };
  const failing: HealthChange = { kind: 'endpoint_failing', ...details, lastFailure };
  const recovered: HealthChange = { kind: 'endpoint_recovered', ...details, outcome: 200 };
  const disabled: HealthChange = { kind: 'endpoint_disabled', reason: 'gone', ...details, outcome: 410, lastFailure };
  const who = { accountId: 'acc_a', endpointId: 'one' };

  test('is signalled once it is stored, with the unfinished deliveries in the store and in memory', async () => {
    const { context, memory, signals, lane } = world(() => [{ isDisabled: false, pending: 7 }]);
    lane.ready.push(loadedDelivery(lane, 'x'), loadedDelivery(lane, 'y'));
    lane.inFlight = 1;
    memory.unsettled.addHealth(lane, failing);
    await settle(context);
    expect(signals).toEqual([{ ...failing, ...who, unfinished: 10 }]);
  });

  test('unfinished deliveries are counted to 10,000', async () => {
    const { context, memory, signals, lane } = world(() => [{ isDisabled: false, pending: 10_000 }]);
    lane.inFlight = 1;
    memory.unsettled.addHealth(lane, failing);
    await settle(context);
    expect(signals).toMatchObject([{ unfinished: 10_000 }]);
  });

  test.each([
    [true, ['endpoint_disabled']],
    [false, []],
  ])('the store decides whether an endpoint was disabled (%s), which is signalled', async (isDisabled, kinds) => {
    const { context, memory, signals, lane } = world(() => [{ isDisabled, pending: 0 }]);
    memory.unsettled.addHealth(lane, disabled);
    await settle(context);
    expect(signals.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('several changes in one batch are signalled in order, each with its own count', async () => {
    const { context, memory, signals, lane } = world(() => [
      { isDisabled: false, pending: 2 },
      { isDisabled: false, pending: 1 },
    ]);
    for (const change of [failing, undefined, recovered]) memory.unsettled.addHealth(lane, change);
    await settle(context);
    expect(signals).toMatchObject([
      { kind: 'endpoint_failing', unfinished: 2 },
      { kind: 'endpoint_recovered', unfinished: 1 },
    ]);
  });

  test('is not signalled by a fenced worker', async () => {
    const { context, memory, signals, lane } = world(() => 'fenced');
    memory.unsettled.addHealth(lane, failing);
    expect(await settle(context)).toBe('fenced');
    expect(signals).toEqual([]);
  });
});
