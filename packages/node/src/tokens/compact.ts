/** A part of a signed JWT in Base64url. Its unused last bits must be zero, so that the same bytes have one spelling. */
const part = '((?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?)';
// linear: a part is read in groups of four characters, and a point ends it.
const form = new RegExp(`^${part}\\.${part}\\.${part}$`);

/** The parts of a JWS in compact serialization (RFC 7515 §7.1), in Base64url. */
export type CompactParts = readonly [header: string, payload: string, signature: string];

/** Splits a text in the canonical form of a JWS. */
export const splitCompact = (token: string): CompactParts | undefined =>
  form.exec(token)?.slice(1) as CompactParts | undefined;
