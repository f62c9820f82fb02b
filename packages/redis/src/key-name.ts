import { createHash } from 'node:crypto';

const longest = 200;

/**
 * The stored name of a key. A long key is stored as its digest: senders decide its length, and keys are stored for
 * weeks. So is a key with lone surrogates, which all become the same replacement character in UTF-8.
 */
export const keyName = (key: string): string =>
  key.length <= longest && key.isWellFormed()
    ? key
    : `sha256:${createHash('sha256').update(key, 'utf16le').digest('hex')}`;
