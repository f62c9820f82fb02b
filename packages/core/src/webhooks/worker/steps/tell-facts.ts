import type { NewAuditEntry } from '../../../base/audit/audit-entry.ts';
import type { Auditor } from '../../../base/audit/auditor.ts';
import type { Cache } from '../../../base/runtime/cache.ts';
import { type DurationMs, day } from '../../../base/runtime/time.ts';
import type { DisableAfter } from '../../delivery-rules/breaker.ts';
import type { EndpointPlace, FailingEndpoint } from '../../log/delivery-log.ts';
import { shardOf } from '../../shards/shard.ts';
import type { WorkerErrors } from '../context/worker-errors.ts';
import type { WorkerStores } from '../context/worker-stores.ts';
import { callStore } from './step.ts';

/** Maximum number of failing endpoints per call. */
const pageSize = 500;
/** How long before an endpoint is disabled its partner is warned. */
const warnsBefore: DurationMs = day;

/** What {@link tellFacts} works with. */
export interface FactsContext {
  readonly stores: Pick<WorkerStores, 'audit' | 'log'>;
  /** The shards whose facts this worker tells. */
  readonly served: () => readonly number[];
  readonly auditor: Pick<Auditor, 'fact'>;
  readonly disableAfter: DisableAfter;
  /** The ids of entries that this process told: they are not written again. */
  readonly told: Cache<true>;
  readonly errors: WorkerErrors;
}

/** The warning of an endpoint, at the moment from which it was due. */
const disableSoon = (
  { accountId, endpointId, failures, failingSince }: FailingEndpoint,
  { failing }: DisableAfter,
  { fact }: Pick<Auditor, 'fact'>,
): NewAuditEntry => {
  const disabledAt = failingSince + failing;
  return fact(Math.max(disabledAt - warnsBefore, failingSince), {
    ...{ accountId, type: 'endpoint.disable_soon', subjectId: endpointId },
    by: { type: 'rule', command: 'breaker' },
    data: { failures, failingSince, disabledAt },
  });
};

/**
 * Writes entries of the audit trail of what time brought: endpoints that are about to be disabled. Each has the same id
 * whichever worker tells it, so that a shard that moves, and a worker that starts again, tell nothing twice.
 * @param stopped - Aborts to end it between two calls.
 */
export const tellFacts = async (context: FactsContext, stopped: AbortSignal): Promise<void> => {
  const { stores, served, auditor, disableAfter, told } = context;
  const failingFor = Math.max(disableAfter.failing - warnsBefore, 0);

  const tellPage = async (after: EndpointPlace | undefined): Promise<EndpointPlace | undefined> => {
    const page = await stores.log.readFailing(failingFor, { limit: pageSize, ...(after ? { after } : {}) });
    const own = new Set(served());
    const entries = page.endpoints
      .filter(({ accountId }) => own.has(shardOf(accountId)))
      .map((endpoint) => disableSoon(endpoint, disableAfter, auditor))
      .filter(({ id }) => told.get(id) === undefined);
    if (entries.length > 0) await stores.audit.tell(entries);
    for (const { id } of entries) told.set(id, true);
    return page.next;
  };

  const tellAll = async (): Promise<void> => {
    let after = await tellPage(undefined);
    while (after !== undefined && !stopped.aborted) after = await tellPage(after);
  };
  await callStore(context, 'tell', tellAll);
};
