/**
 * Port: the only source of randomness in core.
 * @public
 */
export interface Random {
  /** Returns `length` cryptographically random bytes in a new array. */
  bytes(length: number): Uint8Array;
}

/** A number in [0, 1) with 32 bits of randomness. */
export const fraction = (random: Random): number => {
  const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4);
  return ((a * 256 + b) * 65_536 + c * 256 + d) / 2 ** 32;
};
