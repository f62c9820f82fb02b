import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { err } from '#result';
import { day } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { MemoryTransaction } from '../../../src/stores/rows/memory/memory-rows.ts';
import { defineObject } from '../../../src/webhooks/catalogue/define-object.ts';
import { PublishError } from '../../../src/webhooks/events/published.ts';
import { settled, start, testClock } from '../../support/clock.ts';
import { eventsOf, objects, platform } from '../../support/kit.ts';
import { beginTransaction } from '../../support/transaction.ts';

const event = (id = 'p', status?: string) =>
  ({
    accountId: 'acc_a',
    objectName: 'RequestPayment',
    type: 'payed',
    data: { id, ...(status === undefined ? {} : { status }) },
  }) as const;
const rejection = async (promise: Promise<unknown>): Promise<PublishError> => {
  const cause = await promise.then(
    () => expect.unreachable('it resolved'),
    (reason: unknown) => reason,
  );
  expect(cause).toBeInstanceOf(PublishError);
  return cause as PublishError;
};
const idsOf = async (storage: ReturnType<typeof memoryStorage>, accountId = 'acc_a') =>
  (await eventsOf(storage, accountId)).map(({ objectId }) => objectId);

describe('in the host’s transaction', () => {
  test('commit keeps the event', async () => {
    const { kit, storage } = platform();
    const published = await storage.transaction(async (tx) => {
      const inside = await kit.events.publish(event(), { tx });
      expect(await idsOf(storage)).toEqual([]);
      return inside;
    });
    expect(published.replayed).toBe(false);
    expect(await eventsOf(storage, 'acc_a')).toMatchObject([{ id: published.eventId, objectId: 'p' }]);
    expect(await eventsOf(storage, 'acc_b')).toEqual([]);
  });

  test('rollback leaves nothing, to list or to send', async () => {
    const { kit, storage, sender } = platform();
    (await kit.endpoints.create('acc_a', { url: 'https://x.example', events: ['payed'] }))._unsafeUnwrap();
    const cause = new Error('the payment failed');
    const work = storage.transaction(async (tx) => {
      await kit.events.publish(event(), { tx });
      throw cause;
    });
    await expect(work).rejects.toBe(cause);
    expect(await idsOf(storage)).toEqual([]);
    expect(await kit.worker().drain()).toBe(0);
    expect(sender.posts).toEqual([]);
  });

  test('a refused event rejects, so that the transaction rolls back with earlier events', async () => {
    const { kit, storage } = platform();
    const work = storage.transaction(async (tx) => {
      await kit.events.publish(event('first'), { tx });
      await kit.events.publish(event(''), { tx });
    });
    expect((await rejection(work)).code).toBe('invalid_event');
    expect(await idsOf(storage)).toEqual([]);
  });

  test('events of one transaction keep their order', async () => {
    const { kit, storage } = platform();
    await storage.transaction(async (tx) => {
      for (const id of ['c', 'a', 'b']) await kit.events.publish(event(id), { tx });
    });
    expect(await idsOf(storage)).toEqual(['c', 'a', 'b']);
  });

  test('a transaction that has ended is refused', async () => {
    const { kit, storage } = platform();
    let ended: MemoryTransaction | undefined;
    await storage.transaction(async (tx) => {
      ended = tx;
    });
    expect((await rejection(kit.events.publish(event(), { tx: ended as MemoryTransaction }))).code).toBe(
      'no_transaction',
    );
    const rolledBack = await beginTransaction(storage);
    await rolledBack.rollback();
    expect((await rejection(kit.events.publish(event(), { tx: rolledBack.tx }))).code).toBe('no_transaction');
    expect(await idsOf(storage)).toEqual([]);
  });

  test('a publish without await is stored if it resolves, and not if it rejects', async () => {
    const { kit, storage } = platform();
    const forgotten: Promise<unknown>[] = [];
    for (const ticks of [0, 1, 2, 3, 5, 8, 13, 21]) {
      await storage.transaction(async (tx) => {
        const late = async (): Promise<unknown> => {
          for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
          return kit.events.publish(event(`after ${ticks}`), { tx });
        };
        forgotten.push(late());
      });
    }
    const outcomes = await Promise.allSettled(forgotten);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']));
    expect(await idsOf(storage)).toHaveLength(outcomes.filter(({ status }) => status === 'fulfilled').length);
  });

  test('a transaction that ends while it waits for a key stores nothing and holds no key', async () => {
    const { kit, storage } = platform();
    const holder = await beginTransaction(storage);
    await kit.events.publish(event(), { tx: holder.tx, idempotencyKey: 'k' });
    const impatient = await beginTransaction(storage);
    const late = kit.events.tryPublish(event(), { tx: impatient.tx, idempotencyKey: 'k' });
    await settled();
    await impatient.commit();
    await holder.rollback();
    expect((await late)._unsafeUnwrapErr().code).toBe('no_transaction');
    expect(await idsOf(storage)).toEqual([]);
  });

  test('a value that is not an open transaction is refused at once', async () => {
    const { kit, storage } = platform();
    for (const options of [{}, { tx: undefined }, { tx: null }, { tx: 'old' }, { tx: 7 }, undefined]) {
      const failure = await rejection(kit.events.publish(event(), options as never));
      expect(failure.failure).toMatchObject({
        code: 'invalid_event',
        message: "tx: hand over your open transaction, or 'new' when there is none.",
      });
    }
    const foreign = await rejection(kit.events.publish(event(), { tx: {} as MemoryTransaction }));
    expect(foreign.failure).toMatchObject({
      code: 'no_transaction',
      message: expect.stringContaining('no open transaction'),
    });
    expect(await idsOf(storage)).toEqual([]);
  });
});

describe('what TypeScript refuses is refused in JavaScript', () => {
  test.each([
    [{ ...event(), idempotencyKey: 'k' }, { tx: 'new' }, 'event: idempotencyKey belongs in the options, beside tx.'],
    [{ ...event(), acountId: 'x' }, { tx: 'new' }, "event: there is no field 'acountId'; did you mean 'accountId'?"],
    [event(), { trx: {} }, "options: there is no option 'trx'; did you mean 'tx'?"],
    [
      event(),
      { tx: 'new', idempotency: 'k' },
      "options: there is no option 'idempotency'; did you mean 'idempotencyKey'?",
    ],
  ])('%j, %j', async (input, options, detail) => {
    const { kit, storage } = platform();
    expect((await rejection(kit.events.publish(input, options as never))).failure).toMatchObject({
      code: 'invalid_event',
      message: detail,
    });
    expect(await idsOf(storage)).toEqual([]);
  });

  test('a key among the options of publishMany, which belongs to an event', async () => {
    const { kit, storage } = platform();
    const options = { tx: 'new', idempotencyKey: 'k' } as const;
    expect((await rejection(kit.events.publishMany([event()], options))).failure).toMatchObject({
      code: 'invalid_event',
      message: "options: there is no option 'idempotencyKey'; use one of tx.",
    });
    expect(await idsOf(storage)).toEqual([]);
  });

  test('more in a test event', async () => {
    const { kit } = platform();
    const created = await kit.endpoints.create('acc_a', { url: 'https://x.example', events: ['payed'] });
    const { id } = created._unsafeUnwrap().endpoint;
    const { objectName, type, data } = event();
    const sent = await kit.events.sendTest('acc_a', id, { objectName, type, data, dta: {} } as never);
    expect(sent._unsafeUnwrapErr()).toMatchObject({
      code: 'invalid_event',
      message: "event: there is no field 'dta'; did you mean 'data'?",
    });
  });
});

describe("tx 'new'", () => {
  test('stores in a transaction of its own', async () => {
    const { kit, storage } = platform();
    const { eventId, replayed } = await kit.events.publish(event(), { tx: 'new' });
    expect(replayed).toBe(false);
    expect(await eventsOf(storage, 'acc_a')).toMatchObject([{ id: eventId, objectId: 'p' }]);
  });
});

describe('failures', () => {
  test('publish rejects with a PublishError; tryPublish says the same as a value', async () => {
    const { kit, storage } = platform();
    const wrong = [
      [{ ...event(), type: 'paid' }, 'invalid_event', "type: RequestPayment has no type 'paid'; did you mean 'payed'?"],
      [{ ...event(), accountId: '' }, 'invalid_event', 'accountId: 1 to 256 bytes of text without control characters.'],
      [event('p', 'x'.repeat(262_144)), 'too_large', 'The body would have 262243 bytes; at most 262144 are sent.'],
    ] as const;
    for (const [refused, code, detail] of wrong) {
      const failure = await rejection(kit.events.publish(refused as never, { tx: 'new' }));
      expect(failure).toMatchObject({
        name: 'PublishError',
        code,
        failure: { code, message: detail },
        message: `${code}: ${detail}`,
      });
      expect(await kit.events.tryPublish(refused as never, { tx: 'new' })).toMatchObject(
        err({ code, message: detail }),
      );
    }
    expect(await idsOf(storage)).toEqual([]);
  });

  test('an object that the kit was not given', async () => {
    const { kit } = platform({ objects: objects.slice(0, 1) as never });
    const failure = await rejection(
      kit.events.publish({ ...event(), objectName: 'ModelRequestPayment', type: 'update' }, { tx: 'new' }),
    );
    expect(failure.message).toBe(
      "invalid_event: objectName: there is no object 'ModelRequestPayment'; use one of RequestPayment.",
    );
  });

  test('invalid data reports paths, never values', async () => {
    const schema = z.object({ id: z.string(), recipient: z.object({ email: z.email() }) });
    const strict = defineObject('RequestPayment', { schema, groups: {}, events: { default: [] } });
    const { kit } = platform({ objects: [strict] as never });
    const data = { id: 'p', recipient: { email: 'SECRET-value' } };
    const failure = await rejection(kit.events.publish({ ...event(), data } as never, { tx: 'new' }));
    expect(failure.message).toBe('invalid_event: data.recipient.email: Invalid email address');
    expect(JSON.stringify(failure.failure)).not.toContain('SECRET');
  });

  test('a storage that fails is unavailable, with its cause; nothing is stored', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const cause = new Error('connection lost');
    const fail = async () => Promise.reject(cause);
    const failing = { ...storage, events: { ...storage.events, append: fail, appendAlone: fail } };
    const { kit } = platform({ clock, storage: failing });
    const failure = await rejection(kit.events.publish(event(), { tx: 'new' }));
    expect(failure).toMatchObject({
      code: 'unavailable',
      cause,
      message: 'unavailable: A port of the platform failed: see cause, and try again.',
    });
    expect(await kit.events.tryPublish(event(), { tx: 'new' })).toMatchObject(err({ code: 'unavailable', cause }));
    const own = await beginTransaction(storage);
    expect((await rejection(kit.events.publish(event(), { tx: own.tx }))).code).toBe('unavailable');
    await own.commit();
    expect(await idsOf(storage)).toEqual([]);
  });

  test('over a storage without appendAlone, an event is published in a transaction of its own, or not at all', async () => {
    const storage = memoryStorage();
    const { appendAlone: _absent, ...events } = storage.events;
    const { kit } = platform({ storage: { ...storage, events } });
    await kit.events.publish(event(), { tx: 'new', idempotencyKey: 'k' });
    expect(await idsOf(storage)).toEqual(['p']);
    const other = { ...event(), data: { id: 'other' }, idempotencyKey: 'k' };
    const refused = await rejection(kit.events.publishMany([event(), other], { tx: 'new' }));
    expect(refused.code).toBe('idempotency_conflict');
    expect(await idsOf(storage)).toEqual(['p']);
  });

  test('a storage that returns fewer outcomes than events is an error', async () => {
    const storage = memoryStorage();
    const short = { ...storage, events: { ...storage.events, appendAlone: async () => [] } };
    const { kit } = platform({ storage: short });
    expect((await rejection(kit.events.publish(event(), { tx: 'new' }))).code).toBe('unavailable');
  });

  test('wrong values from untyped code are refused', async () => {
    const { kit } = platform();
    for (const nonsense of [undefined, null, 7, {}, [], { data: null }]) {
      expect((await rejection(kit.events.publish(nonsense as never, { tx: 'new' }))).code).toBe('invalid_event');
      const many = async () => kit.events.publishMany([event(), nonsense as never], { tx: 'new' });
      expect((await rejection(many())).code).toBe('invalid_event');
    }
  });
});

describe('publishMany', () => {
  test('stores all events and returns results in order', async () => {
    const { kit, storage } = platform();
    const published = await kit.events.publishMany([event('a'), event('b'), { ...event('c'), accountId: 'acc_b' }], {
      tx: 'new',
    });
    expect(published.map(({ replayed }) => replayed)).toEqual([false, false, false]);
    expect(await idsOf(storage)).toEqual(['a', 'b']);
    expect(await idsOf(storage, 'acc_b')).toEqual(['c']);
    expect((await eventsOf(storage, 'acc_a'))[1]?.id).toBe(published[1]?.eventId);
  });

  test('an empty list is no error and does not call the storage', async () => {
    const storage = memoryStorage();
    const untouched = { ...storage, transaction: () => expect.unreachable() };
    const { kit } = platform({ storage: untouched });
    expect(await kit.events.publishMany([], { tx: 'new' })).toEqual([]);
  });

  test('one refused event stops all', async () => {
    const { kit, storage } = platform();
    expect((await rejection(kit.events.publishMany([event('a'), event(''), event('c')], { tx: 'new' }))).code).toBe(
      'invalid_event',
    );
    const own = await beginTransaction(storage);
    await rejection(kit.events.publishMany([event('a'), event('')], { tx: own.tx }));
    await own.commit();
    expect(await idsOf(storage)).toEqual([]);
  });

  test('one conflict stops all', async () => {
    const { kit, storage } = platform();
    const { eventId } = await kit.events.publish(event('held'), { tx: 'new', idempotencyKey: 'k' });
    const batch = [event('a'), { ...event('other'), idempotencyKey: 'k' }, event('c')];
    const failure = await rejection(kit.events.publishMany(batch, { tx: 'new' }));
    expect(failure.failure).toMatchObject({ code: 'idempotency_conflict', eventId });
    expect(await idsOf(storage)).toEqual(['held']);
  });
});

describe('idempotency keys', () => {
  test('the same content again is the same event', async () => {
    const { kit, storage } = platform();
    const first = await kit.events.publish(event(), { tx: 'new', idempotencyKey: 'k' });
    const again = await kit.events.publish(event(), { tx: 'new', idempotencyKey: 'k' });
    expect(again).toEqual({ eventId: first.eventId, replayed: true });
    expect(await idsOf(storage)).toEqual(['p']);
  });

  test.each([
    ['data', event('p', 'changed')],
    ['object', event('q')],
    ['type', { ...event(), type: 'cancel' }],
    ['objectName', { ...event(), objectName: 'RequestSecurityDeposit', type: 'cancel' }],
  ])('other content is a conflict that names the event: another %s', async (_name, other) => {
    const { kit, storage } = platform();
    const first = await kit.events.publish(event(), { tx: 'new', idempotencyKey: 'k' });
    const failure = await rejection(
      kit.events.publish(other as ReturnType<typeof event>, { tx: 'new', idempotencyKey: 'k' }),
    );
    expect(failure.failure).toMatchObject({
      code: 'idempotency_conflict',
      message: 'This idempotency key belongs to an event with other content.',
      eventId: first.eventId,
    });
    expect(await idsOf(storage)).toEqual(['p']);
  });

  test('content is the sent data: a change outside the groups is no change', async () => {
    const { kit } = platform();
    await kit.events.publish(event(), { tx: 'new', idempotencyKey: 'k' });
    const more = { ...event(), data: { id: 'p', internal: 7 } };
    expect((await kit.events.publish(more, { tx: 'new', idempotencyKey: 'k' })).replayed).toBe(true);
  });

  test('a conflict leaves the host’s transaction usable', async () => {
    const { kit, storage } = platform();
    await kit.events.publish(event(), { tx: 'new', idempotencyKey: 'k' });
    await storage.transaction(async (tx) => {
      const refused = await kit.events.tryPublish(event('other'), { tx, idempotencyKey: 'k' });
      expect(refused._unsafeUnwrapErr().code).toBe('idempotency_conflict');
      await kit.events.publish(event('after'), { tx });
    });
    expect(await idsOf(storage)).toEqual(['p', 'after']);
  });

  test('within one batch and within one transaction', async () => {
    const { kit, storage } = platform();
    const keyed = { ...event(), idempotencyKey: 'k' };
    const [first, second] = await kit.events.publishMany([keyed, keyed], { tx: 'new' });
    expect(second).toEqual({ eventId: first?.eventId, replayed: true });
    const conflicting = [
      { ...event('x'), idempotencyKey: 'l' },
      { ...event('y'), idempotencyKey: 'l' },
    ];
    expect((await rejection(kit.events.publishMany(conflicting, { tx: 'new' }))).code).toBe('idempotency_conflict');
    await storage.transaction(async (tx) => {
      const one = await kit.events.publish(event('z'), { tx, idempotencyKey: 'm' });
      expect(await kit.events.publish(event('z'), { tx, idempotencyKey: 'm' })).toEqual({
        eventId: one.eventId,
        replayed: true,
      });
    });
    expect(await idsOf(storage)).toEqual(['p', 'z']);
  });

  test('the keys of two accounts are two keys', async () => {
    const { kit, storage } = platform();
    const mine = await kit.events.publish(event('mine'), { tx: 'new', idempotencyKey: 'k' });
    const theirs = await kit.events.publish(
      { ...event('theirs'), accountId: 'acc_b' },
      { tx: 'new', idempotencyKey: 'k' },
    );
    expect(theirs.replayed).toBe(false);
    expect(theirs.eventId).not.toBe(mine.eventId);
    expect([await idsOf(storage), await idsOf(storage, 'acc_b')]).toEqual([['mine'], ['theirs']]);
  });

  test('a key is kept 30 days', async () => {
    const clock = testClock();
    const { kit, storage } = platform({ clock });
    const first = await kit.events.publish(event(), { tx: 'new', idempotencyKey: 'k' });
    clock.set(start + 30 * day - 1);
    expect(await kit.events.publish(event(), { tx: 'new', idempotencyKey: 'k' })).toEqual({
      eventId: first.eventId,
      replayed: true,
    });
    clock.set(start + 30 * day);
    const other = await kit.events.publish(event('q'), { tx: 'new', idempotencyKey: 'k' });
    expect(other.replayed).toBe(false);
    expect(await idsOf(storage)).toEqual(['p', 'q']);
  });

  describe('across open transactions', () => {
    const waiting = async (second: { readonly id: string; readonly end: 'commit' | 'rollback' }) => {
      const { kit, storage } = platform();
      const [one, two] = [await beginTransaction(storage), await beginTransaction(storage)];
      const first = await kit.events.publish(event('p'), { tx: one.tx, idempotencyKey: 'k' });
      let answered = false;
      const waits = kit.events.tryPublish(event(second.id), { tx: two.tx, idempotencyKey: 'k' });
      const noted = waits.then(() => {
        answered = true;
      });
      await settled();
      expect(answered, 'the second waits until the first ends').toBe(false);
      await one[second.end]();
      await noted;
      const outcome = await waits;
      await two.commit();
      return { first, outcome, ids: await idsOf(storage) };
    };

    test('the second waits, and replays what was committed', async () => {
      const { first, outcome, ids } = await waiting({ id: 'p', end: 'commit' });
      expect(outcome._unsafeUnwrap()).toEqual({ eventId: first.eventId, replayed: true });
      expect(ids).toEqual(['p']);
    });

    test('the second waits, and conflicts with what was committed', async () => {
      const { first, outcome, ids } = await waiting({ id: 'q', end: 'commit' });
      expect(outcome._unsafeUnwrapErr()).toMatchObject({ code: 'idempotency_conflict', eventId: first.eventId });
      expect(ids).toEqual(['p']);
    });

    test('the second waits, and stores when the first rolled back', async () => {
      const { outcome, ids } = await waiting({ id: 'q', end: 'rollback' });
      expect(outcome._unsafeUnwrap().replayed).toBe(false);
      expect(ids).toEqual(['q']);
    });

    test('without a key, or with another key, no transaction waits', async () => {
      const { kit, storage } = platform();
      const [one, two] = [await beginTransaction(storage), await beginTransaction(storage)];
      await kit.events.publish(event('p'), { tx: one.tx, idempotencyKey: 'k' });
      await kit.events.publish(event('p'), { tx: two.tx });
      await kit.events.publish(event('p'), { tx: two.tx, idempotencyKey: 'l' });
      await kit.events.publish({ ...event('p'), accountId: 'acc_b' }, { tx: two.tx, idempotencyKey: 'k' });
      await two.commit();
      await one.commit();
      expect(await idsOf(storage)).toEqual(['p', 'p', 'p']);
    });

    test('exactly one of N simultaneous calls with one key stores', async () => {
      const { kit, storage } = platform();
      const published = await Promise.all(
        Array.from({ length: 20 }, () => kit.events.publish(event(), { tx: 'new', idempotencyKey: 'k' })),
      );
      expect(published.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(new Set(published.map(({ eventId }) => eventId)).size).toBe(1);
      expect(await idsOf(storage)).toEqual(['p']);
    });

    test('in a deadlock of two, one is refused with an error and the other commits', async () => {
      const { kit, storage } = platform();
      const [one, two] = [await beginTransaction(storage), await beginTransaction(storage)];
      await kit.events.publish(event('one-a'), { tx: one.tx, idempotencyKey: 'a' });
      await kit.events.publish(event('two-b'), { tx: two.tx, idempotencyKey: 'b' });
      const waits = kit.events.tryPublish(event('one-b'), { tx: one.tx, idempotencyKey: 'b' });
      await settled();
      const refused = await rejection(kit.events.publish(event('two-a'), { tx: two.tx, idempotencyKey: 'a' }));
      expect(refused.code).toBe('unavailable');
      expect(String(refused.cause)).toContain('Deadlock');
      await two.rollback();
      expect((await waits)._unsafeUnwrap().replayed).toBe(false);
      await one.commit();
      expect(await idsOf(storage)).toEqual(['one-a', 'one-b']);
    });

    test('a deadlock of three is detected too', async () => {
      const { kit, storage } = platform();
      const all = [
        await beginTransaction(storage),
        await beginTransaction(storage),
        await beginTransaction(storage),
      ] as const;
      for (const [index, { tx }] of all.entries())
        await kit.events.publish(event(`own-${index}`), { tx, idempotencyKey: String(index) });
      const first = kit.events.tryPublish(event('a'), { tx: all[0].tx, idempotencyKey: '1' });
      const second = kit.events.tryPublish(event('b'), { tx: all[1].tx, idempotencyKey: '2' });
      await settled();
      const refused = await rejection(kit.events.publish(event('c'), { tx: all[2].tx, idempotencyKey: '0' }));
      expect(String(refused.cause)).toContain('Deadlock');
      await all[2].rollback();
      expect((await second).isOk()).toBe(true);
      await all[1].commit();
      expect((await first)._unsafeUnwrapErr().code).toBe('idempotency_conflict');
      await all[0].commit();
      expect((await idsOf(storage)).sort()).toEqual(['b', 'own-0', 'own-1']);
    });

    test('keys in opposite order inside two batches do not deadlock', async () => {
      const { kit, storage } = platform();
      const batch = (...keys: readonly string[]) => keys.map((key) => ({ ...event(key), idempotencyKey: key }));
      const both = await Promise.all([
        kit.events.publishMany(batch('a', 'b', 'c'), { tx: 'new' }),
        kit.events.publishMany(batch('c', 'b', 'a'), { tx: 'new' }),
      ]);
      expect(both.flat().filter(({ replayed }) => replayed)).toHaveLength(3);
      expect((await idsOf(storage)).sort()).toEqual(['a', 'b', 'c']);
    });
  });
});

test('publishMany with one conflict stores none, even if the rejection is caught', async () => {
  const { kit, storage } = platform();
  await kit.events.publish(event('a'), { tx: 'new', idempotencyKey: 'k' });
  await storage.transaction(async (tx) => {
    const batch = [event('b'), { ...event('c'), idempotencyKey: 'k' }, { ...event('d'), idempotencyKey: 'free' }];
    await kit.events.publishMany(batch, { tx }).catch(() => undefined);
    // The key of an event that was not stored is free again.
    await kit.events.publish(event('e'), { tx, idempotencyKey: 'free' });
  });
  const { items } = await storage.events.listEvents('acc_a', {});
  expect(items.map(({ objectId }) => objectId)).toEqual(['a', 'e']);
});
