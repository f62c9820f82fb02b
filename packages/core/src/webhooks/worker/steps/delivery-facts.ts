import type { NewAuditEntry } from '../../../base/audit/audit-entry.ts';
import type { Auditor } from '../../../base/audit/auditor.ts';
import type { FactSource } from '../../../base/audit/fact-source.ts';
import { type DurationMs, hour, minute } from '../../../base/runtime/time.ts';
import type { FailedHour, FailedHourKey } from '../../log/delivery-log.ts';
import type { WorkerStores } from '../context/worker-stores.ts';

/** Maximum number of hours per call. */
const pageSize = 500;
/** Approximate interval of telling. */
const tellEvery: DurationMs = 10 * minute;
/** How long after an hour its number is final: a transaction that counts in it has ended. */
const settledAfter: DurationMs = 5 * minute;

/** What {@link createDeliveryFacts} takes. */
export interface DeliveryFactsDeps {
  readonly log: Pick<WorkerStores['log'], 'readFailedHours' | 'deleteFailedHours'>;
  readonly auditor: Pick<Auditor, 'fact'>;
}

/** The entry of an hour, at its end. */
const entryOf = (
  { accountId, endpointId, hour: from, state, deliveries }: FailedHour,
  { fact }: Pick<Auditor, 'fact'>,
): NewAuditEntry =>
  fact(from + hour, {
    ...{ accountId, type: `delivery.${state}`, subjectId: endpointId },
    by: { type: 'rule', command: 'delivery' },
    data: { count: deliveries, from, to: from + hour },
  });

/**
 * Finds the endpoints with failed deliveries, hour by hour. An hour is deleted once its entry is stored; the derived id
 * of the entry makes a repetition in between harmless.
 */
export const createDeliveryFacts = ({ log, auditor }: DeliveryFactsDeps): FactSource<FailedHourKey> => ({
  every: tellEvery,
  readFacts: async (isOwn, after) => {
    const found = await log.readFailedHours(settledAfter, { limit: pageSize, ...(after ? { after } : {}) });
    const own = found.filter(({ accountId }) => isOwn(accountId));
    return {
      entries: own.map((each) => entryOf(each, auditor)),
      next: found.length === pageSize ? found.at(-1) : undefined,
      stored: async () => {
        if (own.length > 0) await log.deleteFailedHours(own);
      },
    };
  },
});
