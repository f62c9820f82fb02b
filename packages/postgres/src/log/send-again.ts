import {
  type DeliveryKey,
  type DeliveryLog,
  deliveryIdOf,
  type SendAgainOutcome,
  shardOf,
} from '@partnerkit/core/ports';
import type { Database } from '../database/database.ts';
import { plannedAnew, wakes } from '../database/fragments.ts';
import { isUuid } from '../database/uuid.ts';
import { isUnknown } from '../deliveries/recover.ts';
import type { SqlRow } from '../drivers/driver.ts';

const ofPair = 'account_id = $1 and event_id = $2::uuid and endpoint_id = $3::uuid';

/** The number of a new delivery for the event and endpoint `d`. @internal */
export const nextReplay = `1 + greatest(0,
      (select max(replay) from partnerkit.attempts a where a.account_id = d.account_id and a.event_id = d.event_id and a.endpoint_id = d.endpoint_id),
      (select max(replay) from partnerkit.pending p where p.account_id = d.account_id and p.event_id = d.event_id and p.endpoint_id = d.endpoint_id))`;

/** Whether the delivery `d` created by dispatch is only in the memory of the shard's owner. @internal */
export const isFresh = `exists (
      select from partnerkit.events e join partnerkit.shards s on s.shard = e.shard
      where e.account_id = d.account_id and e.id = d.event_id and d.endpoint_id = any(e.endpoints) and e.dispatched_at >= s.watermark
    ) and ${isUnknown}`;

/** Makes other calls for the event, and pruning, wait. After it, only the shard's owner changes the rows. */
const lockEvent = `select 1 as locked from partnerkit.events where account_id = $1 and id = $2::uuid
  and ${plannedAnew('$1::text')} for no key update`;

const read = `select exists (select from partnerkit.pending where ${ofPair} and replay = $4::int)::text as pending,
    exists (select from partnerkit.attempts where ${ofPair} and replay = $4::int and state is not null)::text as finished,
    (${isFresh})::text as fresh,
    (select state from partnerkit.endpoints where account_id = $1 and id = $3::uuid) as standing,
    (select min(replay) from partnerkit.pending where ${ofPair})::int as unfinished,
    (${nextReplay})::int as next
  from (select $1::text as account_id, $2::uuid as event_id, $3::uuid as endpoint_id) d where ${plannedAnew('$1::text')}`;

const hurry = `update partnerkit.pending set state = 'scheduled', due_at = least(due_at, now()), is_urgent = true
  where ${ofPair} and replay = $4::int and ${wakes('$5')} and ${plannedAnew('$1::text')}`;

const insert = `insert into partnerkit.pending
    (account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since)
  select $1, $2::uuid, $3::uuid, $4::int, $5::int, 'scheduled', now(), 0, 0, false, true, now() where ${wakes('$5::text')}`;

/** Sends a delivery again. @internal */
export const sendAgain = <Tx extends object>({ sql, shortTransaction }: Database<Tx>): DeliveryLog['sendAgain'] => {
  const [lock, look, update, add] = [sql(lockEvent), sql(read), sql(hurry), sql(insert)];

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
      const hasEvent = (await own(lock, [accountId, eventId])).length > 0;
      const [row] = await own(look, [accountId, eventId, endpointId, replay]);
      const found = known(key, row, hasEvent);
      if (found?.kind === 'sent' && row?.['pending'] === 'true')
        await own(update, [accountId, eventId, endpointId, replay, String(shard)]);
      if (found) return found;
      const next = Number(row?.['next']);
      await own(add, [accountId, eventId, endpointId, next, shard]);
      return { kind: 'sent', deliveryId: deliveryIdOf({ ...key, replay: next }) };
    });
  };
};
