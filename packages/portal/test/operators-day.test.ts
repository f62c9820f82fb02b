import { expect, test } from 'vitest';
import type { OperationsSelector } from '../../core/src/base/audit/audit-entry.ts';
import { hour, minute } from '../../core/src/base/runtime/time.ts';
import { memorySender } from '../../core/src/stores/memory/sender.ts';
import { memoryStorage } from '../../core/src/stores/memory/storage.ts';
import { start, testClock } from '../../core/test/support/clock.ts';
import { answered } from '../../core/test/support/deliveries.ts';
import { platform } from '../../core/test/support/kit.ts';
import { type AlertEvent, alertText } from '../src/index.ts';

const events = [
  'Operations.endpoint.failing',
  'Operations.endpoint.disable_soon',
  'Operations.endpoint.disabled',
  'Operations.endpoint.enabled',
  'Operations.endpoint.recovered',
  'Operations.key.added',
] as const;

/** A platform whose messages are written down with day and time, as a mail would arrive. */
const world = async (delivery = {}, told: readonly OperationsSelector[] = events) => {
  let status = 200;
  const clock = testClock();
  const arrived: string[] = [];
  const note = (text: string): void => {
    const [day = '', time = ''] = new Date(clock.now()).toISOString().split('T');
    arrived.push(`${day.slice(8)} ${time.slice(0, 5)} ${text}`);
  };
  const { kit, signals } = platform({
    clock,
    sender: memorySender(() => answered(status)),
    storage: memoryStorage({ clock }),
    webhooks: { delivery },
  });
  const hook = { url: 'https://partner.example/hooks', events: ['payed'], label: 'Booking system' } as const;
  const { id } = (await kit.endpoints.create('acc_a', hook))._unsafeUnwrap().endpoint;
  const handle = async (event: unknown): Promise<void> => {
    const message = alertText([event as AlertEvent], {
      nameOf: ({ data }) => (data.id === id ? hook.label : 'Till 3'),
    });
    note(message?.subject ?? 'nothing');
  };
  const worker = kit.worker({ handlers: { alerts: { events: told, handle } } });
  let payments = 0;
  const pay = () => {
    const data = { id: `payment_${++payments}` };
    return kit.events.publish({ accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data }, { tx: 'new' });
  };
  return { kit, clock, arrived, note, id, worker, pay, signals, answer: (next: number) => (status = next) };
};

test('a receiver that dies is told failing, about to be disabled, disabled and enabled, each once; so is a new key', async () => {
  const { kit, clock, arrived, id, worker, pay, answer } = await world();
  /** A payment every hour until a time after the start of the first day. */
  const until = async (time: number): Promise<void> => {
    while (clock.now() < start + time) {
      await pay();
      await worker.drain();
      await clock.advance(hour);
    }
    await worker.drain();
  };
  await until(10 * hour);
  answer(503);
  await until(26 * hour);
  (await kit.clients.create('acc_a', { name: 'Till 3' }))._unsafeUnwrap();
  await until(7 * 24 * hour);
  answer(200);
  (await kit.endpoints.enable('acc_a', id))._unsafeUnwrap();
  await until(7 * 24 * hour + hour);
  expect(arrived).toEqual([
    '21 12:00 The webhook Booking system fails.',
    '22 02:00 The API key Till 3 was added.',
    '25 10:00 The webhook Booking system is disabled within 24 hours if it goes on failing.',
    '26 10:00 The webhook Booking system is disabled.',
    '28 00:00 The webhook Booking system is enabled.',
  ]);
});

test('deliveries that are given up are one message an hour, with their number', async () => {
  const { clock, arrived, worker, pay, answer } = await world({ retrySchedule: [] }, ['Operations.delivery.exhausted']);
  answer(503);
  for (const count of [3, 1]) {
    for (let nth = 0; nth < count; nth++) await pay();
    await worker.drain();
    await clock.advance(hour + 10 * minute);
  }
  await worker.drain();
  expect(arrived).toEqual([
    '21 01:10 Deliveries to the webhook Booking system were given up: 3.',
    '21 02:20 Deliveries to the webhook Booking system were given up: 1.',
  ]);
});

test('while no worker runs, the processes that publish tell it, and health says what to do', async () => {
  const { kit, clock, arrived, note, worker, pay, signals } = await world();
  await worker.start();
  await clock.advance(minute);
  const healthy = (await kit.health({ check: false }))._unsafeUnwrap();
  await worker.stop();
  for (let nth = 0; nth < 10; nth++) {
    await pay();
    await clock.advance(minute);
    for (const signal of signals.splice(0)) if (signal.kind === 'worker_absent') note('worker_absent');
  }
  const { status, reasons } = (await kit.health({ check: false }))._unsafeUnwrap();
  await worker.start();
  await clock.advance(minute);
  const mended = (await kit.health({ check: false }))._unsafeUnwrap();
  await worker.stop();
  expect(healthy.status).toBe('ok');
  // Asked at most once a minute, and told when none was found twice in a row.
  expect(arrived).toEqual([4, 5, 6, 7, 8, 9, 10, 11].map((at) => `21 00:${String(at).padStart(2, '0')} worker_absent`));
  expect([status, ...reasons]).toEqual([
    'failing',
    'No worker holds shards while 10 events wait: start one with kit.worker().start().',
    'An event has waited 10 minutes for its dispatch: look for worker_error.',
  ]);
  expect([mended.status, mended.backlog.undispatched, mended.backlog.waiting]).toEqual(['ok', 0, 0]);
});
