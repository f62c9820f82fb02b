import { hkdfSync } from 'node:crypto';
import type { Random } from '@partnerkit/core/adapter';

/** Random bytes that are the same in every run. */
export const repeatableRandom = (): Random => {
  let draws = 0;
  return { bytes: (length) => new Uint8Array(hkdfSync('sha256', 'scripted host', '', `${draws++}`, length)) };
};
