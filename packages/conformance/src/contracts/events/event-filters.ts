import { deepStrictEqual } from 'node:assert';
import type { EventFilter, EventPairs, PageRequest } from '@partnerkit/core';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { dispatchAll, publish } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { allPages, badCursors } from '../support/pages.ts';
import { event, ours, theirs } from '../support/records.ts';

/** Filters and cursors of lists. */
export const eventFilterCases: Cases<StorageFixture> = {
  'events match every given filter, with any page size': async ({ storage }) => {
    const published = Array.from({ length: 12 }, (_, index) =>
      event({
        objectName: index % 4 === 3 ? 'RequestSecurityDeposit' : 'RequestPayment',
        objectId: `object ${index % 3}`,
        type: index % 2 === 0 ? 'payed' : 'cancel',
      }),
    );
    await publish(storage, [...published.slice(0, 6), event({ accountId: theirs, objectId: 'object 0' })]);
    await dispatchAll(storage);
    await publish(storage, published.slice(6));
    const timeOf = (index: number): number =>
      Number.parseInt(published[index]?.id.replace('-', '').slice(0, 12) ?? '', 16);
    const [from, to] = [timeOf(3), timeOf(9)];
    const filters: readonly (readonly [EventFilter<EventPairs>, readonly number[]])[] = [
      [{ objectName: 'RequestSecurityDeposit' }, [3, 7, 11]],
      [{ objectId: 'object 0' }, [0, 3, 6, 9]],
      [{ objectName: 'RequestPayment', objectId: 'object 1', type: 'cancel' }, [1]],
      [{ type: 'payed' }, [0, 2, 4, 6, 8, 10]],
      [{ objectId: 'no such object' }, []],
      [{ from }, [3, 4, 5, 6, 7, 8, 9, 10, 11]],
      [{ from, to, type: 'cancel' }, [3, 5, 7]],
      [{ from: to, to: from }, []],
    ];
    for (const [filter, places] of filters) {
      const expected = places.map((place) => published[place]?.id);
      for (const [limit, newestFirst] of [
        [1, false],
        [4, true],
        [100, false],
      ] as const) {
        const read = (page: PageRequest) => storage.events.listEvents(ours, { ...page, newestFirst }, filter);
        const found = (await allPages(read, { limit })).map(({ id }) => id);
        deepStrictEqual(found, newestFirst ? expected.toReversed() : expected);
      }
      deepStrictEqual(await storage.events.listEvents('acc_nobody', {}, filter), { items: [] });
    }
  },
  'an invalid cursor is reported': async ({ storage: { clients, endpoints, events: store } }) => {
    for (const after of badCursors)
      for (const page of [
        await clients.listClients(ours, { after }),
        await endpoints.listEndpoints(ours, { after }),
        await store.listEvents(ours, { after }),
        await store.listEvents(ours, { after, newestFirst: true }, { type: 'payed' }),
      ])
        deepStrictEqual(page, { items: [], invalidCursor: true }, after);
  },
};
