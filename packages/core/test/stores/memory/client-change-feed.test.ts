import { expect, test } from 'vitest';
import { memoryClientChangeFeed } from '../../../src/stores/memory/client-change-feed.ts';

test('at least the last maxAnnounced changes are stored; an older cursor is reported as too old', async () => {
  const changeFeed = memoryClientChangeFeed({ maxAnnounced: 3 });
  const { cursor } = await changeFeed.changesSince(undefined);
  for (const subject of ['a', 'b', 'c']) await changeFeed.announce(subject);
  expect((await changeFeed.changesSince(cursor)).subjects).toEqual(['a', 'b', 'c']);
  for (let times = 0; times < 6; times++) await changeFeed.announce('d');
  const { cursor: next, subjects } = await changeFeed.changesSince(cursor);
  expect(subjects).toBeUndefined();
  await changeFeed.announce('e');
  expect((await changeFeed.changesSince(next)).subjects).toEqual(['e']);
});
