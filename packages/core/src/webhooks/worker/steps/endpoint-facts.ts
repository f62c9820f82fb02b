import type { NewAuditEntry } from '../../../base/audit/audit-entry.ts';
import type { Auditor } from '../../../base/audit/auditor.ts';
import type { FactSource } from '../../../base/audit/fact-source.ts';
import { type DurationMs, day, minute } from '../../../base/runtime/time.ts';
import type { DisableAfter } from '../../delivery-rules/breaker.ts';
import type { EndpointPlace, FailingEndpoint } from '../../log/delivery-log.ts';
import type { WorkerStores } from '../context/worker-stores.ts';

/** Maximum number of failing endpoints per call. */
const pageSize = 500;
/** Approximate interval of telling. */
const tellEvery: DurationMs = 10 * minute;
/** How long before an endpoint is disabled its partner is warned. */
const warnsBefore: DurationMs = day;

/** What {@link createEndpointFacts} takes. */
export interface EndpointFactsDeps {
  readonly log: Pick<WorkerStores['log'], 'readFailing'>;
  readonly auditor: Pick<Auditor, 'fact'>;
  readonly disableAfter: DisableAfter;
}

/** The warning of an endpoint, at the moment from which it was due. */
const disableSoon = (
  { accountId, endpointId, failures, failingSince, lastFailure }: FailingEndpoint,
  { failing }: DisableAfter,
  { fact }: Pick<Auditor, 'fact'>,
): NewAuditEntry => {
  const disabledAt = failingSince + failing;
  return fact(Math.max(disabledAt - warnsBefore, failingSince), {
    ...{ accountId, type: 'endpoint.disable_soon', subjectId: endpointId },
    by: { type: 'rule', command: 'breaker' },
    data: { failures, failingSince, disabledAt, ...(lastFailure ? { lastFailure } : {}) },
  });
};

/** Finds the endpoints that are about to be disabled. */
export const createEndpointFacts = (deps: EndpointFactsDeps): FactSource<EndpointPlace> => {
  const { log, auditor, disableAfter } = deps;
  const failingFor = Math.max(disableAfter.failing - warnsBefore, 0);
  return {
    every: tellEvery,
    readFacts: async (isOwn, after) => {
      const { endpoints, next } = await log.readFailing(failingFor, { limit: pageSize, ...(after ? { after } : {}) });
      const own = endpoints.filter(({ accountId }) => isOwn(accountId));
      return { entries: own.map((endpoint) => disableSoon(endpoint, disableAfter, auditor)), next };
    },
  };
};
