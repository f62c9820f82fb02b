import { memorySeenKeys } from '@partnerkit/core/receiver';
import { day, minute } from '@partnerkit/core/time';
import type { Figure } from '../measure.ts';
import { figure, inTurns, rateOf, type Side } from '../postgres/turns.ts';
import { newKeys } from './keys.ts';

const count = 50_000;
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
export async function* memory(): AsyncGenerator<Figure> {
  const add = bareSet();
  const seen = memorySeenKeys({ maxKeys });
  const side =
    (take: (keys: readonly string[]) => Promise<void>): Side =>
    () => {
      const keys = newKeys(count);
      return rateOf(count, () => take(keys));
    };
  const rates = await inTurns(
    {
      bare: side(async (keys) => {
        for (const key of keys) if (!add(key)) throw new Error(key);
      }),
      ours: side(async (keys) => {
        for (const key of keys) {
          const claiming = seen.claim(key, minute);
          const claim = 'kind' in claiming ? claiming : await claiming;
          if (claim.kind !== 'claimed') throw new Error(key);
          const confirming = seen.confirm(key, claim.lease, 35 * day);
          if (!(typeof confirming === 'boolean' ? confirming : await confirming)) throw new Error(key);
        }
      }),
    },
    9,
  );
  yield figure('memory: claim + confirm, of a bare set', 0.45, rates.ours, rates.bare);
}
