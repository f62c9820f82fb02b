import { createHash } from 'node:crypto';

/**
 * A receiver's key as it is stored. What a sender may write into one has no bound; what an index holds has one. Halves of surrogate
 * pairs would all become the same replacement character.
 * @internal
 */
export const storableKey = (key: string): string =>
  key.length <= 600 && key.isWellFormed() && !key.includes('\0')
    ? key
    : `sha256:${createHash('sha256').update(key, 'utf16le').digest('hex')}`;
