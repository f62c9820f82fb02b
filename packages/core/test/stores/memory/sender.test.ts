import { expect, test } from 'vitest';
import { memorySender } from '../../../src/stores/memory/sender.ts';

const post = { url: 'https://x.example', headers: {}, body: '{}', deadline: 1 };

test('records POSTs and returns 200, or the given outcome', async () => {
  const sender = memorySender();
  expect(await sender.send(post)).toEqual({ kind: 'answered', status: 200, body: '', durationMs: 0 });
  expect(sender.posts).toEqual([post]);
  const refusing = memorySender(({ url }) => ({ kind: 'answered', status: 500, body: url, durationMs: 3 }));
  expect(await refusing.send(post)).toMatchObject({ status: 500, body: 'https://x.example' });
});
