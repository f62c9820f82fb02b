import { movedRequestsContract } from '@partnerkit/conformance/contracts';
import { test } from 'vitest';
import { sqliteFixture } from './support/fixtures.ts';

movedRequestsContract({
  test,
  objects: 10_000,
  concurrentTransactions: false,
  create: (given) => sqliteFixture(given, { otherLibrariesOpenOtherFiles: true }),
});
