import { type Cases, type ContractOptions, runCases } from './contract.ts';
import { copyCases } from './copies.ts';
import { referringCases } from './referring.ts';
import type { StorageFixture } from './storage-fixture.ts';

const cases: Cases<StorageFixture> = { ...referringCases, ...copyCases };

/**
 * Holds `Referrals` to its obligations, and the other ports to theirs about copies: what waits for parents, the copies of it, and what
 * becomes of them.
 * @example
 * // `create` as {@link StorageFixture} shows it.
 * referralsContract({ test, create });
 * @throws TypeError when a deviation names no case.
 * @public
 */
export const referralsContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
