import { type AnnouncedEvent, type NewEvent, type ShardWake, type StoreWake, shardOf } from '@partnerkit/core/adapter';
import { feedsPrefix } from '../database/fragments.ts';

/*
 * The payload of a notification:
 *
 *   1,2              events were committed: their shards
 *   [{"id": …}]      events were committed: each as `AnnouncedEvent`
 *   soon:…           the same events may not be committed yet
 *   feeds:1,2        entries of feeds were committed: their shards
 *   members          workers or shards changed
 */

/** Maximum length of announced events, in characters; PostgreSQL refuses payloads of 8,000 bytes. */
const maxLength = 1_900;
const soonPrefix = 'soon:';

/**
 * The announcement of an event up to its `storedAt`, which the statement that stores it appends. `undefined`: its shard
 * is named instead.
 */
export const announcementOf = (event: NewEvent): string | undefined => {
  const { id, accountId, objectName, objectId, type, occurredAt, onlyTo, origin } = event;
  if (onlyTo !== undefined || origin !== undefined) return undefined;
  const text = JSON.stringify({ id, accountId, shard: shardOf(accountId), objectName, objectId, type, occurredAt });
  return text.length > maxLength ? undefined : `${text.slice(0, -1)},"storedAt":`;
};

/** A wake for events. */
export type EventsWake = Extract<ShardWake, { readonly kind: 'events' }>;

/** What a notification tells; `isSoon`: the events may not be committed yet. */
type Notification =
  | { readonly wake: StoreWake; readonly isSoon?: false }
  | { readonly wake: EventsWake; readonly isSoon: boolean };

const shardsIn = (text: string): readonly number[] => text.split(',').map(Number);

/** Reads a payload. `undefined`: it is malformed. */
export const readNotification = (payload: string): Notification | undefined => {
  if (payload === 'members') return { wake: { kind: payload } };
  if (payload.startsWith(feedsPrefix))
    return { wake: { kind: 'feeds', shards: shardsIn(payload.slice(feedsPrefix.length)) } };
  const isSoon = payload.startsWith(soonPrefix);
  const text = isSoon ? payload.slice(soonPrefix.length) : payload;
  if (!text.startsWith('[')) return { wake: { kind: 'events', shards: shardsIn(text) }, isSoon };
  try {
    const announced: readonly AnnouncedEvent[] = JSON.parse(text);
    return { wake: { kind: 'events', shards: announced.map(({ shard }) => shard), announced }, isSoon };
  } catch {
    return undefined;
  }
};

/** The payload for events that are committed soon, each with its whole announcement, if it has one. */
export const soonPayload = (shards: readonly number[], texts: readonly (string | undefined)[]): string => {
  const all = `[${texts.join(',')}]`;
  const isWhole = texts.every((text) => text !== undefined) && all.length <= maxLength;
  return `${soonPrefix}${isWhole ? all : shards.join(',')}`;
};
