import { describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/base/runtime/time.ts';
import type { HealthReport } from '../../src/kit/health-report.ts';
import { durationText, judge } from '../../src/kit/health-status.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { testClock } from '../support/clock.ts';
import { platform } from '../support/kit.ts';
import { seededRandom } from '../support/random.ts';

const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } } as const;

const worker = { id: 'w', since: 0, shards: 128, isStopping: false, leaseLeft: 20_000 };
const healthy = {
  ...{ at: 0, backlog: { undispatched: 0, waiting: 0, held: 0 }, workers: [worker], freeShards: 0 },
  ...{ failingEndpoints: 0, endpoints: [], handlers: [], findings: [], warnings: [] },
} satisfies Omit<HealthReport, 'status' | 'reasons'>;

const judged = (change: Partial<HealthReport>) => {
  const { status, reasons } = judge({ ...healthy, ...change });
  return [status, ...reasons];
};
const handler = { name: 'ledger', events: [], registeredAt: 0, seenAt: 0, waiting: 0, exhausted: 0 };

describe('the status has its reasons', () => {
  const { backlog } = healthy;
  test.each<[string, Partial<HealthReport>, readonly string[]]>([
    ['nothing is wrong', {}, ['ok']],
    ['work waits for moments', { backlog: { ...backlog, undispatched: 9, oldestDue: 5 * minute } }, ['ok']],
    [
      'events wait without a worker',
      { workers: [], freeShards: 128, backlog: { ...backlog, undispatched: 10_000 } },
      ['failing', 'No worker holds shards while 10000 or more events wait: start one with kit.worker().start().'],
    ],
    [
      'deliveries wait, and the lease of the only worker has expired',
      { workers: [{ ...worker, leaseLeft: 0 }], freeShards: 128, backlog: { ...backlog, waiting: 3 } },
      ['failing', 'No worker holds shards while deliveries wait (3): start one with kit.worker().start().'],
    ],
    [
      'a worker lives and acquires nothing',
      { workers: [{ ...worker, shards: 0 }], freeShards: 128, backlog: { ...backlog, undispatched: 1 } },
      ['failing', 'No worker holds shards while 1 event waits: look at onError of the workers.'],
    ],
    [
      'nothing waits, and there is no worker',
      { workers: [], freeShards: 128 },
      ['attention', 'No worker holds shards: what is published now will wait.'],
    ],
    [
      'some shards are free',
      { workers: [{ ...worker, shards: 120 }], freeShards: 8 },
      ['attention', '8 of 128 shards have no worker: their accounts wait until a worker takes them over.'],
    ],
    [
      'work is late',
      { backlog: { ...backlog, oldestDue: 6 * minute, oldestUndispatched: 3 * hour } },
      [
        'attention',
        'An event has waited 3 hours for its dispatch: look for worker_error.',
        'A delivery has been due for 6 minutes: look at endpoints, then run more workers.',
      ],
    ],
    [
      'endpoints fail',
      { failingEndpoints: 2 },
      ['attention', '2 endpoints fail: notify the partners of those that fail longest.'],
    ],
    [
      'a handler gave up, and is late',
      { handlers: [{ ...handler, exhausted: 1, oldestDue: hour }] },
      [
        'attention',
        'The handler ledger gave up on 1 event: repair it, then handlers.sendAgain.',
        'The handler ledger is late by 60 minutes: start more workers with it.',
      ],
    ],
    [
      'a table is too large; another may be',
      { tables: ['attempts', 'requests'].map((name) => ({ name, rows: 400_000_000, bytes: 1 })) },
      [
        'attention',
        'The table attempts has some 400000000 rows: shorten webhooks.retention.events, or partition by day.',
      ],
    ],
    ['check warns', { warnings: ['pool: no time-out.'] }, ['attention', 'pool: no time-out.']],
    [
      'check finds something, and an endpoint fails',
      { findings: [{ part: 'tokens', code: 'wrong_answer', detail: 'wrong.' }], failingEndpoints: 1 },
      ['failing', 'tokens: wrong.', '1 endpoint fails: notify the partners of those that fail longest.'],
    ],
  ])('%s', (_, change, expected) => expect(judged(change)).toEqual(expected));

  test('durations have their largest unit', () => {
    expect([0, 119_999, 2 * minute, 3 * hour, 2 * day].map(durationText)).toEqual([
      '0 seconds',
      '119 seconds',
      '2 minutes',
      '3 hours',
      '2 days',
    ]);
  });
});

describe('kit.health', () => {
  test('tells of workers, since when, and of what waits', async () => {
    const { kit, clock } = platform();
    const read = async () => (await kit.health())._unsafeUnwrap();
    await kit.events.publish(event, { tx: 'new' });
    expect(await read()).toMatchObject({ status: 'failing', freeShards: 128, backlog: { undispatched: 1 } });
    const joinedAt = clock.now();
    const running = kit.worker();
    running.start();
    await clock.advance(minute);
    const health = await read();
    expect(health).toMatchObject({
      status: 'ok',
      reasons: [],
      freeShards: 0,
      endpoints: [],
      findings: [],
      at: clock.now(),
    });
    expect(health.workers).toEqual([expect.objectContaining({ since: joinedAt, shards: 128, isStopping: false })]);
    const stopped = running.stop();
    await clock.advance(minute);
    await stopped;
    expect(await read()).toMatchObject({ status: 'attention', workers: [] });
  });

  test('names what check finds, without foreign errors; leaves it out when asked', async () => {
    const cause = new Error('secret text');
    const { kit } = platform({ accounts: { find: () => Promise.reject(cause) } });
    const health = (await kit.health())._unsafeUnwrap();
    expect(health.status).toBe('failing');
    expect(health.findings).toEqual([{ part: 'accounts', code: 'unavailable', detail: expect.any(String) }]);
    expect(JSON.stringify(health)).not.toContain('secret text');
    expect((await kit.health({ check: false }))._unsafeUnwrap().findings).toEqual([]);
  });

  test('writes nothing: neither the id of the secret nor the end of an expired worker', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const secret = seededRandom().bytes(32);
    const { kit } = platform({ clock, storage, secret, sealingKeys: undefined as never });
    await storage.shards.join('expired', minute);
    await clock.advance(hour);
    const health = (await kit.health())._unsafeUnwrap();
    expect(health.workers).toMatchObject([{ id: 'expired', leaseLeft: 0 }]);
    expect(await storage.secretIds.readSecretIds()).toEqual([]);
    const beat = { shards: [], watermark: 0, settlement: 0, isStopping: false };
    expect(await storage.shards.heartbeat('expired', minute, beat)).not.toBe('fenced');
  });

  test('a storage that fails is unavailable; an unknown option is refused by name', async () => {
    const storage = memoryStorage();
    const failing = { ...storage.log, readHealthSnapshot: () => Promise.reject(new Error('down')) };
    const { kit } = platform({ storage: { ...storage, log: failing } });
    expect((await kit.health())._unsafeUnwrapErr().code).toBe('unavailable');
    expect(() => kit.health({ chekc: false } as never)).toThrow(/chekc.*check/);
  });
});
