import {
  type DeliveryKey,
  type DeliveryLog,
  deliveryIdOf,
  type SendAgainOutcome,
  shardOf,
} from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { plannedAnew, wakes } from '../database/fragments.ts';
import { sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import { isUnknown } from '../deliveries/recover.ts';
import type { SqlRow } from '../drivers/driver.ts';

const [accountId, eventId, endpointId] = [
  value('accountId', 'text'),
  value('eventId', 'uuid'),
  value('endpointId', 'uuid'),
];
const [replay, shard] = [value('replay', 'int'), value('shard', 'int')];

const ofPair = sql`account_id = ${accountId} and event_id = ${eventId} and endpoint_id = ${endpointId}`;

/** The number of a new delivery for the event and endpoint `d`. */
export const nextReplay = sql`1 + greatest(0,
      (select max(replay) from ${t.attempts} a where a.account_id = d.account_id and a.event_id = d.event_id and a.endpoint_id = d.endpoint_id),
      (select max(replay) from ${t.pending} p where p.account_id = d.account_id and p.event_id = d.event_id and p.endpoint_id = d.endpoint_id))`;

/**
 * Whether the delivery `d` created by dispatch is only in the memory of the shard's owner. The watermark is read once,
 * for all deliveries of a statement.
 */
export const isFresh = sql`exists (
      select 1 from ${t.dispatches} e where e.account_id = d.account_id and e.event_id = d.event_id and d.endpoint_id = any(e.endpoints)
        and e.dispatched_at >= (select watermark from ${t.shards} where shard = ${shard})
    ) and ${isUnknown}`;

/** Makes other calls for the event, and pruning, wait. After it, only the shard's owner changes the rows. */
const lockEvent = statement`select 1 as locked from ${t.dispatches} where account_id = ${accountId} and event_id = ${eventId}
  and ${plannedAnew(accountId)} for no key update`;

const read = statement`select exists (select 1 from ${t.pending} where ${ofPair} and replay = ${replay})::text as pending,
    exists (select 1 from ${t.attempts} where ${ofPair} and replay = ${replay} and state is not null)::text as finished,
    (${isFresh})::text as fresh,
    (select state from ${t.endpoints} where account_id = ${accountId} and id = ${endpointId}) as standing,
    (select min(replay) from ${t.pending} where ${ofPair})::int as unfinished,
    (${nextReplay})::int as next
  from (select ${accountId} as account_id, ${eventId} as event_id, ${endpointId} as endpoint_id) d where ${plannedAnew(accountId)}`;

const hurry = statement`update ${t.pending} set state = 'scheduled', due_at = least(due_at, now()), is_urgent = true
  where ${ofPair} and replay = ${replay} and ${wakes(sql`${shard}::text`)} and ${plannedAnew(accountId)}`;

const insert = statement`insert into ${t.pending}
    (account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since)
  select ${accountId}, ${eventId}, ${endpointId}, ${replay}, ${shard}, 'scheduled', now(), 0, 0, false, true, now() where ${wakes(sql`${shard}::text`)}`;

/** Sends a delivery again. */
export const sendAgain = <Tx extends object>({ shortTransaction }: Database<Tx>): DeliveryLog['sendAgain'] => {
  /** The refusal, or the delivery that already waits. `undefined`: a new delivery may be created. */
  const known = (key: DeliveryKey, row: SqlRow | undefined, hasEvent: boolean): SendAgainOutcome | undefined => {
    const { pending, finished, fresh, standing, unfinished } = row ?? {};
    const ofReplay = (replay: number): string => deliveryIdOf({ ...key, replay });
    const isFreshOne = fresh === 'true';
    const isPending = pending === 'true' && standing !== null;
    if (isPending && standing !== 'enabled') return { kind: 'held' };
    if (isPending || (isFreshOne && key.replay === 0)) return { kind: 'sent', deliveryId: deliveryIdOf(key) };
    if (pending !== 'true' && finished !== 'true') return { kind: 'not_found' };
    if (!hasEvent) return { kind: 'event_dropped' };
    if (standing === null) return { kind: 'endpoint_deleted' };
    if (standing !== 'enabled') return { kind: 'endpoint_disabled' };
    if (isFreshOne) return { kind: 'unfinished', deliveryId: ofReplay(0) };
    return unfinished === null ? undefined : { kind: 'unfinished', deliveryId: ofReplay(Number(unfinished)) };
  };

  return async (key) => {
    const { accountId, eventId, endpointId, replay } = key;
    if (!isUuid(eventId) || !isUuid(endpointId)) return { kind: 'not_found' };
    const shard = shardOf(accountId);
    return shortTransaction(async (own): Promise<SendAgainOutcome> => {
      const hasEvent = (await own(lockEvent, { accountId, eventId })).length > 0;
      const [row] = await own(read, { accountId, eventId, endpointId, replay, shard });
      const found = known(key, row, hasEvent);
      if (found?.kind === 'sent' && row?.['pending'] === 'true')
        await own(hurry, { accountId, eventId, endpointId, replay, shard });
      if (found) return found;
      const next = Number(row?.['next']);
      await own(insert, { accountId, eventId, endpointId, replay: next, shard });
      return { kind: 'sent', deliveryId: deliveryIdOf({ ...key, replay: next }) };
    });
  };
};
