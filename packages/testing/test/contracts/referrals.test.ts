import { describe, test } from 'vitest';
import { referralsContract } from '../../src/index.ts';
import { brokenReferrals } from './broken-referrals.ts';
import { findsEveryFault } from './doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  referralsContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  referralsContract({ test, create: slowStorageFixture });
});

findsEveryFault(referralsContract, memoryStorageFixture, brokenReferrals);
