import { describe, test } from 'vitest';
import { storageContracts } from '../../src/contracts/index.ts';
import { rowStorageFixture } from './support.ts';

for (const [name, contract] of Object.entries(storageContracts))
  describe(`storage over rows: ${name}`, () => contract({ test, create: (settings) => rowStorageFixture(settings) }));
