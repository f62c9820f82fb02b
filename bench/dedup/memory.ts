import { day, minute } from '@partnerkit/core';
import { memorySeenKeys } from '@partnerkit/core/memory';
import { atLeast, compared, inTurns, type Line, type Side } from '../measure.ts';
import { metered, rateOf } from '../meter.ts';
import type { Sized } from '../sizes.ts';
import { newKeys } from './keys.ts';

const maxKeys = 100_000;

/** Two generations, swapped when the younger one is full; without claims, and without reports of dropped keys. */
const bareSet = () => {
  let young = new Set<string>();
  let old = new Set<string>();
  return (key: string): boolean => {
    if (young.has(key) || old.has(key)) return false;
    if (young.size >= maxKeys / 2) [young, old] = [new Set(), young];
    young.add(key);
    return true;
  };
};

/** One event after the other, by a caller that awaits promises only, as `processOnce` does. */
export async function* memory(sized: Sized): AsyncGenerator<Line> {
  const count = sized(50_000, 100);
  const add = bareSet();
  const seen = memorySeenKeys({ maxKeys });
  const side =
    (take: (keys: readonly string[]) => Promise<void>): Side =>
    () => {
      const keys = newKeys(count);
      return metered(() => rateOf(count, () => take(keys)));
    };
  const rates = await inTurns(
    {
      bare: side(async (keys) => {
        for (const key of keys) if (!add(key)) throw new Error(key);
      }),
      partnerkit: side(async (keys) => {
        for (const key of keys) {
          const claiming = seen.claim(key, minute);
          const claim = 'kind' in claiming ? claiming : await claiming;
          if (claim.kind !== 'claimed') throw new Error(key);
          const confirming = seen.confirm(key, claim.lease, 35 * day);
          if (!(typeof confirming === 'boolean' ? confirming : await confirming)) throw new Error(key);
        }
      }),
    },
    sized(9, 1),
  );
  yield compared('memory: claim and confirm', rates.partnerkit, 'a bare set', rates.bare, atLeast(0.45));
}
