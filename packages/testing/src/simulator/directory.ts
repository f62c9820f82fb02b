import type { AccountDirectory, EpochMs } from '@partnerkit/core';
import type { Prng } from './prng.ts';
import type { Process } from './process.ts';

/**
 * The host's accounts, as one process asks for them: the second is a child of the first until then. It may fail, and it may never answer.
 * @internal
 */
export const simulatedDirectory = (
  accountIds: readonly string[],
  childUntil: EpochMs | undefined,
  process: Process,
  now: () => EpochMs,
  prng: Prng,
  faults: () => number,
): AccountDirectory => ({
  find: async (id) => {
    await process.step();
    if (prng.chance(faults() / 4)) return new Promise(() => undefined);
    if (prng.chance(faults())) throw new Error('The directory is down.');
    if (!accountIds.includes(id)) return undefined;
    const account = { id, name: id, status: 'active', environment: 'dev' };
    const [parentId, childId] = accountIds;
    const isChild = id === childId && childUntil !== undefined && now() < childUntil;
    return isChild && parentId !== undefined ? { ...account, parentId } : account;
  },
});
