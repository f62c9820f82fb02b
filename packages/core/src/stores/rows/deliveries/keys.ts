import { compareBytes } from '../../../base/runtime/byte-order.ts';
import type { EpochMs } from '../../../base/runtime/time.ts';
import type { DeliveryKey } from '../../../webhooks/deliveries/delivery-id.ts';
import type { PendingChange, ShardRange } from '../../../webhooks/deliveries/delivery-store.ts';
import { shardCount } from '../../../webhooks/shards/shard.ts';
import type { PendingRow } from '../tables/deliveries.ts';

/** The key of a delivery. */
export const keyOf = ({ accountId, eventId, endpointId, replay }: DeliveryKey) =>
  [accountId, eventId, endpointId, replay] as const;

/** The key of its event. */
export const eventKeyOf = ({ accountId, eventId }: Pick<DeliveryKey, 'accountId' | 'eventId'>) =>
  [accountId, eventId] as const;

/** A name that no other delivery has. */
export const nameOf = ({ accountId, eventId, endpointId, replay }: DeliveryKey): string =>
  `${accountId}\0${eventId}\0${endpointId}\0${replay}`;

interface AccountRange {
  readonly prefix: readonly [shard: number];
  readonly after?: readonly [accountId: string] | undefined;
  readonly before?: readonly [accountId: string] | undefined;
}
const wholeShards: readonly AccountRange[] = Array.from({ length: shardCount }, (_, shard) => ({ prefix: [shard] }));

/** A part of a queue by shard and account. Most are whole shards. */
export const accountRange = ({ shard, after, before }: ShardRange): AccountRange =>
  (after === undefined && before === undefined ? wholeShards[shard] : undefined) ?? {
    prefix: [shard],
    after: after === undefined ? undefined : [after],
    before: before === undefined ? undefined : [before],
  };

type Numbered = DeliveryKey & { readonly number?: number };

const compareIds = (a: string, b: string): number => (a < b ? -1 : 1);
const compareKeys = (a: Numbered, b: Numbered): number => {
  if (a.accountId !== b.accountId) return compareBytes(a.accountId, b.accountId);
  if (a.eventId !== b.eventId) return compareIds(a.eventId, b.eventId);
  if (a.endpointId !== b.endpointId) return compareIds(a.endpointId, b.endpointId);
  return a.replay - b.replay || (a.number ?? 0) - (b.number ?? 0);
};

/** Deliveries, or numbered attempts, in the order of their keys, in which rows are locked. */
export const inKeyOrder = <K extends Numbered>(keys: readonly K[]): readonly K[] =>
  keys.length < 2 ? keys : keys.toSorted(compareKeys);

/** A pending row from a change. */
export const pendingRow = (change: PendingChange, now: EpochMs): PendingRow => ({
  accountId: change.accountId,
  eventId: change.eventId,
  endpointId: change.endpointId,
  replay: change.replay,
  shard: change.shard,
  state: change.state,
  // Rounded up: never early.
  dueAt: Math.ceil(now + change.dueIn),
  attempts: change.attempts,
  logged: change.logged,
  isAbandoned: false,
  isUrgent: change.isUrgent === true,
  since: now,
});
