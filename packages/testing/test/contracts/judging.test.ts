import { test } from 'vitest';
import { lives } from '../../src/contracts/judging.ts';
import { memoryStorageFixture } from './memory.ts';

test('memory judges as core does in a thousand lives', async () => {
  await lives(1_000)(await memoryStorageFixture({ storeAhead: 0 }));
});
