import { expect, test } from 'vitest';
import { noteCommits } from '../../src/simulator/commits.ts';
import type { Call, PublishedEvent } from '../../src/simulator/trace.ts';

test('an event that waited for the transaction of another one is committed when its call was done', () => {
  const event = {
    n: 7,
    accountId: 'a',
    object: 'o',
    type: 'creation',
    begunAt: 10,
    begunInStore: 10,
    end: 'committed',
  };
  const published = [event] as unknown as PublishedEvent[];
  const call = {
    ...{ name: 'events.appendAlone', process: 'host', sentAt: 10, effectAt: 11, storeTime: 11 },
    args: [[{ id: 'event', objectId: 'o', bodyTail: ',"data":{"n":7}}' }]],
    ...{ doneAt: 14, storeTimeDone: 14, result: [{ kind: 'stored' }] },
  } as unknown as Call;
  noteCommits(published, new Map(), { calls: [call], commits: new Map() });
  expect(published).toEqual([{ ...event, eventId: 'event', committedAt: 14, storedBetween: [11, 14] }]);
});
