import { maxCounted } from '../../../base/signals/health-change.ts';
import type { DisabledBy } from '../../../webhooks/endpoints/endpoint.ts';
import {
  type HealthSnapshot,
  maxCountedOfEndpoint,
  maxTroubled,
  type TroubledEndpoint,
} from '../../../webhooks/log/health-snapshot.ts';
import type { ReportRow, SqlReports } from '../port/sql-reports.ts';
import { membersOf } from '../shards/members.ts';
import { pending } from '../tables/deliveries.ts';
import { endpointHistory, health } from '../tables/endpoints.ts';
import { dispatches, events, outbox } from '../tables/events.ts';
import { shards, workers } from '../tables/shards.ts';
import { countTo, maxEndpoints, queueColumns, queues, sameIn, storedQueues } from './parts.ts';

const numbers = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'] as const;
const columns = {
  part: 'number',
  id: 'text',
  endpoint_id: 'text',
  reason: 'text',
  n0: 'number',
  n1: 'number',
  n2: 'number',
  n3: 'number',
  n4: 'number',
  n5: 'number',
  n6: 'number',
} as const;
type Row = ReportRow<typeof columns>;

/** What the rows of a statement are. */
const part = { store: 0, worker: 1, owner: 2, endpoint: 3 } as const;

/** A select of the union. Numbers that it has not are null. */
const select = (of: number, texts: readonly [string, string, string], values: readonly string[]): string =>
  `select ${[`${of} as part`, `${texts[0]} as id`, `${texts[1]} as endpoint_id`, `${texts[2]} as reason`].join(', ')}, ${numbers
    .map((name, at) => `${values[at] ?? 'null'} as ${name}`)
    .join(', ')}`;

const byKey = 'account_id, endpoint_id';

/** The endpoints that are named, with their turn: the first of each list, then the second of each. */
const chosen = ({ table, literal }: SqlReports): string => {
  const failing = `select ${byKey}, 0 as list, row_number() over (order by failing_since, ${byKey}) as place from (
      select * from (
        select h.account_id, h.endpoint_id, h.failing_since from ${table(health, 'h', 'all')}
        order by h.account_id, h.endpoint_id limit ${maxEndpoints}
      ) some order by failing_since, ${byKey} limit ${maxTroubled}) longest`;
  const waiting = `select ${byKey}, list, row_number() over (partition by list order by due_at, ${byKey}) as place from (
      select ${byKey}, due_at, case when state = ${literal('disabled_by_breaker')} then 1 else 2 end as list from visits
      where state = ${literal('disabled_by_breaker')}
        or (state = ${literal('enabled')} and due_at <= (select at from moment))) waiting`;
  return `select ${byKey}, min(3 * place + list) as turn from (
      ${failing} union all select * from (${waiting}) ranked where place <= ${maxTroubled}
    ) lists group by ${byKey} order by min(3 * place + list), ${byKey} limit ${maxTroubled}`;
};

/** The limit of the endpoints lets a database read their shards once, not again for each delivery. */
const textOf = (reports: SqlReports): string => {
  const { join, table, literal } = reports;
  const ofEndpoint = `${table(pending, 'p', 'endpoint')} where ${sameIn('p', 'c', queueColumns)}`;
  const reason = `(select case when e.state <> ${literal('enabled')} then e.disabled_by end
      from ${table(endpointHistory, 'e', 'endpoint')} where ${sameIn('e', 'c', ['account_id', 'endpoint_id'])}
      order by e.\`from\` desc limit 1)`;
  const oldest = `(select e.stored_at from ${table(outbox, 'o', 'position')}
      ${join} ${table(events, 'e', 'list')} on e.account_id = o.account_id and e.id = o.id order by o.position limit 1)`;
  const failing = countTo(maxCounted, table(health, 'h', 'all'));
  return `with recursive moment as (select ? as at),
  ${queues(reports)},
  visits as (${storedQueues(reports)}),
  chosen as (${chosen(reports)})
  ${select(part.store, ['null', 'null', 'null'], ['(select at from moment)', failing, oldest])}
  union all ${select(part.worker, ['w.id', 'null', 'null'], ['w.expires_at', 'w.is_stopping'])}
    from ${table(workers, 'w', 'expiry')}
  union all ${select(part.owner, ['s.owner', 'null', 'null'], ['count(*)'])}
    from ${table(shards, 's', 'all')} group by s.owner
  union all ${select(
    part.endpoint,
    ['c.account_id', 'c.endpoint_id', reason],
    [
      ...['c.turn', 'h.failures', 'h.failing_since', 'h.open_until', 'h.retry_after_until'],
      countTo(maxCountedOfEndpoint, ofEndpoint),
      `(select p.due_at from ${ofEndpoint} order by p.due_at limit 1)`,
    ],
  )}
    from (
      select c.account_id, c.endpoint_id, c.turn, (
        select d.shard from ${table(dispatches, 'd', 'list')} where d.account_id = c.account_id limit 1) as shard
      from chosen c limit ${maxTroubled}
    ) c left join ${table(health, 'h', 'all')} on ${sameIn('h', 'c', ['account_id', 'endpoint_id'])}`;
};

const troubledOf = (row: Row, now: number): TroubledEndpoint => {
  const { id = '', endpoint_id = '', reason, n1: failures, n2: failingSince, n5: unfinished = 0 } = row;
  const until = Math.max(row.n3 ?? 0, row.n4 ?? 0);
  const due = row.n6 ?? Number.POSITIVE_INFINITY;
  return {
    ...{ accountId: id, endpointId: endpoint_id, failures: failures ?? 0, unfinished },
    ...(failingSince === undefined ? {} : { failingSince }),
    ...(until > now ? { pausedUntil: until } : {}),
    ...(reason === undefined ? {} : { disabledBy: reason as DisabledBy }),
    ...(due <= now ? { oldestDue: now - due } : {}),
  };
};

/** Reads the health of the store by one statement. */
export const reportHealthSnapshot = (reports: SqlReports): (() => Promise<HealthSnapshot>) => {
  const text = textOf(reports);
  return async () => {
    const found = await reports.read(text, ['now'], columns);
    const of = (wanted: number): readonly Row[] => found.filter((row) => row.part === wanted);
    const [{ n0: now = 0, n1: failingEndpoints = 0, n2: storedAt } = {} as Partial<Row>] = of(part.store);
    const members = of(part.worker).map(({ id = '', n0: expiresAt = 0, n1 }) => ({
      id,
      expiresAt,
      isStopping: n1 === 1,
    }));
    const owners = of(part.owner).map(({ id, n0 = 0 }) => [id, n0] as const);
    return {
      now,
      ...(storedAt === undefined ? {} : { oldestUndispatched: Math.max(now - storedAt, 0) }),
      ...membersOf(members, owners, now),
      failingEndpoints,
      endpoints: of(part.endpoint)
        .toSorted((a, b) => (a.n0 ?? 0) - (b.n0 ?? 0))
        .map((row) => troubledOf(row, now)),
    };
  };
};
