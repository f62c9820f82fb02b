import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createReceiver, dedupKey } from '../src/index.ts';
import { ask, verdict } from './support/ask.ts';
import { minute } from './support/clock.ts';
import { confidential, delivery, payed, type Sent, secret } from './support/platform.ts';
import { failed, gated, inProgress, settled, setUp } from './support/receiver.ts';
import { runs } from './support/runs.ts';

const day = 24 * 60 * minute;

describe('duplicates (specification §6.5)', () => {
  test('an event is processed once within 35 days', async () => {
    const { clock, handler, receiver } = setUp();
    for (const later of [0, 1, minute, day, 33 * day]) {
      clock.advance(later);
      expect(await verdict(receiver, delivery())).toBe('204');
    }
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test('its bytes can differ: objectName, data.id, type and timestamp identify it', async () => {
    const { handler, receiver } = setUp();
    await ask(receiver, delivery());
    const { type, objectName, data, timestamp } = payed;
    await ask(receiver, delivery({ type, objectName, data: { id: data.id, more: true }, timestamp, since: 2 }));
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test('a difference in one of the four is another event', async () => {
    const { handler, receiver } = setUp();
    const others: readonly Sent[] = [
      payed,
      { ...payed, timestamp: payed.timestamp + 1 },
      { ...payed, objectName: 'ModelRequestPayment' },
      { ...payed, type: 'cancel' },
      { ...payed, data: { id: 'pay_10' } },
      { ...payed, data: { id: 'pay_9 ' } },
      { ...payed, data: { id: 'PAY_9' } },
    ];
    for (const each of others) expect(await verdict(receiver, delivery(each))).toBe('204');
    expect(handler.mock.calls).toEqual(others.map((each) => [each]));
  });

  test('no two quadruples share a key', () => {
    const text = fc.string({ unit: fc.constantFrom('"', ',', '\\', '1', '\0'), maxLength: 3 });
    const event = fc.record({ timestamp: fc.nat(2), data: fc.record({ id: text }), objectName: text, type: text });
    // The second event keeps what it does not get anew, so that many pairs differ in one component alone.
    const pair = fc
      .tuple(event, event, fc.subarray(['timestamp', 'data', 'objectName', 'type'] as const))
      .map(([one, other, anew]) => {
        const built = Object.fromEntries(anew.map((name) => [name, other[name]]));
        return [one, { ...one, ...built }] as const;
      });
    fc.assert(
      fc.property(pair, ([one, other]) => {
        expect(dedupKey(one) === dedupKey(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      runs,
    );
  });

  test.each([',', '","', '|', ':', '.', '-', ' ', '\n', '\0'])(
    'with %j in its names an event is still no other',
    async (mark) => {
      const { handler, receiver } = setUp();
      const event = (objectName: string, id: string, type: string) => ({
        timestamp: 1,
        data: { id },
        objectName,
        type,
      });
      const others = [event(`a${mark}b`, 'c', 'd'), event('a', `b${mark}c`, 'd'), event('a', 'b', `c${mark}d`)];
      for (const each of others) expect(await verdict(receiver, delivery(each))).toBe('204');
      expect(handler.mock.calls).toEqual(others.map((each) => [each]));
    },
  );

  test('two receivers with one store process an event once', async () => {
    const { handler, receiver, seen } = setUp();
    const other = setUp({ seen });
    await ask(receiver, delivery());
    expect(await verdict(other.receiver, delivery())).toBe('204');
    expect(handler.mock.calls.length + other.handler.mock.calls.length).toBe(1);
  });

  test('the store gets a lease of a minute and 35 days by default, or those of dedup', async () => {
    for (const [times, lease, keep] of [
      [undefined, minute, 35 * day],
      [{ lease: 5 }, 5, 35 * day],
      [{ keep: 7 }, minute, 7],
      [{ lease: 5, keep: 7 }, 5, 7],
      // What a project without exactOptionalPropertyTypes may hand over.
      [{ lease: undefined, keep: undefined } as object, minute, 35 * day],
    ] as const) {
      const { receiver, seen } = setUp();
      const claim = vi.spyOn(seen, 'claim');
      const confirm = vi.spyOn(seen, 'confirm');
      const own = createReceiver({
        secrets: [secret],
        seen,
        on: {},
        otherwise: vi.fn(),
        ...(times ? { dedup: times } : {}),
      });
      expect(await verdict(times ? own : receiver, delivery())).toBe('204');
      expect(claim.mock.calls).toEqual([[dedupKey(payed), lease]]);
      expect(confirm.mock.calls).toEqual([[dedupKey(payed), expect.any(String), keep]]);
    }
  });
});

describe('a duplicate while the first is being processed', () => {
  test('409 with Retry-After; afterwards 204 without processing', async () => {
    const { gates, handler } = gated();
    const { onError, receiver } = setUp({ otherwise: handler });
    const first = verdict(receiver, delivery());
    await settled();
    const second = await ask(receiver, delivery());
    expect([second.status, second.code]).toEqual([409, 'in_progress']);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
    gates[0]?.open();
    expect(await first).toBe('204');
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(gates).toHaveLength(1);
    expect(onError).not.toHaveBeenCalled();
  });

  test('when the first fails, the next delivery is processed', async () => {
    const { gates, handler } = gated();
    const { receiver } = setUp({ otherwise: handler });
    const first = verdict(receiver, delivery());
    await settled();
    expect(await verdict(receiver, delivery())).toBe(inProgress);
    gates[0]?.fail(new Error(confidential));
    expect(await first).toBe(failed);
    const third = verdict(receiver, delivery());
    await settled();
    gates[1]?.open();
    expect(await third).toBe('204');
    expect(gates).toHaveLength(2);
  });

  test('other events are not blocked', async () => {
    const { gates, handler } = gated();
    const { receiver } = setUp({ otherwise: handler });
    const both = [verdict(receiver, delivery()), verdict(receiver, delivery({ ...payed, type: 'cancel' }))];
    await settled();
    expect(gates).toHaveLength(2);
    for (const each of gates) each.open();
    expect(await Promise.all(both)).toEqual(['204', '204']);
  });
});

describe('a lease that expires', () => {
  test('the event is processed again, as after a crash; until then it is in progress', async () => {
    const { gates, handler } = gated();
    const { clock, receiver } = setUp({ otherwise: handler });
    const crashed = verdict(receiver, delivery());
    await settled();
    clock.advance(minute - 1);
    expect(await verdict(receiver, delivery())).toBe(inProgress);
    clock.advance(1);
    const second = verdict(receiver, delivery());
    await settled();
    expect(gates).toHaveLength(2);
    gates[1]?.open();
    expect(await second).toBe('204');
    // The one that was only slow: its work is done, so there is nothing to send again.
    gates[0]?.open();
    expect(await crashed).toBe('204');
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(gates).toHaveLength(2);
  });

  test('a slow handler that fails does not release the claim of another', async () => {
    const { gates, handler } = gated();
    const { clock, receiver } = setUp({ otherwise: handler });
    const slow = verdict(receiver, delivery());
    await settled();
    clock.advance(minute);
    const second = verdict(receiver, delivery());
    await settled();
    gates[0]?.fail(new Error(confidential));
    expect(await slow).toBe(failed);
    expect(await verdict(receiver, delivery())).toBe(inProgress);
    gates[1]?.open();
    expect(await second).toBe('204');
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(gates).toHaveLength(2);
  });

  test('a slow handler that succeeds does not confirm the claim of another', async () => {
    const { gates, handler } = gated();
    const { clock, receiver } = setUp({ otherwise: handler });
    const slow = verdict(receiver, delivery());
    await settled();
    clock.advance(minute);
    const second = verdict(receiver, delivery());
    await settled();
    gates[0]?.open();
    expect(await slow).toBe('204');
    expect(await verdict(receiver, delivery())).toBe(inProgress);
    gates[1]?.open();
    expect(await second).toBe('204');
  });

  test('its length is an option', async () => {
    const { gates, handler } = gated();
    const { clock, receiver } = setUp({ otherwise: handler, dedup: { lease: 10 * minute } });
    void verdict(receiver, delivery());
    await settled();
    clock.advance(10 * minute - 1);
    expect(await verdict(receiver, delivery())).toBe(inProgress);
    clock.advance(1);
    void verdict(receiver, delivery());
    await settled();
    expect(gates).toHaveLength(2);
  });
});
