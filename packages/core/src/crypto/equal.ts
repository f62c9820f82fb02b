import { timingSafeEqual } from 'node:crypto';
import { toUtf8 } from '../runtime/text.ts';

const encoder = new TextEncoder();
/** Signatures and digests are short: they are written here, over and over, instead of into memory of their own. */
const size = 128;
const left = new Uint8Array(size);
const right = new Uint8Array(size);

/** Compares two texts in a time that does not tell where they differ. Their lengths are no secret. @internal */
export const equalInConstantTime = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false;
  // A character has three bytes at most.
  if (a.length * 3 > size) {
    const [one, other] = [toUtf8(a), toUtf8(b)];
    // timingSafeEqual throws on unequal lengths.
    return one.length === other.length && timingSafeEqual(one, other);
  }
  const written = encoder.encodeInto(a, left).written;
  // What an earlier text left behind the shorter one must not count.
  left.fill(0, written);
  right.fill(0, encoder.encodeInto(b, right).written);
  return timingSafeEqual(left, right);
};
