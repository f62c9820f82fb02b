import { type DurationMs, day, minute } from '../runtime/time.ts';
import type { SeenKeys } from './seen-keys.ts';

/** How long a claim and a processed key are kept. @public */
export interface DedupTimes {
  /** Longer than any handler takes. @defaultValue 1 minute */
  readonly lease: DurationMs;
  /** Longer than a sender retries. @defaultValue 35 days */
  readonly keep: DurationMs;
}

/** @internal */
export const defaultDedupTimes: DedupTimes = { lease: minute, keep: 35 * day };

/**
 * Runs `work` unless `key` was processed before: claims, works, confirms; releases when `work` fails, and rejects with its
 * error. `busy` while another is at it.
 * @example
 * const outcome = await processOnce(seen, dedupKey(event), () => book(event));
 * @public
 */
export const processOnce = async (
  seen: SeenKeys,
  key: string,
  work: () => void | Promise<void>,
  times: DedupTimes = defaultDedupTimes,
): Promise<'processed' | 'duplicate' | 'busy'> => {
  const claim = await seen.claim(key, times.lease);
  if (claim.kind === 'done') return 'duplicate';
  if (claim.kind === 'busy') return 'busy';
  try {
    await work();
  } catch (cause) {
    // Should this fail too, the lease lapses by itself.
    await seen.release(key, claim.lease).catch(() => undefined);
    throw cause;
  }
  // A lease that lapsed while we worked: the work is done all the same, and another may have done it again.
  await seen.confirm(key, claim.lease, times.keep);
  return 'processed';
};
