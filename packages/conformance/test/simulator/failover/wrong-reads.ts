import { readFeedCursor } from '../../../../core/src/webhooks/feeds/feed-cursor.ts';
import { selects } from '../../../src/simulator/laws/selects.ts';
import type { Trace, TracedReader } from '../../../src/simulator/trace.ts';

/** The number of entries before a cursor. */
const numberOf = ({ accountId, endpointId }: TracedReader, cursor: string | undefined): number =>
  cursor === undefined ? 0 : readFeedCursor(accountId, endpointId, cursor)._unsafeUnwrap()[0].number;

/** The events that a reader has: each page replaces what it had after the cursor of the page. */
const keptBy = (reader: TracedReader): readonly string[] => {
  let kept: readonly (string | undefined)[] = [];
  for (const { after, page } of reader.pulls) {
    if (typeof page === 'string') continue;
    const from = numberOf(reader, after);
    const before = Array.from({ length: from }, (_, index) => kept[index]);
    kept = [...before, ...page.items.map(({ id }) => id.split('_')[0])];
  }
  return kept.map((id) => id ?? 'a gap');
};

/**
 * What is wrong with feeds and readers after failovers. The feed of the last primary has each event that was committed
 * before the last worker stopped, and that the pull endpoint selects, once. A reader that follows its cursors has these
 * events in this order: each once, none behind a cursor, and nothing that was lost.
 */
export const wrongReads = ({ history, events, published, readers, lives }: Trace): readonly string[] => {
  const stopsAt = lives.find(({ machine }) => machine === 1)?.stopRequestedAt ?? Number.POSITIVE_INFINITY;
  const early = new Set(
    published.flatMap(({ committedAt = stopsAt, eventId }) => (committedAt < stopsAt ? (eventId ?? []) : [])),
  );
  return readers.flatMap((reader, number) => {
    const { accountId, feed } = reader;
    if (feed.pruned > 0) return [];
    const order = feed.entries.map(({ eventId }) => eventId);
    const found = new Set(order);
    const script = history.readers?.[number];
    const isMissing = (event: Trace['events'][number]): boolean =>
      event.accountId === accountId && early.has(event.id) && !found.has(event.id);
    const missing = events.filter((event) => script && selects(script, event) && isMissing(event));
    const kept = keptBy(reader);
    return [
      ...missing.map(({ id }) => `event ${id} is not in the feed of reader ${number}`),
      ...(found.size < order.length ? [`the feed of reader ${number} has an event twice`] : []),
      ...(kept.join() === order.join() ? [] : [`reader ${number} has ${kept}, its feed ${order}`]),
    ];
  });
};
