import { claimingCases } from './claiming.ts';
import { type Cases, type ContractOptions, runCases } from './contract.ts';
import { dispatchingCases } from './dispatching.ts';
import { leasingCases } from './leasing.ts';
import { settlingCases } from './settling.ts';
import { stampingCases } from './stamping.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { wakingCases } from './waking.ts';

const cases: Cases<StorageFixture> = {
  ...dispatchingCases,
  ...stampingCases,
  ...claimingCases,
  ...leasingCases,
  ...settlingCases,
  ...wakingCases,
};

/**
 * Holds a `DeliveryQueue` to its obligations: dispatch, claims and leases, settlements, waking.
 * @example
 * // `create` as {@link StorageFixture} shows it.
 * deliveryQueueContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const deliveryQueueContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
