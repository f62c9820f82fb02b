import { createHash } from 'node:crypto';

const longest = 200;

/**
 * What a sender may write into a key has no bound, and keys are kept for weeks: a long one is kept as its digest. Halves of
 * surrogate pairs would all become the same replacement character.
 */
export const keyName = (key: string): string =>
  key.length <= longest && key.isWellFormed()
    ? key
    : `sha256:${createHash('sha256').update(key, 'utf16le').digest('hex')}`;
