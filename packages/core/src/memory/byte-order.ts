const firstSurrogate = 0xd800;
const afterSurrogates = 0xe000;

/** Code units in the order of their code points: surrogates, which stand for U+10000 and above, come last. */
const rank = (unit: number): number =>
  unit < firstSurrogate ? unit : unit < afterSurrogates ? unit + 0x2000 : unit - 0x800;

/** Compares two well-formed texts as their UTF-8 bytes compare, which is how a database orders ids of accounts. @internal */
export const compareBytes = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const [unit, other] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (unit !== other) return rank(unit) - rank(other);
  }
  return a.length - b.length;
};
