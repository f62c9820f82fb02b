import type { NewEvent } from '@partnerkit/core/adapter';
import type { Notes } from './storage.ts';
import type { Call, PublishedEvent } from './trace.ts';

const numberOf = ({ bodyTail }: NewEvent): number => {
  const { data }: { readonly data: { readonly n: number } } = JSON.parse(`{"timestamp":0${bodyTail}`);
  return data.n;
};

const events = (call: Call): readonly NewEvent[] | undefined => {
  if (call.name === 'events.append') return (call as Call<'events.append'>).args[1];
  if (call.name === 'events.appendAlone') return (call as Call<'events.appendAlone'>).args[0];
  return undefined;
};

/** Records for each published event whether the storage committed it, even if the host did not learn the result. */
export const noteCommits = (
  published: readonly PublishedEvent[],
  transactions: ReadonlyMap<object, readonly PublishedEvent[]>,
  { calls, commits }: Pick<Notes, 'calls' | 'commits'>,
): void => {
  const inTransactions = new Set([...transactions.values()].flat());
  const alone = published.filter((event) => !inTransactions.has(event));
  for (const call of calls) {
    const appended = events(call);
    if (!appended || !Array.isArray(call.result)) continue;
    const { args, doneAt, storeTime = 0, storeTimeDone = storeTime, result } = call as Call<'events.append'>;
    // An event alone may have waited for the transaction that used its idempotency key first.
    const committedAt = call.name === 'events.append' ? commits.get(args[0]) : doneAt;
    appended.forEach((event, index) => {
      if (result?.[index]?.kind !== 'stored') return;
      const n = numberOf(event);
      const note = (transactions.get(args[0]) ?? alone).findLast(
        (each) => each.n === n && each.begunAt <= call.sentAt && each.eventId === undefined,
      );
      if (!note) return;
      Object.assign(note, { eventId: event.id, storedBetween: [storeTime, storeTimeDone], object: event.objectId });
      if (committedAt !== undefined) note.committedAt = committedAt;
    });
  }
};
