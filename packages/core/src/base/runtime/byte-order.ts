const firstSurrogate = 0xd800;
const afterSurrogates = 0xe000;

/** Ranks UTF-16 code units in the order of their code points: surrogates, which encode U+10000 and above, come last. */
const rank = (unit: number): number =>
  unit < firstSurrogate ? unit : unit < afterSurrogates ? unit + 0x2000 : unit - 0x800;

/** Compares two well-formed texts by their UTF-8 bytes, as databases order account ids. */
export const compareBytes = (a: string, b: string): number => {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const unit = a.charCodeAt(index);
    const other = b.charCodeAt(index);
    if (unit !== other) return rank(unit) - rank(other);
  }
  return a.length - b.length;
};
