import { setTimeout as after } from 'node:timers/promises';
import { shardOf } from '@partnerkit/core/ports';
import { hour } from '@partnerkit/core/time';
import { expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { addEndpoint, type Kit, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const pollEvery = 250;
const many = 100_000;

/** Events that were dispatched while the account had no endpoint: every 10 milliseconds one, each of its own object. */
const addOld = (from: number): Promise<unknown> =>
  database.pool().query(
    `with old as (
      insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
      select 'ours', (lpad(to_hex($1::bigint + 10 * nth), 12, '0') || '70008000' || lpad(nth::text, 12, '0'))::uuid,
        'RequestPayment', 'old-' || nth, 'payed', to_timestamp(($1::bigint + 10 * nth) / 1000.0),
        ',"data":{"id":"old-' || nth || '"},"objectName":"RequestPayment","type":"payed"}'
      from generate_series(1, $2::int) nth returning account_id, id, object_id, stored_at
    )
    insert into partnerkit.dispatches (account_id, event_id, shard, object_hash, dispatched_at, timestamp, endpoints)
    select account_id, id, $3::int, hashtextextended(object_id, 0), stored_at, extract(epoch from stored_at)::bigint, '{}'
    from old`,
    [from, many, shardOf('ours')],
  );

/** Replays a time to the end, and tells how many deliveries that made. */
const replay = async (
  { deliveries }: Kit,
  endpointId: string,
  range: { readonly from: number; readonly to: number },
) => {
  let made = 0;
  for (let next: string | undefined; ; ) {
    const batch = await deliveries.replay('ours', endpointId, next === undefined ? range : { ...range, after: next });
    const done = batch._unsafeUnwrap();
    made += done.deliveries;
    next = done.next;
    if (next === undefined) return made;
  }
};

const inLine = async (): Promise<number> => {
  const { rows } = await database.pool().query('select count(*)::int as count from partnerkit.pending');
  return rows[0].count;
};

const open = async () => {
  await database.reset({ storeAhead: 0 });
  const received = arrivals(async () => {
    await after(5);
    return { kind: 'answered', status: 200, body: '', durationMs: 5 };
  });
  const kit = openKit(postgresStorage(database.pool()), { sender: received });
  /** From publishing an event until it arrives. */
  const travel = async (accountId: string, name: string): Promise<number> => {
    const since = performance.now();
    await kit.events.publish(payed(accountId, name), { tx: 'new' });
    await received.all([name]);
    return performance.now() - since;
  };
  /** For the slowest but one of a hundred, in the middle of three hundreds: one event of each account at a time. */
  const medianP99 = async (prefix: string) => {
    const [same, other]: [number[], number[]] = [[], []];
    for (const hundred of names(3, `${prefix}-`)) {
      const times: [number, number][] = [];
      for (const name of names(100, `${hundred}-`))
        times.push(await Promise.all([travel('ours', name), travel('theirs', `${name}-theirs`)]));
      same.push(
        times
          .map(([time]) => time)
          .sort((a, b) => a - b)
          .at(-2) ?? Number.NaN,
      );
      other.push(
        times
          .map(([, time]) => time)
          .sort((a, b) => a - b)
          .at(-2) ?? Number.NaN,
      );
    }
    const middle = (hundreds: number[]): number => Math.round(hundreds.sort((a, b) => a - b)[1] ?? Number.NaN);
    return { same: middle(same), other: middle(other) };
  };
  return { kit, medianP99 };
};

test('a replay of 100,000 events does not delay new events, of the same endpoint and of others', async () => {
  const { kit, medianP99 } = await open();
  const range = { from: Date.now() - 2 * hour, to: Date.now() - hour };
  const endpointId = await addEndpoint(kit, 'ours', 'ours');
  await addEndpoint(kit, 'theirs', 'theirs');
  await addOld(range.from);
  const worker = kit.worker({ pollEvery });
  worker.start();
  try {
    const idle = await medianP99('idle');
    expect(await replay(kit, endpointId, range)).toBe(many);
    const before = await inLine();
    const busy = await medianP99('busy');
    const left = await inLine();
    console.log('p99 in milliseconds, before and during a replay:', { idle, busy, before, left });
    expect(left, 'it goes on all the time').toBeGreaterThan(0);
    expect(left, 'it goes on').toBeLessThan(before);
  } finally {
    await worker.stop();
  }
});
