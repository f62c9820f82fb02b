import { claimingCases } from './claiming.ts';
import { type Cases, type ContractOptions, runCases } from './contract.ts';
import { disablingCases } from './disabling.ts';
import { dispatchingCases } from './dispatching.ts';
import { expiringCases } from './expiring.ts';
import { judgingCases } from './judging.ts';
import { leasingCases } from './leasing.ts';
import { pausingCases } from './pausing.ts';
import { probingCases } from './probing.ts';
import { pruningCases } from './pruning.ts';
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
  ...pausingCases,
  ...probingCases,
  ...disablingCases,
  ...judgingCases,
  ...expiringCases,
  ...pruningCases,
  ...wakingCases,
};

/**
 * Holds a `DeliveryQueue` to its obligations: dispatch, claims and leases, settlements, the breaker, what goes with time, waking.
 * @example
 * // `create` as {@link StorageFixture} shows it.
 * deliveryQueueContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const deliveryQueueContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
