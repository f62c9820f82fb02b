import { monitorEventLoopDelay } from 'node:perf_hooks';
import { shardOf } from '@partnerkit/core/adapter';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createSealer } from '../../../core/src/base/crypto/seal.ts';
import { postgresStorage } from '../../src/index.ts';
import { names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openKit } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const accounts = names(20_000, 'account-');
const endpointsEach = 5;
const eventsEach = 10;
const sealingKey = { id: 'k1', key: new Uint8Array(32).fill(1) };

const uuid = (account: number, nth: number): string =>
  `01934c04-c000-7000-8${String(nth).padStart(3, '0')}-${String(account).padStart(12, '0')}`;

/** 100,000 endpoints, and 1,000,000 queued deliveries of 200,000 events. */
const fill = async () => {
  const { bytes } = { bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };
  const sealer = createSealer([sealingKey], { bytes });
  const query = (text: string, values: readonly unknown[]) => database.pool().query(text, [...values]);
  const [ids, shards] = [accounts, accounts.map(shardOf)];
  for (let nth = 0; nth < endpointsEach; nth++)
    await query(
      `insert into partnerkit.endpoints
        (account_id, id, kind, url, events, state, state_since, standard_webhooks, include_children, created_at, secret, version)
      select account, id, 'push', 'https://partner.example/', '{payed}', 'enabled', now(), false, false, now(), secret, 1
      from unnest($1::text[], $2::uuid[], $3::text[]) e(account, id, secret)`,
      [
        ids,
        ids.map((_, index) => uuid(index, nth)),
        ids.map((id, index) => sealer.seal('whsec_x', [id, uuid(index, nth), 'secret'])),
      ],
    );
  for (let nth = 0; nth < eventsEach; nth++) {
    const events = ids.map((_, index) => uuid(index, 100 + nth));
    await query(
      `with given as (
        select * from unnest($1::text[], $2::uuid[], $3::int[]) e(account, id, shard)
      ), stored as (
        insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
        select account, id, 'RequestPayment', 'p', 'payed', now(), ',"data":{"id":"p"},"objectName":"RequestPayment","type":"payed"}'
        from given
      )
      insert into partnerkit.dispatches (account_id, event_id, shard, object_hash, dispatched_at, timestamp, endpoints)
      select account, id, shard, hashtextextended(account, 0), now(), $4::int, '{}' from given`,
      [ids, events, shards, 1_795_000_000 + nth],
    );
    await query(
      `insert into partnerkit.pending
        (account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since)
      select e.account, e.id, p.id, 0, e.shard, 'queued', now(), 0, 0, false, false, now()
      from unnest($1::text[], $2::uuid[], $3::int[]) e(account, id, shard) join partnerkit.endpoints p on p.account_id = e.account`,
      [ids, events, shards],
    );
  }
  await query('analyze', []);
  await query('update partnerkit.shards set watermark = now()', []);
};

/** The bytes in use after a collection. */
const inUse = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

test('a worker takes over 1,000,000 queued deliveries of 100,000 endpoints in bounded memory', async () => {
  await database.reset({ storeAhead: 0 });
  await fill();
  let sent = 0;
  const kit = openKit(postgresStorage(database.pool()), {
    sender: {
      send: async () => {
        sent++;
        return { kind: 'answered', status: 200, body: '', durationMs: 1 };
      },
    },
  });
  const before = inUse();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const worker = kit.worker();
  worker.start();
  onTestFinished(worker.stop);
  let [mostReady, mostBytes] = [0, 0];
  const until = performance.now() + 120_000;
  while (sent < 100_000 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    mostReady = Math.max(mostReady, worker.state().ready);
    mostBytes = Math.max(mostBytes, inUse() - before);
  }
  await worker.stop();
  const megabytes = Math.round(mostBytes / 1e6);
  console.log(
    JSON.stringify({
      sent,
      mostReady,
      megabytes,
      blockedMs: Math.round(delay.max / 1e6),
      p99: Math.round(delay.percentile(99) / 1e6),
    }),
  );
  // Ten thousand deliveries wait in memory at most, beside what is in flight.
  expect(mostReady).toBeLessThanOrEqual(10_100);
  // About a kilobyte for each endpoint and each delivery in memory.
  expect(megabytes).toBeLessThan(250);
});
