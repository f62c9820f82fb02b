const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `bytes` as a big-endian number in the digits 0-9, A-Z, a-z, padded to `width`. */
export const toBase62 = (bytes: Uint8Array, width: number): string => {
  let number = 0n;
  for (const byte of bytes) number = number * 256n + BigInt(byte);
  let text = '';
  for (; number > 0n; number /= 62n) text = alphabet[Number(number % 62n)] + text;
  return text.padStart(width, '0');
};
