import { shardOf } from '@partnerkit/core/adapter';
import { expect, inject, test } from 'vitest';
import { statement, value } from '../../src/database/statement.ts';
import { objectHashIn, objectHashOf } from '../../src/events/object-hash.ts';
import { postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));

const hashed = statement`select ${objectHashIn(value('shard', 'int'), 'account', 'object')}::text as hash
  from (select ${value('account', 'text')} as account, ${value('object', 'text')} as object) o`;

test('SQL makes the hash that core makes, of any text and in any shard', async () => {
  const accounts = ['acc', 'acc_ours', 'é', '🏡', "o'\\", ...names(200, 'a')];
  expect(new Set(accounts.map(shardOf)).size).toBeGreaterThan(90);
  for (const account of accounts)
    for (const object of ['pay_1', '\n', 'ü\u{10ffff}']) {
      const values = hashed.bind({ shard: shardOf(account), account, object });
      const { rows } = await database.pool().query(hashed.textIn('partnerkit'), [...values]);
      expect(rows).toEqual([{ hash: objectHashOf(account, object) }]);
    }
});

test('the dispatches of an account have positions in the order of publication', async () => {
  await database.reset({ storeAhead: 0 });
  const kit = openKit(postgresStorage(database.pool()), { sender: arrivals() });
  await addEndpoint(kit, 'ours', 'a');
  const published = names(700, 'p').toReversed();
  for (const objects of [published.slice(0, 650), published.slice(650)])
    await kit.events.publishMany(
      objects.map((object) => payed('ours', object)),
      { tx: 'new' },
    );
  await kit.worker().drain();
  const { rows } = await database.pool().query(`select object_id from partnerkit.events e
    join partnerkit.dispatches d on d.account_id = e.account_id and d.event_id = e.id order by d.position`);
  expect(rows.map(({ object_id }) => object_id)).toEqual(published);
});
