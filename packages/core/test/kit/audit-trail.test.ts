import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AuditEntry } from '../../src/base/audit/audit-entry.ts';
import type { LinkedEntry } from '../../src/base/audit/audit-store.ts';
import { day, minute } from '../../src/base/runtime/time.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { defineObject } from '../../src/webhooks/catalogue/define-object.ts';
import { testClock } from '../support/clock.ts';
import { answered } from '../support/deliveries.ts';
import { platform } from '../support/kit.ts';

const hook = { url: 'https://partner.example/hooks?token=hidden', events: ['payed'] } as const;
type Kit = ReturnType<typeof platform>['kit'];

const entriesOf = async (kit: Kit, accountId = 'acc_a'): Promise<readonly AuditEntry[]> =>
  (await kit.audit.list(accountId))._unsafeUnwrap().items;
const typesOf = async (kit: Kit) => (await entriesOf(kit)).map(({ type }) => type);
const publish = (kit: Kit) =>
  kit.events.publish(
    { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p1' } },
    { tx: 'new' },
  );

test('an entry says what changed, when, who did it and by which request; it holds no secret', async () => {
  const { kit, clock } = platform();
  const { client, secret } = (await kit.clients.create('acc_a', { name: 'Till' }))._unsafeUnwrap();
  await clock.advance(minute);
  const options = { actor: { type: 'user', id: 'u7' }, requestId: 'req-1' } as const;
  (await kit.clients.update('acc_a', client.id, { name: 'Desk' }, options))._unsafeUnwrap();
  const [, changed] = await entriesOf(kit);
  expect(changed).toMatchObject({
    ...{ accountId: 'acc_a', type: 'key.changed', subjectId: client.id, at: clock.now() },
    ...{ by: options.actor, requestId: 'req-1' },
    data: { change: 'updated', changes: { name: { from: 'Till', to: 'Desk' } } },
  });
  const made = (await kit.endpoints.create('acc_a', hook))._unsafeUnwrap();
  const text = JSON.stringify(await entriesOf(kit));
  for (const hidden of [secret, made.secret, 'hidden', 'digest']) expect(text).not.toContain(hidden);
  expect(text).toContain('https://partner.example/hooks?…');
});

test('another query of a URL is a change, whose text is not shown', async () => {
  const { kit } = platform();
  const { id } = (await kit.endpoints.create('acc_a', hook))._unsafeUnwrap().endpoint;
  (await kit.endpoints.update('acc_a', id, { url: `${hook.url}2` }))._unsafeUnwrap();
  const [, { data } = {}] = await entriesOf(kit);
  const shown = 'https://partner.example/hooks?…';
  expect(data).toEqual({ change: 'updated', changes: { url: { from: shown, to: shown } } });
});

test('an object of the host with the name of events of operation is refused', () => {
  const objects = [defineObject('Operations', { schema: z.object({ id: z.string() }), events: { failing: [] } })];
  expect(() => platform({ objects: objects as never })).toThrow(
    'createPartnerkit: the option objects has Operations, the name of events of operation: rename the object.',
  );
});

test('a request id with a space or of 129 characters is refused', async () => {
  const { kit } = platform();
  for (const requestId of ['a b', 'x'.repeat(129), ''])
    expect(() => kit.clients.create('acc_a', { name: 'Till' }, { requestId })).toThrow(
      'clients.create: requestId is a text of at most 128 visible ASCII characters.',
    );
});

describe('health of endpoints', () => {
  /** An endpoint whose receiver answers as told, and a handler that is told of it. */
  const world = async () => {
    let status = 500;
    const told: unknown[] = [];
    const made = platform({ sender: memorySender(() => answered(status)) });
    const { kit, clock } = made;
    const { id } = (await kit.endpoints.create('acc_a', hook))._unsafeUnwrap().endpoint;
    const worker = kit.worker({
      handlers: {
        alerts: {
          events: ['Operations.endpoint.failing', 'Operations.endpoint.recovered', 'Operations.endpoint.disabled'],
          handle: async ({ objectName, type, data, accountId }) => told.push([objectName, type, data, accountId]),
        },
      },
    });
    const pass = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        await worker.drain();
        await clock.advance(day);
      }
    };
    await worker.drain();
    return { ...made, id, told, pass, worker, answer: (next: number) => (status = next) };
  };

  test('an endpoint that fails and recovers is told once each, to the trail and to handlers', async () => {
    const { kit, id, told, pass, answer } = await world();
    const event = { objectName: 'RequestPayment', type: 'payed', eventId: (await publish(kit)).eventId };
    await pass(6);
    answer(200);
    await pass(3);
    expect(await typesOf(kit)).toEqual([
      ...['endpoint.added', 'endpoint.failing', 'endpoint.disable_soon', 'endpoint.recovered'],
    ]);
    const by = { type: 'rule', command: 'breaker' };
    expect(told).toMatchObject([
      ['Operations', 'endpoint.failing', { id, by, failures: 5, lastFailure: { ...event, outcome: 500 } }, 'acc_a'],
      ['Operations', 'endpoint.recovered', { id, by }, 'acc_a'],
    ]);
  });

  test('an endpoint that answers 410 is disabled by the rule, one of a person by the person', async () => {
    const { kit, id, told, pass, answer } = await world();
    answer(410);
    await publish(kit);
    await pass(2);
    const user = { type: 'user', id: 'u1' } as const;
    (await kit.endpoints.enable('acc_a', id, { actor: user }))._unsafeUnwrap();
    (await kit.endpoints.disable('acc_a', id, { actor: user }))._unsafeUnwrap();
    await pass(1);
    expect(told).toMatchObject([
      [
        'Operations',
        'endpoint.disabled',
        { by: { type: 'rule', command: 'breaker' }, reason: 'gone', lastFailure: { outcome: 410 } },
        'acc_a',
      ],
      ['Operations', 'endpoint.disabled', { by: user, change: 'disabled' }, 'acc_a'],
    ]);
  });

  test('no endpoint and no list of events has an operational event', async () => {
    const { kit } = await world();
    expect(
      await kit.endpoints.create('acc_a', { ...hook, events: ['Operations.endpoint.failing'] as never }),
    ).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect((await kit.events.list('acc_a'))._unsafeUnwrap().items).toEqual([]);
  });
});

describe('verify', () => {
  /** A kit with six linked entries of one account, whose trail reads as told. */
  const world = async (tamper: (linked: readonly LinkedEntry[]) => readonly LinkedEntry[] = (all) => all) => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const { readLinked } = storage.audit;
    const audit = {
      ...storage.audit,
      readLinked: async (shard: number, after: number, limit: number) =>
        tamper(await readLinked(shard, 0, limit)).filter(({ position }) => position > after),
    };
    const { kit } = platform({ clock, storage: { ...storage, audit } });
    // A key that has ended brings no entry later.
    const expiresAt = clock.now() + day;
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      (await kit.clients.create('acc_a', { name, expiresAt }))._unsafeUnwrap();
    await kit.worker().drain();
    return { kit, clock, storage };
  };
  const problemsOf = async (kit: Kit) =>
    (await kit.audit.verify())._unsafeUnwrap().problems.map(({ kind, position }) => [kind, position]);
  const without = (place: number) => (all: readonly LinkedEntry[]) => all.filter(({ position }) => position !== place);
  const with3 = (change: object) => (all: readonly LinkedEntry[]) =>
    all.map((entry) => (entry.position === 3 ? { ...entry, ...change } : entry));

  test('nothing is wrong with what workers linked, and new entries wait for their link', async () => {
    const { kit } = await world();
    (await kit.clients.create('acc_b', { name: 'g' }))._unsafeUnwrap();
    expect((await kit.audit.verify())._unsafeUnwrap()).toEqual({ linked: 6, unlinked: 1, problems: [] });
  });

  test.each([
    ['a changed actor', with3({ by: { type: 'host', id: 'nobody' } }), [['foreign', 3]]],
    ['a changed time', with3({ at: 1 }), [['changed', 3]]],
    [
      'a changed link',
      with3({ link: 'x' }),
      [
        ['changed', 3],
        ['changed', 4],
      ],
    ],
    ['a removed entry', without(3), [['missing', 4]]],
    ['a removed first entry', without(1), [['missing', 2]]],
    ['a removed last entry', without(6), [['missing', 6]]],
    [
      'two entries that changed places',
      (all: readonly LinkedEntry[]) =>
        all.map((entry) => {
          const other = entry.position === 3 ? all[3] : entry.position === 4 ? all[2] : entry;
          return { ...(other ?? entry), position: entry.position, link: entry.link };
        }),
      [
        ['changed', 3],
        ['changed', 4],
      ],
    ],
    [
      'an entry put in at the end',
      (all: readonly LinkedEntry[]) =>
        all.length < 6 ? all : [...all, { ...(all[5] as LinkedEntry), position: 7, link: 'x' }],
      [['changed', 7]],
    ],
  ])('%s is found', async (_name, tamper, problems) => {
    const { kit } = await world(tamper);
    expect(await problemsOf(kit)).toEqual(problems);
  });

  test('an entry that was put in before it was linked is found', async () => {
    const { kit, storage } = await world();
    const [copied] = await entriesOf(kit);
    const put = { ...(copied as AuditEntry), id: '01930000-0000-7000-8000-000000000001', subjectId: 'key_of_nobody' };
    await storage.clients.revokeToken('jti', 1, put);
    expect(await problemsOf(kit)).toEqual([['foreign', 0]]);
    await kit.worker().drain();
  });

  test('entries of 400 days are deleted, and the rest verifies', async () => {
    const { kit, clock } = await world();
    await clock.advance(400 * day - 1);
    (await kit.clients.create('acc_a', { name: 'later' }))._unsafeUnwrap();
    await kit.worker().drain();
    expect((await kit.audit.verify())._unsafeUnwrap()).toEqual({ linked: 7, unlinked: 0, problems: [] });
    await clock.advance(day);
    await kit.worker().drain();
    expect((await kit.audit.verify())._unsafeUnwrap()).toEqual({ linked: 1, unlinked: 0, problems: [] });
    expect(await entriesOf(kit)).toMatchObject([{ data: { changes: { name: { to: 'later' } } } }]);
  });
});
