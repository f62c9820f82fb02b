import { expect, test } from 'vitest';
import { minute } from '../../../src/base/runtime/time.ts';
import { memoryRows } from '../../../src/stores/rows/memory/memory-rows.ts';
import { rowStorage } from '../../../src/stores/rows/storage.ts';
import { clients } from '../../../src/stores/rows/tables/clients.ts';
import { endpoints } from '../../../src/stores/rows/tables/endpoints.ts';
import { dispatches } from '../../../src/stores/rows/tables/events.ts';
import { rowTables } from '../../../src/stores/rows/tables/index.ts';
import { shardCount, shardOf } from '../../../src/webhooks/shards/shard.ts';
import { testClock } from '../../support/clock.ts';

test('the dispatches of an account have positions in the order of publication, whatever the order of ids and calls', async () => {
  const rows = memoryRows(rowTables, testClock());
  const { shards, events, deliveries } = rowStorage(rows);
  await shards.join('w', minute);
  await shards.acquire('w', shardCount);
  const ids = ['c', 'a', 'd', 'b'];
  await rows.transaction((tx) =>
    events.append(
      tx,
      ids.map((id) => ({
        ...{ id, accountId: 'acc', objectName: 'RequestPayment', objectId: id, type: 'payed' },
        bodyTail: ',"data":{}}',
      })),
    ),
  );
  const [first, second, ...others] = (await deliveries.readOutbox([{ shard: shardOf('acc') }], 10, 0)).events;
  for (const batch of [[second, first], others])
    await deliveries.dispatch(
      'w',
      batch.flatMap((event) => (event ? [{ event, timestamp: 1, endpointIds: [], propagates: false }] : [])),
      [],
      0,
    );
  const found = await rows.run('read', function* (tx) {
    return yield* tx.scan(dispatches, 'list', [{ prefix: ['acc'] }]);
  });
  expect(found.toSorted((a, b) => a.position - b.position).map(({ id }) => id)).toEqual(ids);
});

test('lists by position read pages up to the last safe integer, and refuse cursors beyond it', async () => {
  const last = Number.MAX_SAFE_INTEGER;
  const rows = memoryRows(rowTables, testClock());
  const storage = rowStorage(rows);
  await rows.run('write', function* (tx) {
    for (const position of [last - 1, last]) {
      const [id, accountId] = [`id_${position}`, 'acc'];
      yield* tx.put(endpoints, [{ accountId, id, position, endpoint: { accountId, id } as never, since: 0 }]);
      yield* tx.put(clients, [{ id, accountId, position, client: { id } as never }]);
    }
  });
  const { listAllClients } = storage.clients;
  for (const [list, cursorOf] of [
    [(page: object) => storage.endpoints.listEndpoints('acc', page), String],
    [(page: object) => listAllClients(page), (position: number | bigint) => `${position} acc`],
  ] as const) {
    const page = await list({ limit: 1 });
    expect([page.items.length, page.next]).toEqual([1, cursorOf(last - 1)]);
    expect((await list({ limit: 1, after: page.next ?? '' })).items.map(({ id }) => id)).toEqual([`id_${last}`]);
    for (const beyond of [2n ** 53n, 9_999_999_999_999_999n, 10n ** 16n])
      expect(await list({ after: cursorOf(beyond) })).toEqual({ items: [], invalidCursor: true });
  }
});
