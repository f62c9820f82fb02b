import { describe, test } from 'vitest';
import { handlerStoreContract } from '../../../src/contracts/handlers/handler-store.ts';
import { findsEveryFault } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';
import { brokenHandlers } from './broken-handlers.ts';

describe('memory', () => {
  handlerStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  handlerStoreContract({ test, create: slowStorageFixture });
});

findsEveryFault(handlerStoreContract, memoryStorageFixture, brokenHandlers);
