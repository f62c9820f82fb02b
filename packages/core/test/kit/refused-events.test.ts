import { expect, test, vi } from 'vitest';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { platform } from '../support/kit.ts';

const wrong = {
  accountId: 'acc_a',
  objectName: 'RequestPayment',
  type: 'payed',
  data: { id: 'p1', status: 7 },
} as const;

/** A platform that publishes in transactions of the host. */
const world = () => {
  const { kit, storage } = platform();
  const entries = async () => (await kit.audit.list('acc_a'))._unsafeUnwrap().items;
  /** Publishes in a transaction of the host, and says why not. */
  const refuse = (event: object, end: () => void = () => undefined) =>
    storage.transaction(async (tx) => {
      const refused = await kit.events.tryPublish(event as never, { tx });
      end();
      return refused._unsafeUnwrapErr().code;
    });
  return { kit, storage, entries, refuse };
};

test('a refused event has an entry if its transaction commits: object, type and reason, not the data', async () => {
  const { kit, entries, refuse } = world();
  const told: unknown[] = [];
  const handle = async (event: unknown) => told.push(event);
  const worker = kit.worker({ handlers: { alerts: { events: ['Operations.publish.refused'], handle } } });
  await worker.drain();
  expect(await refuse(wrong)).toBe('invalid_event');
  await worker.drain();
  const data = { object: 'RequestPayment', type: 'payed', reason: 'invalid_event' };
  expect(await entries()).toMatchObject([
    { type: 'publish.refused', subjectId: 'RequestPayment', by: { type: 'host' }, data },
  ]);
  expect((await entries())[0]?.data).toEqual(data);
  expect(told).toMatchObject([{ objectName: 'Operations', type: 'publish.refused', accountId: 'acc_a' }]);
});

test('names that the kit does not have are left out of the entry', async () => {
  const { entries, refuse } = world();
  await refuse({ ...wrong, objectName: 'jane@example.org' });
  await refuse({ ...wrong, type: 'jane@example.org' });
  expect((await entries()).map(({ subjectId, data: { object, type } }) => [subjectId, object, type])).toEqual([
    ['unknown', null, null],
    ['RequestPayment', 'RequestPayment', null],
  ]);
});

test('an event without a valid account has an entry that no account sees', async () => {
  const { kit, entries, refuse } = world();
  await refuse({ ...wrong, accountId: '' });
  await refuse(undefined as never);
  expect(await entries()).toEqual([]);
  expect((await kit.audit.listAll())._unsafeUnwrap().items).toMatchObject([
    { accountId: '', subjectId: 'RequestPayment' },
    { accountId: '', subjectId: 'unknown' },
  ]);
});

test('an event with the idempotency key of another one has an entry', async () => {
  const { kit, storage, entries } = world();
  const publish = (id: string) =>
    storage.transaction(async (tx) =>
      kit.events.tryPublish({ ...wrong, data: { id } } as never, { tx, idempotencyKey: 'payment 1' }),
    );
  expect(await publish('p1')).toMatchObject({ value: { replayed: false } });
  expect(await publish('p2')).toMatchObject({ error: { code: 'idempotency_conflict' } });
  expect((await entries()).map(({ data }) => data['reason'])).toEqual(['idempotency_conflict']);
});

test('an entry that cannot be stored leaves the failure as it is, and is reported', async () => {
  const storage = memoryStorage();
  const cause = new Error('no disk');
  const tell = async () => {
    throw cause;
  };
  const onError = vi.fn();
  const { kit } = platform({ storage: { ...storage, audit: { ...storage.audit, tell } }, onError });
  const refused = await storage.transaction(async (tx) => kit.events.tryPublish(wrong as never, { tx }));
  expect(refused).toMatchObject({ error: { code: 'invalid_event' } });
  expect(onError.mock.calls).toEqual([[cause, {}]]);
});

test('a refused event has no entry without a commit of the host', async () => {
  const { kit, storage, entries, refuse } = world();
  const rollback = () => {
    throw new Error('rolled back');
  };
  await expect(refuse(wrong, rollback)).rejects.toThrow('rolled back');
  await expect(storage.transaction((tx) => kit.events.publish(wrong as never, { tx }))).rejects.toThrow();
  for (const tx of ['new', undefined, 7])
    expect(await kit.events.tryPublish(wrong as never, { tx } as never)).toMatchObject({
      error: { code: 'invalid_event' },
    });
  expect((await kit.audit.listAll())._unsafeUnwrap().items).toEqual([]);
  expect(await entries()).toEqual([]);
});
