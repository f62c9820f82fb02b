import { day, minute } from '@partnerkit/core';
import type { SeenKeys } from '@partnerkit/core/adapter';

/** The calls of a receiver to its `SeenKeys` for a new event. */
export const claimAndConfirm = async (seen: SeenKeys, key: string): Promise<void> => {
  const claim = await seen.claim(key, minute);
  if (claim.kind !== 'claimed') throw new Error(`${key} is ${claim.kind}.`);
  if (!(await seen.confirm(key, claim.lease, 35 * day))) throw new Error(`${key} was not confirmed.`);
};
