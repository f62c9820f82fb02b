import { type DispatchedEvent, envelopeText, type NewEvent } from '@partnerkit/core/ports';
import { ms } from '../database/fragments.ts';
import type { SqlRow } from '../drivers/driver.ts';

/** The columns of a dispatched event `e`, without its account. @internal */
export const eventColumns = {
  event: 'e.id::text',
  name: 'e.object_name',
  object: 'e.object_id',
  type: 'e.type',
  timestamp: 'e.timestamp::float8',
  tail: 'e.body_tail',
  occurred: ms('e.occurred_at'),
  key: 'e.idempotency_key',
  trace: 'e.trace_context',
  only: 'e.only_to::text',
  origin: 'e.origin',
} as const;

type Texts = 'idempotencyKey' | 'traceContext' | 'onlyTo' | 'origin';

/** The optional fields of an event. @internal */
export const optionalFields = (row: SqlRow): Pick<NewEvent, Texts | 'occurredAt'> => ({
  ...(row['occurred'] === null ? {} : { occurredAt: Number(row['occurred']) }),
  ...(row['key'] === null ? {} : { idempotencyKey: String(row['key']) }),
  ...(row['trace'] === null ? {} : { traceContext: String(row['trace']) }),
  ...(row['only'] === null ? {} : { onlyTo: String(row['only']) }),
  ...(row['origin'] === null ? {} : { origin: String(row['origin']) }),
});

/** A dispatched event from its row. @internal */
export const dispatchedEventOf = (row: SqlRow, accountId: string): DispatchedEvent => {
  const [timestamp, bodyTail] = [Number(row['timestamp']), String(row['tail'])];
  return {
    id: String(row['event']),
    accountId,
    objectName: String(row['name']),
    objectId: String(row['object']),
    type: String(row['type']),
    bodyTail,
    timestamp,
    body: envelopeText(timestamp, bodyTail),
    ...optionalFields(row),
  };
};
