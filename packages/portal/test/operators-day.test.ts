import { expect, test } from 'vitest';
import { grouped, type Received } from '../../../examples/alerts/grouped.ts';
import type { OperationsSelector } from '../../core/src/base/audit/audit-entry.ts';
import { day, hour, minute, second } from '../../core/src/base/runtime/time.ts';
import { CommandRejection } from '../../core/src/requests/record/command-rejection.ts';
import { memorySender } from '../../core/src/stores/memory/sender.ts';
import { memoryStorage } from '../../core/src/stores/memory/storage.ts';
import { inDays, platform as platformWithRequests } from '../../core/test/requests/due-platform.ts';
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

const payed = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed' } as const;
const link = 'https://app.example.com/partner-portal';

/** A platform whose messages are written down with day and time, as a mail would arrive. */
const world = async (delivery = {}, told: readonly OperationsSelector[] = events) => {
  let status = 200;
  const clock = testClock();
  const arrived: string[] = [];
  const note = (text: string): void => {
    const [day = '', time = ''] = new Date(clock.now()).toISOString().split('T');
    arrived.push(`${day.slice(8)} ${time.slice(0, 5)} ${text}`);
  };
  const { kit, signals, storage } = platform({
    clock,
    sender: memorySender(() => answered(status)),
    storage: memoryStorage({ clock }),
    webhooks: { delivery, maxEndpoints: 50 },
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
  const answer = (next: number) => (status = next);
  return { kit, storage, clock, arrived, note, id, worker, pay, signals, answer };
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

test('deliveries that expire are one message, with their number', async () => {
  const { kit, clock, arrived, id, worker, pay } = await world({}, ['Operations.delivery.expired']);
  (await kit.sending.pause({ accountId: 'acc_a' }))._unsafeUnwrap();
  for (let nth = 0; nth < 2; nth++) await pay();
  await worker.drain();
  (await kit.endpoints.disable('acc_a', id))._unsafeUnwrap();
  await clock.advance(14 * day - minute);
  await worker.drain();
  await clock.advance(2 * minute);
  await worker.drain();
  expect(arrived).toEqual([]);
  await clock.advance(hour + 9 * minute);
  await worker.drain();
  await clock.advance(2 * hour);
  await worker.drain();
  // Held for 14 days, found at 00:01, and told after the hour.
  expect(arrived).toEqual(['05 01:10 Deliveries to the webhook Booking system expired: 2.']);
});

test('a pull endpoint for which nobody asks for a day is one message', async () => {
  const { kit, clock, arrived, note, pay } = await world();
  const program = { kind: 'pull', events: ['payed'], label: 'ERP' } as const;
  const { id } = (await kit.endpoints.create('acc_a', program))._unsafeUnwrap().endpoint;
  const handle = async (event: unknown): Promise<void> => {
    const message = alertText([event as AlertEvent], { link, nameOf: ({ data }) => (data.id === id ? 'ERP' : '') });
    note(message?.text ?? 'nothing');
  };
  const worker = kit.worker({ handlers: { alerts: { events: ['Operations.endpoint.silent'], handle } } });
  await pay();
  await worker.drain();
  const first = (await kit.events.pull('acc_a', id))._unsafeUnwrap();
  expect(first.items).toHaveLength(1);
  // A request within the same minute is not recorded.
  await clock.advance(minute);
  (await kit.events.pull('acc_a', id, { after: first.next }))._unsafeUnwrap();
  await clock.advance(2 * hour - minute);
  await pay();
  await worker.drain();
  await clock.advance(day - minute);
  await worker.drain();
  expect(arrived).toEqual([]);
  // Workers look once an hour.
  await clock.advance(hour + minute);
  await worker.drain();
  await clock.advance(2 * hour);
  await worker.drain();
  const advice = 'Events wait. Either sending is paused, or the program that asks for them has stopped.';
  expect(arrived).toEqual([
    `22 03:00 The webhook ERP has received nothing for 24 hours.\n${advice}\n${link}#/webhooks/${id}`,
  ]);
});

test('a publish that is refused is told to operators, and is no message for a partner', async () => {
  const { kit, storage, clock, arrived, note } = await world();
  const events = ['Operations.publish.refused'] as const;
  const mails: unknown[] = [];
  const worker = kit.worker({
    handlers: {
      mail: { events, handle: async (event: unknown) => void mails.push(alertText([event as AlertEvent])) },
      chat: {
        events,
        handle: async ({ accountId, data }: Received) =>
          note(`${accountId}: ${data['object']}.${data['type']} ${data['reason']}`),
      },
    },
  });
  await worker.drain();
  await clock.advance(15 * hour + 20 * minute);
  const wrong = { ...payed, data: { id: 'payment_1', status: 7 } } as never;
  const refused = await storage.transaction(async (tx) => kit.events.tryPublish(wrong, { tx }));
  expect(refused._unsafeUnwrapErr().code).toBe('invalid_event');
  await worker.drain();
  expect(arrived).toEqual(['21 15:20 acc_a: RequestPayment.payed invalid_event']);
  expect(mails).toEqual([undefined]);
});

test('a due command that is refused is one message that links to the requests', async () => {
  const made = platformWithRequests({ guarantee: { warnBefore: day, atEnd: 'fail' } });
  const id = await made.deposit(inDays(2));
  const arrived: unknown[] = [];
  const handle = async (event: unknown): Promise<void> => {
    const message = alertText([event as AlertEvent], {
      link,
      nameOf: ({ data }) => (data.id === id ? 'Deposit of B-2207' : undefined),
    });
    arrived.push([new Date(made.clock.now()).toISOString().slice(0, 13), message?.subject, message?.text]);
  };
  const refuse = () => {
    throw new CommandRejection({ code: 'not_now', detail: 'The office is closed.' });
  };
  const { kit, worker: requestWorker } = made.process(undefined, refuse);
  const worker = kit.worker({ handlers: { alerts: { events: ['Operations.due_command.refused'], handle } } });
  await requestWorker.start();
  await worker.start();
  await made.until(day);
  await made.clock.advance(5 * minute);
  await worker.stop();
  await requestWorker.stop();
  const subject = 'A due step of the object Deposit of B-2207 was refused.';
  // Warned of a day before the end; given again each minute, and told once.
  expect(arrived).toEqual([['2024-11-22T00', subject, `${subject}\nLook at the object.\n${link}#/requests`]]);
});

test('50 webhooks of an account that fail within a minute are one message', async () => {
  const { kit, clock, arrived, note, pay, answer } = await world({ retrySchedule: [] });
  const events = ['payed'] as const;
  for (let nth = 2; nth <= 50; nth++)
    (await kit.endpoints.create('acc_a', { url: `https://partner.example/${nth}`, events }))._unsafeUnwrap();
  const wait = new AbortController().signal;
  const handle = grouped(
    30 * second,
    async (accountId, group) => {
      const message = alertText(group, { link, nameOf: () => 'Till' });
      note(`${accountId} ${message?.subject}\n${message?.text}`);
    },
    (ms) => clock.sleep(ms, wait),
  );
  const told = ['Operations.endpoint.failing'] as const;
  const worker = kit.worker({ handlers: { alerts: { events: told, handle, concurrency: 100, timeout: 45_000 } } });
  await clock.advance(9 * hour);
  await worker.start();
  answer(503);
  for (let nth = 0; nth < 20; nth++) await pay();
  await clock.advance(5 * minute);
  await worker.stop();
  const names = Array(10).fill('- Till').join('\n');
  const advice = 'Deliveries wait and are tried again. Check the receiver.';
  expect(arrived).toEqual([
    `21 09:00 acc_a 50 webhooks fail.\n50 webhooks fail.\n${names}\n- and 40 more\n${advice}\n${link}#/webhooks`,
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
