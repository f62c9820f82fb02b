import { describe, expect, test } from 'vitest';
import { createKeyFacts } from '../../src/access/clients/key-facts.ts';
import { day, hour, minute } from '../../src/base/runtime/time.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { start, testClock } from '../support/clock.ts';
import { loginToken, me } from '../support/http.ts';
import { platform } from '../support/kit.ts';

/** A key that is made at `start`, and the facts that a worker tells of it. */
const world = async (input: { readonly expiresAt?: number } = {}, webhooks = {}) => {
  const clock = testClock();
  const options = { clock, storage: memoryStorage({ clock }), webhooks };
  const { kit } = platform(options);
  const added = (await kit.clients.create('acc_a', { name: 'Till', ...input }))._unsafeUnwrap();
  const { id } = added.client;
  let worker = kit.worker();
  const entries = async () =>
    (await kit.audit.list('acc_a'))._unsafeUnwrap().items.filter(({ type }) => !type.startsWith('key.a'));
  const told = async (type: string) => (await entries()).filter((entry) => entry.type === type);
  const days = async () => (await told('secret.expires_soon')).map(({ data }) => data['days']);
  /** Lets a worker tell what is due at a time after the start. */
  const at = async (time: number): Promise<void> => {
    clock.set(start + time);
    await worker.drain();
  };
  const takeOver = () => {
    worker = platform(options).kit.worker();
  };
  const use = async () => me(kit, (await loginToken(kit, added)) as string, 'acc_a');
  return { kit, options, clock, id, at, told, days, takeOver, use };
};

describe('the end of an API key', () => {
  test('is told 30, 14 and 3 days before, once each, also by workers that follow each other', async () => {
    const { at, days, told, id, takeOver } = await world({ expiresAt: start + 100 * day });
    await at(70 * day - minute);
    expect(await days()).toEqual([]);
    for (const [time, expected] of [
      [70 * day + hour, [30]],
      [71 * day, [30]],
      [86 * day - minute, [30]],
      [86 * day + hour, [30, 14]],
      [97 * day - minute, [30, 14]],
      [97 * day + hour, [30, 14, 3]],
      [100 * day - 1, [30, 14, 3]],
      [101 * day, [30, 14, 3]],
    ] as const) {
      for (let each = 0; each < 2; each++) {
        await at(time);
        takeOver();
      }
      expect(await days()).toEqual(expected);
    }
    const [first] = await told('secret.expires_soon');
    expect(first).toMatchObject({ accountId: 'acc_a', subjectId: id, by: { type: 'rule' } });
    expect(first?.data).toEqual({ days: 30, expiresAt: start + 100 * day });
  });

  test('is told again when it changes, also if both warnings are due at one time', async () => {
    const { at, days, told, kit, id } = await world({ expiresAt: start + 100 * day });
    await at(70 * day + hour);
    (await kit.clients.update('acc_a', id, { expiresAt: start + 84 * day }))._unsafeUnwrap();
    await at(70 * day + 2 * hour);
    expect((await days()).toSorted()).toEqual([14, 30]);
    (await kit.clients.update('acc_a', id, { expiresAt: start + 200 * day }))._unsafeUnwrap();
    await at(170 * day + hour);
    expect((await told('secret.expires_soon')).map(({ data }) => data['expiresAt']).toSorted()).toEqual(
      [84, 100, 200].map((end) => start + end * day),
    );
  });

  test('is told by its nearest warning alone; those before the key existed are left out', async () => {
    const late = await world({ expiresAt: start + 100 * day });
    await late.at(90 * day);
    expect(await late.days()).toEqual([10]);
    const short = await world({ expiresAt: start + 10 * day });
    await short.at(hour);
    expect(await short.days()).toEqual([]);
    await short.at(7 * day);
    expect(await short.days()).toEqual([3]);
  });

  test('is not told of a disabled key, a deleted one, or one without an end', async () => {
    for (const end of ['disable', 'delete'] as const) {
      const { kit, id, at, told } = await world({ expiresAt: start + 40 * day });
      (await kit.clients[end]('acc_a', id))._unsafeUnwrap();
      for (const time of [11 * day, 39 * day, 200 * day]) await at(time);
      expect([...(await told('secret.expires_soon')), ...(await told('key.unused'))]).toEqual([]);
    }
    const { at, days } = await world();
    for (const time of [11 * day, 39 * day]) await at(time);
    expect(await days()).toEqual([]);
  });
});

describe('an API key that nobody uses', () => {
  test('is told after 90 days, once for each such period', async () => {
    const { at, told, use, clock, kit, id, takeOver } = await world();
    const unused = async () => (await told('key.unused')).map(({ data }) => data);
    await at(90 * day - minute);
    expect(await unused()).toEqual([]);
    for (const time of [90 * day + hour, 91 * day, 200 * day]) {
      await at(time);
      takeOver();
    }
    expect(await unused()).toEqual([{ unusedSince: start }]);
    expect((await told('key.unused'))[0]).toMatchObject({ subjectId: id, by: { type: 'rule' } });
    await use();
    await kit.clients.flushUsage();
    const usedAt = clock.now();
    await at(290 * day - minute);
    expect(await unused()).toHaveLength(1);
    await at(290 * day + hour);
    await at(300 * day);
    expect(await unused()).toEqual([{ unusedSince: start }, { unusedSince: usedAt }]);
  });

  test('is in use by calls with an old token alone', async () => {
    const { kit, at, told, id, options } = await world();
    await options.storage.clients.addUsage(
      [{ clientId: id, date: '2025-01-10', calls: 1, lastCallAt: start + 50 * day }],
      '2024-12-12',
    );
    await at(91 * day);
    expect(await told('key.unused')).toEqual([]);
    await at(141 * day);
    expect(await told('key.unused')).toMatchObject([{ data: { unusedSince: start + 50 * day } }]);
    expect((await kit.audit.verify())._unsafeUnwrap().problems).toEqual([]);
  });

  test('is not told again when its entry was deleted', async () => {
    const { at, told, takeOver } = await world({}, { retention: { audit: 10 * day } });
    await at(91 * day);
    expect(await told('key.unused')).toHaveLength(1);
    takeOver();
    await at(101 * day + hour);
    takeOver();
    await at(102 * day);
    expect(await told('key.unused')).toEqual([]);
  });
});

describe('the work of a worker', () => {
  test('reads all keys once an hour', async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    let reads = 0;
    const clients = {
      ...storage.clients,
      listAllClients: (...given: Parameters<typeof storage.clients.listAllClients>) => {
        reads++;
        return storage.clients.listAllClients(...given);
      },
    };
    const worker = platform({ clock, storage: { ...storage, clients } }).kit.worker();
    for (let time = 0; time < 2 * hour; time += 10 * minute) {
      clock.set(start + time);
      await worker.drain();
    }
    expect(reads).toBe(2);
  });

  test('leaves the keys of other shards, and reads no usage of them', async () => {
    const { options, id } = await world({ expiresAt: start + 100 * day });
    const asked: (readonly string[])[] = [];
    const clients = {
      ...options.storage.clients,
      readUsage: async (ids: readonly string[]) => {
        asked.push(ids);
        return [];
      },
    };
    const fact = (at: number, of: object) => ({ id: `${at}`, mac: '', ...of }) as never;
    const now = () => start + 91 * day;
    const source = createKeyFacts({ clients, auditor: { fact }, clock: { now }, entriesLast: 400 * day });
    expect(await source.readFacts(() => false, undefined)).toEqual({ entries: [], next: undefined });
    expect(asked).toEqual([]);
    const { entries } = await source.readFacts((accountId) => accountId === 'acc_a', undefined);
    expect(entries.map(({ type }) => type)).toEqual(['secret.expires_soon', 'key.unused']);
    expect(asked).toEqual([[id]]);
  });
});
