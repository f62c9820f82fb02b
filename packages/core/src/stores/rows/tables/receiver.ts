import { integer, json, number, optional, type RowOf, table, text } from '../port/table.ts';

/** Keys of a receiver. With a lease: in progress. With a timestamp: an object, and its newest processed event. */
export const seenKeys = table({
  name: 'seen_keys',
  columns: { key: text(), lease: optional(text()), expiresAt: number(), timestamp: optional(integer()) },
  key: ['key'],
  indexes: { expiry: { columns: ['expiresAt', 'key'] } },
});

/**
 * Webhooks to process, and keys of processed ones. `at`: when it is due, was dead-lettered, or is deleted. The body is
 * JSON because a sender's text may have NUL. With a timestamp: an object, as of {@link seenKeys}.
 */
export const inbox = table({
  name: 'inbox',
  columns: {
    key: text(),
    state: text<'waiting' | 'dead_lettered' | 'done'>(),
    at: number(),
    attempts: integer(),
    lease: optional(text()),
    body: json<string>(),
    timestamp: optional(integer()),
  },
  key: ['key'],
  indexes: { at: { columns: ['state', 'at', 'key'] } },
});

export type SeenKeyRow = RowOf<typeof seenKeys>;
export type InboxRow = RowOf<typeof inbox>;
