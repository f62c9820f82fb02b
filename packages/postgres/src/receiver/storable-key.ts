import { createHash } from 'node:crypto';

/**
 * A receiver's key as stored. Senders' keys have no maximum length, index entries do. Lone surrogates would all become
 * the same replacement character.
 */
export const storableKey = (key: string): string =>
  key.length <= 600 && key.isWellFormed() && !key.includes('\0')
    ? key
    : `sha256:${createHash('sha256').update(key, 'utf16le').digest('hex')}`;
