import { type DurationMs, day, minute } from '../runtime/time.ts';
import type { SeenKeys } from './seen-keys.ts';

/** How long a claim and a processed key are kept. @public */
export interface DedupTimes {
  /** Longer than any handler takes. @defaultValue 1 minute */
  readonly lease: DurationMs;
  /** Longer than a sender retries. @defaultValue 35 days */
  readonly keep: DurationMs;
}

const defaultDedupTimes: DedupTimes = { lease: minute, keep: 35 * day };

/**
 * Runs `work` once for a key. It claims the key, works, and confirms it. When `work` fails, it releases the key and rejects with that
 * error. Resolves to `duplicate` when the key was processed before, and to `in_progress` while another holds its lease.
 * `onForgotten` is called when the work is done and could not be confirmed: a duplicate is processed once the lease lapses.
 * @example
 * const envelope = parseEnvelope(text);
 * if (envelope) await processOnce(memorySeenKeys(), dedupKey(envelope), () => orders.markPaid(envelope.data.id));
 * @public
 */
export const processOnce = async (
  seen: SeenKeys,
  key: string,
  work: () => void | Promise<void>,
  { lease = defaultDedupTimes.lease, keep = defaultDedupTimes.keep }: Partial<DedupTimes> = {},
  onForgotten: (cause: unknown) => void = () => undefined,
): Promise<'processed' | 'duplicate' | 'in_progress'> => {
  // Whatever is answered without a promise costs no turn of the event loop.
  const claiming = seen.claim(key, lease);
  const claim = 'kind' in claiming ? claiming : await claiming;
  if (claim.kind === 'done') return 'duplicate';
  if (claim.kind === 'in_progress') return 'in_progress';
  try {
    const working = work();
    if (working) await working;
  } catch (cause) {
    // Should this fail too, the lease lapses by itself.
    try {
      await seen.release(key, claim.lease);
    } catch {
      // The work's own error is the one to tell.
    }
    throw cause;
  }
  // A lease that lapsed while we worked: the work is done all the same, and another may have done it again.
  try {
    const confirming = seen.confirm(key, claim.lease, keep);
    if (typeof confirming !== 'boolean') await confirming;
  } catch (cause) {
    // The work is done: to report a failure would have it done again.
    onForgotten(cause);
  }
  return 'processed';
};
