import { timingSafeEqual } from 'node:crypto';
import { toUtf8 } from '../runtime/text.ts';

const encoder = new TextEncoder();
/** Signatures and digests are short: these buffers are reused instead of allocated each time. */
const size = 128;
const left = new Uint8Array(size);
const right = new Uint8Array(size);

/**
 * Compares two texts, such as signatures, in constant time. Their lengths are not secret.
 * @example
 * equalInConstantTime('a3f1', 'a3f2'); // false
 * @public
 */
export const equalInConstantTime = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false;
  // A character has three bytes at most.
  if (a.length * 3 > size) {
    const [one, other] = [toUtf8(a), toUtf8(b)];
    // timingSafeEqual throws on unequal lengths.
    return one.length === other.length && timingSafeEqual(one, other);
  }
  const written = encoder.encodeInto(a, left).written;
  // Clears the rest of an earlier, longer text.
  left.fill(0, written);
  right.fill(0, encoder.encodeInto(b, right).written);
  return timingSafeEqual(left, right);
};
