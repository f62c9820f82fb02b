import type { StorageFixture } from '../storage/storage-fixture.ts';
import { type Cases, type ContractOptions, runCases } from '../support/contract.ts';
import { announcingCases } from './announcing.ts';
import { dispatchingCases } from './dispatching.ts';
import { healthCases } from './health.ts';
import { outboxCases } from './outbox.ts';
import { settlingCases } from './settling.ts';
import { waitingCases } from './waiting.ts';

const cases: Cases<StorageFixture> = {
  ...outboxCases,
  ...dispatchingCases,
  ...announcingCases,
  ...settlingCases,
  ...healthCases,
  ...waitingCases,
};

/**
 * Tests the obligations of a `DeliveryStore`: outbox reads, dispatches, settlements, pending deliveries and takeovers.
 */
export const deliveryStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
