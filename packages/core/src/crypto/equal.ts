import { timingSafeEqual } from 'node:crypto';
import { toUtf8 } from '../runtime/text.ts';

/** Compares two texts in a time that does not tell where they differ. Their lengths are no secret. @internal */
export const equalInConstantTime = (a: string, b: string): boolean => {
  const left = toUtf8(a);
  const right = toUtf8(b);
  // timingSafeEqual throws on unequal lengths.
  return left.length === right.length && timingSafeEqual(left, right);
};
