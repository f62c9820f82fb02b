import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { Client, ClientStore, UsageDay } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import type { Cases } from '../support/contract.ts';
import { race, racers } from '../support/racers.ts';
import { client, newId, theirs } from '../support/records.ts';

/** No day is deleted. */
const everything = '1970-01-01';

/** Stores three clients, and days of the second; these must be unchanged after `act`. */
const beside =
  (act: (clients: ClientStore, stored: Client, third: Client) => Promise<void>) =>
  async ({ storage: { clients } }: StorageFixture): Promise<void> => {
    const [stored, other, third] = [client(), client({ accountId: theirs }), client()];
    for (const each of [stored, other, third]) await clients.insertClient(each);
    const days = [dayOf(other, '2024-01-31', 1, 1_000), dayOf(other, '2024-02-29', 2, 3_000)];
    await clients.addUsage(days, everything);
    await act(clients, stored, third);
    deepStrictEqual(await usage(clients, other), days);
  };

const dayOf = ({ id }: Pick<Client, 'id'>, date: string, calls: number, lastCallAt: number): UsageDay => ({
  clientId: id,
  date,
  calls,
  lastCallAt,
});

const inOrder = (days: readonly UsageDay[]): readonly UsageDay[] =>
  days.toSorted((a, b) => (`${a.clientId} ${a.date}` < `${b.clientId} ${b.date}` ? -1 : 1));

const usage = async (clients: ClientStore, ...of: readonly Pick<Client, 'id'>[]): Promise<readonly UsageDay[]> =>
  inOrder(await clients.readUsage(of.map(({ id }) => id)));

/** The obligations on the calls of clients. */
export const usageCases: Cases<StorageFixture> = {
  'calls are added by client and day, and read for several clients': beside(async (clients, stored, third) => {
    deepStrictEqual(await usage(clients, stored), []);
    const first = dayOf(stored, '2024-02-28', 3, 1_709_078_400_001);
    const next = dayOf(stored, '2024-02-29', 1, 1_709_164_800_002);
    const others = dayOf(third, '2024-02-29', 5_000_000_000, 1_709_164_800_003);
    await clients.addUsage([next, first, others], everything);
    deepStrictEqual(await usage(clients, stored), [first, next]);
    await clients.addUsage([dayOf(stored, '2024-02-29', 40, 1_709_164_900_000)], everything);
    const added = { ...next, calls: 41, lastCallAt: 1_709_164_900_000 };
    deepStrictEqual(await usage(clients, stored, third, { id: newId() }), inOrder([first, added, others]));
    deepStrictEqual(await clients.readUsage([]), []);
  }),
  'a late record of calls moves neither the last call nor the last refusal back': beside(async (clients, stored) => {
    const later = { at: 9_000, reason: 'too_many_requests' } as const;
    await clients.addUsage([{ ...dayOf(stored, '2024-02-29', 1, 9_000), lastRefusal: later }], everything);
    const earlier = { at: 8_000, reason: 'insufficient_scope' } as const;
    await clients.addUsage([{ ...dayOf(stored, '2024-02-29', 1, 8_000), lastRefusal: earlier }], everything);
    await clients.addUsage([dayOf(stored, '2024-02-29', 1, 8_500)], everything);
    deepStrictEqual(await usage(clients, stored), [{ ...dayOf(stored, '2024-02-29', 3, 9_000), lastRefusal: later }]);
    const last = { at: 9_500, reason: 'insufficient_scope' } as const;
    await clients.addUsage([{ ...dayOf(stored, '2024-02-29', 1, 9_500), lastRefusal: last }], everything);
    deepStrictEqual(await usage(clients, stored), [{ ...dayOf(stored, '2024-02-29', 4, 9_500), lastRefusal: last }]);
  }),
  'simultaneous records of calls lose nothing': beside(async (clients, stored, third) => {
    await race((index) => {
      const days = [stored, third].flatMap((each) =>
        ['2024-02-28', '2024-02-29'].map((date) => dayOf(each, date, 1 + index, 1_000 + index)),
      );
      return clients.addUsage(index % 2 ? days : days.toReversed(), '2024-02-01');
    });
    const calls = (racers * (racers + 1)) / 2;
    const days = [stored, third].flatMap((each) =>
      ['2024-02-28', '2024-02-29'].map((date) => dayOf(each, date, calls, 1_000 + racers - 1)),
    );
    deepStrictEqual(await usage(clients, stored, third), inOrder(days));
  }),
  'old days of the named clients are deleted, and of no other': beside(async (clients, stored, third) => {
    const [old, kept] = [dayOf(stored, '2024-01-01', 1, 1_000), dayOf(stored, '2024-01-02', 1, 2_000)];
    const silent = dayOf(third, '2024-01-01', 1, 1_000);
    await clients.addUsage([old, kept, silent], everything);
    const today = dayOf(stored, '2024-01-31', 1, 3_000);
    await race(() => clients.addUsage([today], '2024-01-02'));
    deepStrictEqual(await usage(clients, stored, third), inOrder([silent, kept, { ...today, calls: racers }]));
  }),
  'calls of an unknown client are no error, and hinder no other': beside(async (clients, stored) => {
    const known = dayOf(stored, '2024-02-29', 1, 1_000);
    const unknown = ['none', newId(), `'"\\ é`].map((id) => dayOf({ id }, '2024-02-29', 1, 1_000));
    await clients.addUsage([...unknown, known], everything);
    deepStrictEqual(await clients.readUsage([stored.id, ...unknown.map(({ clientId }) => clientId)]), [known]);
    await clients.addUsage([], everything);
  }),
  'calls do not change a client, and a change keeps them': beside(async (clients, stored) => {
    const known = dayOf(stored, '2024-02-29', 1, 1_000);
    await clients.addUsage([known], everything);
    deepStrictEqual(await clients.findClient(stored.id), stored);
    strictEqual(await clients.replaceClient({ ...stored, name: 'Renamed' }), true);
    deepStrictEqual(await usage(clients, stored), [known]);
  }),
  'calls are deleted with their client': beside(async (clients, stored) => {
    await clients.addUsage([dayOf(stored, '2024-02-29', 1, 1_000)], everything);
    await race(async (index) => {
      if (index === 10) ok(await clients.deleteClient(stored));
      else await clients.addUsage([dayOf(stored, '2024-02-29', 1, 1_000)], everything);
    });
    deepStrictEqual(await usage(clients, stored), []);
    await clients.insertClient(stored);
    deepStrictEqual(await usage(clients, stored), []);
    strictEqual(await clients.deleteClient(stored), true);
  }),
};
