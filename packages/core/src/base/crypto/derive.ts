import { hkdfSync } from 'node:crypto';

/**
 * HKDF-SHA-256 (RFC 5869) without salt, so that each process derives the same bytes. `purpose` is its `info`: it names
 * one use and its version, and no two uses share one.
 */
export const derive = (secret: Uint8Array, purpose: string, length: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), purpose, length));
