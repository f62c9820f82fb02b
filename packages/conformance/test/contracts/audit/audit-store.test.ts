import { describe, test } from 'vitest';
import { auditStoreContract } from '../../../src/contracts/audit/audit-store.ts';
import { findsEveryFault } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';
import { brokenAudit } from './broken-audit.ts';

describe('memory', () => {
  auditStoreContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  auditStoreContract({ test, create: slowStorageFixture });
});

findsEveryFault(auditStoreContract, memoryStorageFixture, brokenAudit);
