import { sha256 } from '../../../base/crypto/sha256.ts';

/**
 * A receiver's key as it is stored. The keys of senders have no maximum length. JSON escapes what is no text, so that
 * two keys never have one digest.
 */
export const storableKey = (key: string): string =>
  key.length <= 600 && key.isWellFormed() && !key.includes('\0') ? key : `sha256:${sha256(JSON.stringify(key))}`;
