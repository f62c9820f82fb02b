import { describe, test } from 'vitest';
import { parentPropagationContract } from '../../src/contracts/parent-propagation.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  parentPropagationContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  parentPropagationContract({ test, create: slowStorageFixture });
});
