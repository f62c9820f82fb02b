// The primary dies under load, and its standby takes its place. Prints how long it took, what is lost, and what is
// repeated: docs/operations/scale.md has the figures of a run.
import type { Worker } from '@partnerkit/core';
import type { DeliveryRequest } from '@partnerkit/core/adapter';
import type { Pool } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { elapseHour } from '../support/host-process.ts';
import { openPool } from '../support/host-transactions.ts';
import { brokenLaws } from '../support/invariants.ts';
import { openKit } from '../support/kit.ts';
import { addLoadEndpoints, startLoad } from '../support/load.ts';
import { openPair, type Pair } from './pair.ts';
import { type Readers, startReaders } from './readers.ts';
import { type Way, ways } from './ways.ts';

/** Processes of a host, each with a worker and a load of its own. What they send arrives at one place. */
const openHosts = async (pair: Pair, { open }: Way) => {
  const received = arrivals();
  const errors = new Set<string>();
  const first = openKit(postgresStorage(pair.pool), { sender: received });
  await addLoadEndpoints(first, ['endpoint']);
  const readers = await startReaders(first, await open(pair));
  const hosts: { readonly worker: Worker; readonly load: ReturnType<typeof startLoad> }[] = [];
  /** Starts one more; resolves once all of them have their share of the shards. */
  const start = async (name: string): Promise<void> => {
    const storage = await open(pair);
    const observe: Parameters<typeof openKit>[1]['observe'] = (signal) => {
      if (signal.kind === 'worker_error') errors.add(signal.error.code ?? signal.error.name);
    };
    const kit = openKit(storage, { sender: received, observe });
    const worker = kit.worker();
    worker.start();
    onTestFinished(worker.stop);
    hosts.push({ worker, load: startLoad(kit, `${name} `) });
    const share = 128 / hosts.length;
    await vi.waitUntil(() => hosts.every((host) => host.worker.state().shards === share), { timeout: 60_000 });
  };
  await start('first');
  return { received, errors, hosts, readers, start };
};
type Hosts = Awaited<ReturnType<typeof openHosts>>;

const publishMore = ({ hosts }: Hosts, count: number) => Promise.all(hosts.map(({ load }) => load.more(count)));
const committedBy = ({ hosts }: Hosts): readonly string[] => hosts.flatMap(({ load }) => load.committed);

/** Seconds from the death of the primary. */
const measureFailover = async (pair: Pair, all: Hosts) => {
  const since = performance.now();
  const seconds = (): number => Math.round((performance.now() - since) / 100) / 10;
  await pair.failOver();
  const promoted = seconds();
  await publishMore(all, 1);
  const published = seconds();
  // Each process publishes one event after the other: what comes now begins on the new primary.
  const before = new Set(committedBy(all));
  await publishMore(all, 20);
  await all.received.all(committedBy(all).filter((name) => !before.has(name)));
  return { promoted, published, delivered: seconds() };
};

const unfinished = `select (select count(*)::int from partnerkit.outbox) + (select count(*)::int from partnerkit.pending) as n`;

/** Ends the load, and delivers what is left. */
const finish = async (pool: Pool, { hosts, received }: Hosts): Promise<void> => {
  await Promise.all(hosts.map(({ load }) => load.stop()));
  await Promise.all(hosts.map(({ worker }) => worker.stop()));
  const { drain } = openKit(postgresStorage(pool), { sender: received }).worker();
  do {
    await elapseHour(pool);
    await drain();
  } while ((await pool.query(unfinished)).rows[0].n > 0);
};

const idOf = ({ body }: DeliveryRequest): string => JSON.parse(body).data.id;

/** What the new primary and the receivers have of what was committed. */
const compare = async (pool: Pool, all: Hosts) => {
  const { rows } = await pool.query(`select object_id as id, not exists (select from partnerkit.attempts a
    where a.account_id = e.account_id and a.event_id = e.id) as "isUnlogged"
    from partnerkit.events e join partnerkit.dispatches d on d.account_id = e.account_id and d.event_id = e.id`);
  const stored = new Set<string>(rows.map(({ id }) => id));
  const posts = Map.groupBy(all.received.posts, idOf);
  const isLost = (id: string): boolean => !stored.has(id);
  return {
    committed: committedBy(all).length,
    /** Commits that were confirmed, and are gone. */
    lost: committedBy(all).filter(isLost),
    /** Events that receivers have, and the database has not. */
    sentAndLost: [...posts.keys()].filter(isLost),
    /** Events that were sent more than once, with the same bytes. */
    repeated: [...posts].filter(([, all]) => all.length > 1 && new Set(all.map(({ body }) => body)).size === 1).length,
    /** Events that were dispatched again, with another timestamp. */
    dispatchedAgain: [...posts].filter(([, all]) => new Set(all.map(({ body }) => body)).size > 1).length,
    /** Events that were delivered, of which the log has no attempt. */
    unlogged: rows.filter(({ isUnlogged }) => isUnlogged).length,
    undelivered: [...stored].filter((id) => !posts.has(id)),
  };
};

/** The dispatched events of each account whose reader has others, or has them twice or in another order. */
const wrongReads = async (pool: Pool, { readers }: Readers): Promise<readonly string[]> => {
  const { rows } = await pool.query(`select account_id as account, array_agg(event_id::text order by position) as events
    from partnerkit.dispatches group by account_id`);
  const dispatched = new Map<string, readonly string[]>(rows.map(({ account, events }) => [account, events]));
  return readers.flatMap(({ accountId, kept }) =>
    kept.join() === (dispatched.get(accountId) ?? []).join() ? [] : [accountId],
  );
};

const print = (name: string, found: Awaited<ReturnType<typeof compare>>, seconds: object): void =>
  console.log(
    JSON.stringify({ name, ...seconds, ...found, lost: found.lost.length, sentAndLost: found.sentAndLost.length }),
  );

describe.each(ways)('$name', (way) => {
  if (way.lacks !== undefined) console.log(way.lacks);

  test.skipIf(way.lacks !== undefined)('with a synchronous standby, a failover loses no commit', async () => {
    const pair = await openPair(true);
    const all = await openHosts(pair, way);
    await all.start('second');
    await publishMore(all, 30);
    // The standby hears nothing more: commits wait for it, so long that workers give up.
    pair.holdReplication();
    await vi.waitUntil(() => all.errors.has('no_answer'), { timeout: 600_000 });
    const seconds = await measureFailover(pair, all);
    const pool = openPool({ connectionString: pair.standby.url, max: 4 });
    await finish(pool, all);
    await all.readers.finish();
    const found = await compare(pool, all);
    print(`${way.name}, synchronous`, found, { ...seconds, reads: Object.fromEntries(all.readers.codes) });
    expect(await wrongReads(pool, all.readers)).toEqual([]);
    expect(all.readers.codes.has('cursor_ahead')).toBe(false);
    expect(found).toMatchObject({ lost: [], sentAndLost: [], dispatchedAgain: 0, unlogged: 0, undelivered: [] });
    expect(await brokenLaws(pool, all.received.posts)).toEqual([]);
  });

  test.skipIf(way.lacks !== undefined)('with an asynchronous standby, it loses what the standby had not', async () => {
    const pair = await openPair(false);
    const all = await openHosts(pair, way);
    await publishMore(all, 30);
    await all.received.all(committedBy(all));
    pair.holdReplication();
    // The standby does not hear of it: there, the first worker owns the shards still that it releases for the second.
    await all.start('second');
    await publishMore(all, 10);
    await all.received.all(committedBy(all));
    const seconds = await measureFailover(pair, all);
    const pool = openPool({ connectionString: pair.standby.url, max: 4 });
    await finish(pool, all);
    await all.readers.finish();
    const found = await compare(pool, all);
    print(`${way.name}, asynchronous`, found, { ...seconds, reads: Object.fromEntries(all.readers.codes) });
    // Cursors of lost entries are refused, with the last place that both know: no reader has a gap.
    expect(await wrongReads(pool, all.readers)).toEqual([]);
    expect(all.readers.codes.get('cursor_ahead')).toBeGreaterThan(0);
    expect(found.lost.length).toBeGreaterThanOrEqual(20);
    expect(found.sentAndLost.length).toBeGreaterThanOrEqual(20);
    expect(found.undelivered).toEqual([]);
    expect(all.errors).toContain('CommitsLost');
    // The log lacks attempts that succeeded, and whose outcome the standby had not got.
    const broken = (await brokenLaws(pool)).filter((law) => !law.startsWith('what was dispatched before the mark'));
    expect(broken).toEqual([]);
  });
});
