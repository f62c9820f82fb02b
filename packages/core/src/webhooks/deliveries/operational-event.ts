import { type AuditEntry, operationsObject } from '../../base/audit/audit-entry.ts';
import { toSeconds } from '../../base/runtime/time.ts';
import { envelopeRest, envelopeText } from '../envelope/envelope.ts';
import type { DispatchedEvent } from '../events/event.ts';

/** An entry of the audit trail as an event for handlers. Stores use it. @internal */
export const operationalEvent = ({ id, accountId, at, type, subjectId, by, data }: AuditEntry): DispatchedEvent => {
  const timestamp = Math.floor(toSeconds(at));
  const bodyTail = envelopeRest({ id: subjectId, by, ...data }, operationsObject, type);
  const body = envelopeText(timestamp, bodyTail);
  return { id, accountId, objectName: operationsObject, objectId: subjectId, type, timestamp, bodyTail, body };
};
