/** Standard Base64 with padding (RFC 4648 §4). */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** The bytes, or `undefined` when `text` is not Base64. */
export const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    const binary = atob(text);
    // `Uint8Array.from` with a function takes many times as long.
    const bytes = new Uint8Array(binary.length);
    for (let place = 0; place < binary.length; place++) bytes[place] = binary.charCodeAt(place);
    return bytes;
  } catch {
    return undefined;
  }
};

/** Base64url without padding (RFC 4648 §5). */
export const toBase64url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** The bytes of canonical Base64url without padding, or `undefined` for any other text. */
export const fromBase64url = (text: string): Uint8Array | undefined => {
  if (!/^[\w-]*$/.test(text)) return undefined;
  const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  // The unused last bits are zero, so that the same bytes have one spelling.
  return bytes && toBase64url(bytes) === text ? bytes : undefined;
};
