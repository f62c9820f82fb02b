import { test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { lives } from '../../src/contracts/judging.ts';
import { memoryStorageFixture } from './memory.ts';

test('memory judges as core does in each of many lives', async () => {
  await lives(sized(100, 1_000))(await memoryStorageFixture({ storeAhead: 0 }));
});
