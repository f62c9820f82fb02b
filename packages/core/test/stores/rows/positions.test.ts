import { expect, test } from 'vitest';
import { minute } from '../../../src/base/runtime/time.ts';
import { memoryRows } from '../../../src/stores/rows/memory/memory-rows.ts';
import { rowStorage } from '../../../src/stores/rows/storage.ts';
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
