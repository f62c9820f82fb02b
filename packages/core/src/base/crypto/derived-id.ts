import { sha256 } from './sha256.ts';

/** A UUIDv8 (RFC 9562 §5.8) of texts and numbers: the same for the same ones. */
export const derivedId = (...parts: readonly (string | number)[]): string => {
  const hex = sha256(JSON.stringify(parts));
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
