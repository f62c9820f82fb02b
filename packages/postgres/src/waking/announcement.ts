import { type AnnouncedEvent, type NewEvent, type ShardWake, shardOf } from '@partnerkit/core/adapter';

/*
 * The payload of a notification that events were or will be committed:
 *
 *   1,2              their shards
 *   [{"id": …}]      the events, as `AnnouncedEvent`
 *
 * `soon:` before it: the events may not be committed yet.
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

/** Reads a payload; `isSoon`: the events may not be committed yet. `undefined`: it is malformed. */
export const readAnnouncement = (
  payload: string,
): { readonly wake: EventsWake; readonly isSoon: boolean } | undefined => {
  const isSoon = payload.startsWith(soonPrefix);
  const text = isSoon ? payload.slice(soonPrefix.length) : payload;
  if (!text.startsWith('[')) return { wake: { kind: 'events', shards: text.split(',').map(Number) }, isSoon };
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
