import type { NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import type { FactSource } from '../../base/audit/fact-source.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type DurationMs, day, hour } from '../../base/runtime/time.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { DeliveryLog } from './delivery-log.ts';

/** Maximum number of endpoints per call. */
const pageSize = 100;
/** It is told when no delivery was confirmed for this time, and the first waiting one is due for as long. */
const silentAfter: DurationMs = day;
/** An endpoint whose deliveries are usually confirmed: on this many of the days before. */
const regular = { days: 5, of: 7 } as const;

/** What {@link createPushFacts} takes. */
export interface PushFactsDeps {
  readonly endpoints: Pick<EndpointStore, 'listAllEndpoints'>;
  readonly log: Pick<DeliveryLog, 'countBacklog' | 'readStatistics'>;
  readonly auditor: Pick<Auditor, 'fact'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Finds endpoints with a URL whose deliveries are due, and not made: what fails is told as failing. One call an hour
 * says that nothing is due for so long; otherwise the endpoints of all accounts are read.
 */
export const createPushFacts = ({ endpoints, log, auditor, clock }: PushFactsDeps): FactSource<string> => {
  const isLate = async (accountId?: string): Promise<boolean> => {
    const { oldestDue = 0 } = await log.countBacklog(accountId);
    return oldestDue >= silentAfter;
  };

  const silentOf = async (accountId: string, ids: readonly string[]): Promise<readonly NewAuditEntry[]> => {
    if (!(await isLate(accountId))) return [];
    const now = clock.now();
    const from = now - (regular.of + 2) * day;
    const { endpoints: found, isComplete } = await log.readStatistics(accountId, ids, { from, width: hour });
    return found.flatMap(({ endpointId, buckets, waiting, dueAt }) => {
      const confirmed = buckets.filter(({ delivered }) => delivered > 0).map(({ at }) => at + hour);
      const silentSince = confirmed.at(-1);
      if (silentSince === undefined || dueAt === undefined) return [];
      if (Math.max(silentSince, dueAt) + silentAfter > now) return [];
      const ages = confirmed.map((at) => silentSince - at).filter((age) => age < regular.of * day);
      const days = new Set(ages.map((age) => Math.floor(age / day))).size;
      // Of a busy account, only the newest attempts are read.
      if (isComplete && days < regular.days) return [];
      const by = { type: 'rule', command: 'endpoint.silent' } as const;
      const of = { accountId, type: 'endpoint.silent', subjectId: endpointId, by } as const;
      // The id follows from the last confirmed delivery: it stays the same until there is another one.
      return [auditor.fact(silentSince + silentAfter, { ...of, data: { silentSince, waiting } })];
    });
  };

  return {
    every: hour,
    readFacts: async (isOwn, after) => {
      if (after === undefined && !(await isLate())) return { entries: [], next: undefined };
      const page = await endpoints.listAllEndpoints({ limit: pageSize, ...(after === undefined ? {} : { after }) });
      const own = page.items.filter(({ accountId }) => isOwn(accountId));
      const entries: NewAuditEntry[] = [];
      for (const accountId of new Set(own.map((endpoint) => endpoint.accountId))) {
        const ids = own.filter((endpoint) => endpoint.accountId === accountId).map(({ id }) => id);
        entries.push(...(await silentOf(accountId, ids)));
      }
      return { entries, next: page.next };
    },
  };
};
