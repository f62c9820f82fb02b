import type { NewAuditEntry } from '../../base/audit/audit-entry.ts';
import type { Auditor } from '../../base/audit/auditor.ts';
import type { FactSource } from '../../base/audit/fact-source.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { type DurationMs, day, hour, second } from '../../base/runtime/time.ts';
import { isPulled } from '../endpoints/endpoint-kind.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { FeedKey, FeedProgress, FeedStore } from './feed-store.ts';

/** Maximum number of endpoints per call. */
const pageSize = 100;
/** Time without a request, and age of the first waiting event, after which it is told. */
const silentAfter: DurationMs = day;

/** What {@link createPullFacts} takes. */
export interface PullFactsDeps {
  readonly endpoints: Pick<EndpointStore, 'listAllEndpoints'>;
  readonly feeds: Pick<FeedStore, 'readProgress' | 'readFeed'>;
  readonly auditor: Pick<Auditor, 'fact'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How long entries are stored. An older fact is left out: its entry may have been written and deleted. */
  readonly entriesLast: DurationMs;
}

/**
 * Finds the pull endpoints that no program reads any more, although events wait. One whose events were never read has
 * no program that could have stopped. The endpoints of all accounts are read, so it happens about once an hour.
 */
export const createPullFacts = ({
  endpoints,
  feeds,
  auditor,
  clock,
  entriesLast,
}: PullFactsDeps): FactSource<string> => {
  const silentIn = async (progress: FeedKey & FeedProgress): Promise<readonly NewAuditEntry[]> => {
    const { accountId, endpointId, asked, last, pruned } = progress;
    if (asked === undefined) return [];
    const [now, after] = [clock.now(), Math.max(asked.number, pruned)];
    const at = asked.at + silentAfter;
    if (at > now || at + entriesLast <= now || last <= after) return [];
    const read = await feeds.readFeed(accountId, endpointId, { after, limit: 1, maxLength: 1, places: [] });
    const [oldest] = read?.entries ?? [];
    if (!oldest || oldest.event.timestamp * second + silentAfter > now) return [];
    const by = { type: 'rule', command: 'endpoint.silent' } as const;
    const data = { silentSince: asked.at, waiting: last - after };
    // The id follows from the last request: it stays the same until somebody asks.
    return [auditor.fact(at, { accountId, type: 'endpoint.silent', subjectId: endpointId, by, data })];
  };

  return {
    every: hour,
    readFacts: async (isOwn, after) => {
      const page = await endpoints.listAllEndpoints({ limit: pageSize, ...(after === undefined ? {} : { after }) });
      const pulled = page.items.filter(
        (endpoint) => isPulled(endpoint) && endpoint.state === 'enabled' && isOwn(endpoint.accountId),
      );
      const keys = pulled.map(({ accountId, id: endpointId }) => ({ accountId, endpointId }));
      const entries: NewAuditEntry[] = [];
      if (keys.length > 0) for (const each of await feeds.readProgress(keys)) entries.push(...(await silentIn(each)));
      return { entries, next: page.next };
    },
  };
};
