import { fileURLToPath } from 'node:url';
import { expect, inject, test, vi } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { useDatabase } from '../support/fixtures.ts';
import { killHosts } from './kill-hosts.ts';

const database = useDatabase(inject('postgres'));
const script = fileURLToPath(new URL('./command-process.ts', import.meta.url));
const kills = sized(4, 20);

const read = async (text: string): Promise<readonly string[]> => {
  const { rows } = await database.pool().query(`select ${text}`);
  return rows.map(({ line }) => line);
};

/** The commands that were committed, by the version that each led to: of a deposit, but for those on its cash-outs. */
const committed = `object || ' ' || id || ' ' || version || ' ' || command as line from (
    select case kind when 'payment' then 'RequestPayment' when 'deposit' then 'RequestSecurityDeposit'
        else 'CashOut' end as object, id, version, entry::json ->> 'command' as command
    from partnerkit.request_history where step = 0 and entry::json ->> 'cashOutId' is null
  ) history order by 1`;
const ledger = `object || ' ' || id || ' ' || version || ' ' || command as line from ledger order by 1`;

/** The money that was moved, by the rows of the host and by those of partnerkit. */
const inLedger =
  "owner || ' ' || kind || ' ' || status || ' ' || cents as line from ledger where kind is not null order by 1";
const inStore = `object_id || ' ' || kind || ' ' || status || ' ' || amount as line
    from partnerkit.request_transactions order by 1`;
/** What the ledger has of each object. */
const balances = `select owner,
    coalesce(sum(cents) filter (where kind = 'authorisation'), 0) as secured,
    coalesce(sum(cents) filter (where kind = 'capture'), 0) as captured,
    coalesce(sum(cents) filter (where kind = 'charge'), 0) as charged,
    coalesce(sum(cents) filter (where kind = 'refund'), 0) as refunded
  from ledger where kind is not null group by owner, status having status = 'succeeded'`;
const sumOf = (name: string): string => `coalesce((record::json -> 'sums' ->> '${name}')::bigint, 0)`;
/** Objects whose sums are not those of the ledger, or that break a law. */
const unbalanced = `id as line from (${balances}) ledger join partnerkit.requests on id = owner
  where (${['authorised', 'secured', 'captured', 'charged', 'refunded'].map(sumOf).join(', ')})
      is distinct from (secured, secured, captured, charged, refunded)
    or captured > secured or refunded > charged + captured`;

/** Waits until the server has ended the transactions of processes that are gone. */
const allRolledBack = (): Promise<boolean> =>
  vi.waitUntil(
    async () =>
      (
        await read(`pid::text as line from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`)
      ).length === 0,
    { timeout: 60_000, interval: 20 },
  );

test('hosts are killed in the middle of commands: the ledger has a row for each committed command alone', async () => {
  await database.reset({ storeAhead: 0 });
  await database.pool().query(`drop table if exists ledger; create table ledger (
    nth bigint generated always as identity, object text, id text, version integer, command text,
    owner text, kind text, status text, cents bigint)`);
  // One command is stopped in its hook, after its row of the ledger; others are under way.
  await killHosts({ command: script, database: database.url(), kills });
  await allRolledBack();

  const commands = await read(committed);
  expect(await read(ledger)).toEqual(commands);
  expect(commands.length).toBeGreaterThan(kills * 40);
  for (const object of ['RequestPayment', 'RequestSecurityDeposit', 'CashOut'])
    expect(commands.some((line) => line.startsWith(`${object} `))).toBe(true);
  // What the hook wrote for commands that were not committed is gone.
  const [written] = await read("nextval('ledger_nth_seq')::text as line");
  expect(Number(written) - 1 - commands.length).toBeGreaterThanOrEqual(kills);
  const moved = await read(inStore);
  expect(await read(inLedger)).toEqual(moved);
  const kinds = moved.map((line) => line.split(' ')[1]);
  expect(new Set(kinds)).toEqual(new Set(['authorisation', 'capture', 'charge', 'refund']));
  expect(await read(unbalanced)).toEqual([]);
  // Each object has the version of its last command, and each entry but those of cash-outs its event.
  expect(
    await read(`r.kind || ' ' || r.id as line from partnerkit.requests r where version is distinct from
      (select max(version) from partnerkit.request_history h where h.kind = r.kind and h.id = r.id)`),
  ).toEqual([]);
  const [events, entries] = await Promise.all([
    read("object_id || ' ' || type as line from partnerkit.events order by 1"),
    read(
      `id || ' ' || (entry::json ->> 'event') as line
        from partnerkit.request_history where kind <> 'cash_out' order by 1`,
    ),
  ]);
  expect(events).toEqual(entries);
});
