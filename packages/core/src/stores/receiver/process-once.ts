import { isThenable } from '../../base/runtime/brand.ts';
import { type DurationMs, day, minute } from '../../base/runtime/time.ts';
import { wrongAnswer } from '../../base/runtime/wrong-answer.ts';
import type { SeenClaim, SeenKeys } from './seen-keys.ts';

/** Options of {@link processOnce}. @public */
export interface DedupOptions {
  /**
   * How long a claim blocks other deliveries of the event, in milliseconds: longer than any handler takes.
   * @defaultValue 1 minute
   */
  readonly lease?: DurationMs;
  /** How long a processed key is remembered, in milliseconds: longer than a sender retries. @defaultValue 35 days */
  readonly keep?: DurationMs;
  /**
   * Called when the work succeeded but its key could not be confirmed: a duplicate is processed after the lease
   * expires.
   */
  readonly onForgotten?: (cause: unknown) => void;
}

/** An unknown answer is no claim: the store may not remember the key. */
const checkClaim = (claim: SeenClaim): SeenClaim => {
  const { kind, lease }: { readonly kind?: unknown; readonly lease?: unknown } = Object(claim);
  if (kind === 'done' || kind === 'in_progress' || (kind === 'claimed' && typeof lease === 'string')) return claim;
  throw wrongAnswer('SeenKeys.claim', "{ kind: 'claimed', lease }, { kind: 'in_progress' } or { kind: 'done' }");
};

/**
 * Runs `work` once for a key: claims the key, runs `work` and confirms the key. When `work` fails, it releases the key
 * and rejects with that error. Resolves to `duplicate` when the key was processed before, and to `in_progress` while
 * another caller holds its lease. Rejects without running `work` when the store fails, or answers with no
 * {@link SeenClaim}.
 * @example
 * const envelope = parseEnvelope(webhookBody);
 * if (envelope) await processOnce(memorySeenKeys(), dedupKey(envelope), () => orders.markPaid(envelope.data.id));
 * @public
 */
export const processOnce = async (
  seen: SeenKeys,
  key: string,
  work: () => void | Promise<void>,
  { lease = minute, keep = 35 * day, onForgotten }: DedupOptions = {},
): Promise<'processed' | 'duplicate' | 'in_progress'> => {
  // A result without a promise saves a turn of the event loop.
  const claiming = seen.claim(key, lease);
  const claim = checkClaim(isThenable(claiming) ? await claiming : claiming);
  if (claim.kind === 'done') return 'duplicate';
  if (claim.kind === 'in_progress') return 'in_progress';
  try {
    const working = work();
    if (working) await working;
  } catch (cause) {
    try {
      await seen.release(key, claim.lease);
    } catch {
      // The lease expires by itself; the caller needs the error of the work.
    }
    throw cause;
  }
  // The lease may have expired during the work. It is done all the same, and another caller may have repeated it.
  try {
    const confirming = seen.confirm(key, claim.lease, keep);
    const confirmed: unknown = isThenable(confirming) ? await confirming : confirming;
    if (typeof confirmed !== 'boolean') throw wrongAnswer('SeenKeys.confirm', 'true, or false for a lost lease');
  } catch (cause) {
    // The work is done: a rejection would make the sender repeat it.
    onForgotten?.(cause);
  }
  return 'processed';
};
