import { day, minute, type SeenKeys } from '@partnerkit/core';

/** What a receiver asks of its seen keys for an event that is new. */
export const claimAndConfirm = async (seen: SeenKeys, key: string): Promise<void> => {
  const claim = await seen.claim(key, minute);
  if (claim.kind !== 'claimed') throw new Error(`${key} is ${claim.kind}.`);
  if (!(await seen.confirm(key, claim.lease, 35 * day))) throw new Error(`${key} was not confirmed.`);
};
