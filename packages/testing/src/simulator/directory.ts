import type { AccountDirectory, EpochMs } from '@partnerkit/core';
import type { Prng } from './prng.ts';
import type { Process } from './scheduler.ts';

/**
 * The host's accounts, as one process asks for them: the second is a child of the first until then. It may fail, and it may never answer.
 * @internal
 */
export const simulatedDirectory = (
  [parent, child]: readonly string[],
  childUntil: EpochMs | undefined,
  process: Process,
  prng: Prng,
  faults: () => number,
): AccountDirectory => ({
  find: async (id) => {
    await process.step();
    if (prng.chance(faults() / 4)) return new Promise(() => undefined);
    if (prng.chance(faults())) throw new Error('The directory is down.');
    if (id !== parent && id !== child) return undefined;
    const account = { id, name: id, status: 'active', environment: 'dev' };
    const isChild = id === child && childUntil !== undefined && process.clock.now() < childUntil;
    return isChild && parent !== undefined ? { ...account, parentId: parent } : account;
  },
});
