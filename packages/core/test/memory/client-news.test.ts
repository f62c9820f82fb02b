import { expect, test } from 'vitest';
import { memoryClientNews } from '../../src/memory/client-news.ts';

test('the last `most` are held at least, and what is more is said to be missing', async () => {
  const news = memoryClientNews({ most: 3 });
  const { mark } = await news.since(undefined);
  for (const subject of ['a', 'b', 'c']) await news.tell(subject);
  expect((await news.since(mark)).subjects).toEqual(['a', 'b', 'c']);
  for (let times = 0; times < 6; times++) await news.tell('d');
  const { mark: next, subjects } = await news.since(mark);
  expect(subjects).toBeUndefined();
  await news.tell('e');
  expect((await news.since(next)).subjects).toEqual(['e']);
});
